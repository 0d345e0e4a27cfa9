/** What must hold at the end of every history: a name for `--only`, and the sentence that a failure says. */
export const rules = {
  'acknowledged-earn-lost': 'A sale that was acknowledged is neither in the service’s books nor with a person.',
  'counted-twice': 'One request stands more than once in the service’s books.',
  'told-done-not-held': 'Somebody was told that it was done, and the service holds nothing of it.',
  'told-done-anothers': 'Somebody was told that it was done, on another request’s answer.',
  'told-other-values': 'The answer to a request tells of other values than it asked for.',
  'told-no-but-stands': 'Somebody was told that it did not happen; it stands, and nobody was told.',
  'told-done-but-reversed': 'Somebody was told that it was done; it was reversed, and nobody asked for that.',
  'paid-in-full-but-stands': 'After “Take full payment” the redemption stands, and nobody was told.',
  'reversal-promised-but-stands': 'A reversal was promised; its original stands, and nobody was told.',
  'commit-told-done-not-held': 'An order was told to be paid with a hold that was not committed for it.',
  'release-told-but-committed': 'A hold was told to be released, and is committed.',
  'shown-applied-not-held': 'The till shows a write as applied that the service does not hold.',
  'shown-applied-anothers': 'The till shows a write as applied where the service holds another request’s.',
  'shown-applied-not-success': 'The till shows a write as applied that is not.',
  'shown-applied-but-reversed': 'The till shows a write as applied that this till has reversed.',
  'shown-reversed-but-stands': 'The till shows a write as reversed that stands.',
  'shown-cancelled-but-stands': 'The till shows a write as cancelled that stands, and nobody was told.',
  'shown-refused-but-stands': 'The till shows a write as refused that stands.',
  'shown-failed-but-stands': 'The till shows a write as failed that stands.',
  'written-off-but-stands': 'A write that was written off stands, and nobody was told.',
  'read-shows-more': 'A read at the bridge tells of more successes than the service holds.',
  'read-shows-less': 'A read at the bridge tells of fewer successes than the service holds.',
  'read-other-values': 'A read at the bridge tells of other values than the service holds.',
  'read-failed': 'A read at the bridge fails though the line is good.',
  'reversed-unasked': 'The service holds a reversal that nobody asked for.',
  'balance-is-no-sum': 'A balance is not the sum of what stands.',
  'row-never-ends': 'A row waits for ever though the line is good.',
  'unknown-for-ever': 'An outcome stays unknown though the line is good.',
  'stuck-unseen': 'What can never be sent is not shown to a person.',
  'kept-too-long': 'A customer is still named in a settled row after the retention time.',
  'history-is-broken': 'The history of a row does not end in its state.',
  'practice-in-production': 'A practice sale is in production’s books.',
  'agent-down': 'An agent does not run.',
  'agent-complains': 'An agent logged an error of its own, without a fault of the disk.',
  'step-failed': 'A step of the history threw.',
  'trace-differs': 'The same seed gave another trace the second time.',
} as const satisfies Readonly<Record<string, string>>;

export type RuleName = keyof typeof rules;

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(rules, name);
}

export const ruleNames: readonly RuleName[] = Object.keys(rules).filter(isRuleName);

/** A broken rule, with what broke it. */
export interface Verdict {
  readonly rule: RuleName;
  readonly text: string;
}
