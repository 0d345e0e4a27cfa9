import { faultNames, probabilityOf } from './engine/faults.ts';

/** Counts which rare branches a run came through. */
export class Marks {
  readonly counts = new Map<string, number>();

  /** Something happened that happens sometimes. */
  sometimes(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  add(others: Marks): void {
    for (const [name, count] of others.counts) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }
}

const lineMarks = [
  ...faultNames.filter((name) => probabilityOf(name) !== null),
  'an answer to an earlier request',
  'two answers were swapped',
  'an answer after its caller gave up',
].map((name) => `line: ${name}`);

const toldKinds = ['redeem', 'reverse', 'reserve', 'commit', 'release', 'enroll', 'verify'] as const;
const toldMarks = toldKinds.flatMap((kind) =>
  ['done', 'refused', 'not_sent', 'unknown'].map((verdict) => `told: ${kind} ${verdict}`),
);

/** What a long run has to reach: a rule that is never near its branch proves nothing. */
export const expectedMarks: readonly string[] = [
  ...lineMarks,
  ...toldMarks,
  'told: earn done',
  'told: earn not_sent',
  'told: earn promised',
  'told: earn refused',
  'told: reverse promised',
  'service: restored from an older copy',
  'service: what was accepted failed later',
  'till: clock set',
  'till: key of the other_partner',
  'till: key of the same_partner',
  'till: killed',
  'till: killed after a commit',
  'till: killed before a commit',
  'till: older database',
  'till: outage',
  'till: practice',
  'till: stopped',
  'till: upgraded',
  'disk: full',
  'disk: refused',
  'for ever: stuck_customer',
  'for ever: stuck_key',
  'for ever: stuck_row',
  'decision: give_it decided',
  'decision: take_full_payment decided',
  'decision: take_full_payment one_shot',
  'manager: correct of refused done',
  'manager: resend of failed done',
  'manager: resend of refused done',
  'manager: write_off of failed done',
  'manager: write_off of refused done',
  'verify: part',
  'verify: missing, sent again',
  'day: closed',
  'day: already_closed',
  'row: queued to sending',
  'row: queued to cancelled',
  'row: sending to queued',
  'row: sending to unknown',
  'row: sending to accepted',
  'row: sending to applied',
  'row: sending to refused',
  'row: sending to failed',
  'row: unknown to sending',
  'row: unknown to queued',
  'row: unknown to applied',
  'row: accepted to applied',
  'row: accepted to failed',
  'row: accepted to unknown',
  'row: applied to reversed',
  'row: refused to queued',
  'row: refused to cancelled',
  'row: refused to written_off',
  'row: failed to written_off',
  'row: cancelled to queued',
  'row: cancelled to applied',
  'row: unknown after a crash, found later',
  'attention: applied',
  'attention: failed',
  'attention: refused',
  'attention: unknown',
];
