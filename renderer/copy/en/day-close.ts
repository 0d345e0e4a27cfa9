import type { DayOutcome } from '../../../shared/till/day-names.ts';
import { dayOutcomeWords } from '../../../shared/till/state-words.ts';
import { countIn } from '../../../shared/words/plural.ts';
import { sumNames } from './sum-names.ts';

const count = countIn('en');

export const words = {
  earlier: 'The day before',
  later: 'The day after',
  day: 'Business day',
  today: 'Today',
  /** The times are named because a business day may end after midnight. */
  from: (time: string) => `Counted from ${time} to ${time}`,
  print: 'Print',
  csv: 'Save as CSV',
  close: 'Close the day',
  notClosed: 'Not closed yet',
  closedBy: (who: string, when: string) => `Closed by ${who}, ${when}`,
  countedAt: (when: string) => `Counted at ${when}`,
  asClosed: 'Counted when the day was closed',

  outcomes: dayOutcomeWords.en,
  outcomeNotes: {
    applied: 'Balances updated',
    waiting: 'Not completed yet',
    refused: 'Need attention',
    written_off: 'Closed by a manager',
    taken_back: 'Undone sales',
  } satisfies Record<DayOutcome, string>,
  figures: 'Figures of the day',
  byCashier: 'By cashier',
  byCashierNote: 'Reversed counts for the cashier who sold. Held is what waits for an order.',
  cashier: 'Cashier',
  nobody: 'Nobody signed in',
  notCounted: 'This day was closed by an earlier version, without cashiers.',
  sums: sumNames,
  operation: 'Operation',
  nothing: 'None',
  times: (value: number, written: string) => count(value, written, { one: '# time', other: '# times' }),
  earnsTakenBack: 'Sales reversed',
  spendsTakenBack: 'Redemptions reversed',

  emptyTitle: 'No sales on this day',
  emptyNext: 'Sales and redemptions of the day appear here.',
  failedTitle: 'The day could not be counted',
  again: 'Try again',

  since: (value: number, written: string) =>
    count(value, written, { one: '# since closing', other: '# since closing' }),
  sinceNext: 'Sales of this day that came after its closing.',
  carriedIn: (value: number, written: string, day: string) =>
    count(value, written, { one: `# carried over from ${day}`, other: `# carried over from ${day}` }),
  carriedInNext: 'Open when that day was closed. Their states now:',
  carriedOut: (value: number, written: string) =>
    count(value, written, { one: '# carried over to the next day', other: '# carried over to the next day' }),
  carriedOutNext: 'Open when this day was closed. Their states now:',
  late: (value: number, written: string, day: string) =>
    count(value, written, {
      one: `# more came to ${day} after its closing`,
      other: `# more came to ${day} after its closing`,
    }),
  more: (written: string) => `and ${written} more`,

  closes: 'Closed days',
  closesEmptyTitle: 'No day closed yet',
  closesEmptyNext: 'Closed days appear here with the name of the person.',
  openThen: (value: number, written: string) => count(value, written, { other: '# carried over' }),
  moreCloses: 'Show earlier days',

  dialog: {
    title: (day: string) => `Close ${day}`,
    why: 'The figures are saved as they are now. A day is closed once.',
    wellTitle: 'Nothing is open',
    openTitle: (value: number, written: string) =>
      count(value, written, { one: '# is still open', other: '# are still open' }),
    waiting: (value: number, written: string) => count(value, written, { one: '# waiting', other: '# waiting' }),
    attention: (value: number, written: string) =>
      count(value, written, { one: '# needs attention', other: '# need attention' }),
    acknowledge: 'I have seen this. Carry the open sales over.',
    acknowledgeMissing: 'Confirm that you have seen the open sales.',
    more: 'The number of open sales has changed. Look again.',
    by: 'Closed by',
    byNote: 'Your name is saved with the closing.',
    byMissing: 'Enter your name.',
    pin: 'Manager’s PIN',
    pinNote: 'The manager’s name is saved. Or sign in with a badge.',
    pinMissing: 'Enter the PIN.',
    confirm: 'Close the day',
    closing: 'Closing',
    cancel: 'Cancel',
    already: (who: string, when: string) => ({
      title: 'This day was closed before',
      next: `By ${who}, ${when}. The closing is unchanged.`,
    }),
    notBegun: { title: 'This day has not begun yet', next: 'Close a day after its beginning.' },
    done: 'Done',
  },

  paper: {
    title: 'Day close',
    till: 'Till',
    branch: 'Branch',
    printed: 'Printed',
    practice: 'Practice: no real sales',
    signature: 'Signature',
  },
};

export type DayCloseWords = typeof words;
