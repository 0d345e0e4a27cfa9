import type { RuleName } from './judge/rules.ts';

/** Rules that the product is known to break, each with what is missing. This table is to become empty, and then to go. */
export const openRules: Readonly<Partial<Record<RuleName, string>>> = {
  'shown-applied-anothers':
    'A later look takes what it finds under a reference for its own without its time, and a commit’s without its hold.',
  'shown-applied-but-reversed': 'A reversal that arrives late, after a refusal, is not seen on its original.',
  'shown-cancelled-but-stands': 'What was cancelled can still be found standing, and nobody is told.',
  'unknown-for-ever': 'A reversal that was passed on stays unknown when its answers are about other requests.',
  'told-no-but-stands': 'What was cancelled can still be found standing, and nobody is told.',
  'reversal-promised-but-stands': 'A reversal of another till’s write that fails later is not told.',
};
