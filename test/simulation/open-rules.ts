import type { RuleName } from './judge/rules.ts';

/** Rules that the product is known to break, each with what is missing. This table is to become empty, and then to go. */
export const openRules: Readonly<Partial<Record<RuleName, string>>> = {
  'acknowledged-earn-lost': 'Another sale under the same reference on another day is taken for a repetition.',
  'told-done-not-held': 'An answer about another request is believed.',
  'told-done-anothers': 'A replay of another request is believed; an answer about another request is believed.',
  'told-other-values': 'An answer with another request’s values is passed on.',
  'told-no-but-stands': 'What was cancelled or refused is not looked up again.',
  'paid-in-full-but-stands': 'What was cancelled is not looked up again.',
  'reversal-promised-but-stands': 'A reversal may be promised that nobody sends.',
  'commit-told-done-not-held': 'A commit of another hold under the same order is taken for a repetition.',
  'shown-applied-not-held': 'An answer about another request is believed.',
  'shown-applied-anothers': 'A replay of another request is believed.',
  'shown-applied-not-success': 'A poll about another transaction is believed.',
  'shown-applied-but-reversed': 'What an older database shows as applied is not looked up again.',
  'shown-reversed-but-stands': 'A reversal may be promised that nobody sends.',
  'shown-cancelled-but-stands': 'What was cancelled is not looked up again.',
  'shown-refused-but-stands': 'What was refused is not looked up again.',
  'shown-failed-but-stands': 'A poll about another transaction is believed.',
  'written-off-but-stands': 'What was written off is not looked up again.',
  'read-shows-more': 'A read passes on entries about other requests, and joins two of one operation.',
  'read-shows-less': 'A read does not join the service’s newer state.',
  'read-other-values': 'Records of commits lose their values.',
  'row-never-ends': 'A reversal may stand that nobody sends.',
  'unknown-for-ever': 'A request of one reference may stay unknown behind another.',
  'reversed-unasked': 'A reversal reference that was used for another original is answered as if it were new.',
};
