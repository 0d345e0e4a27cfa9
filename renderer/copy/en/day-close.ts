import type { DayOutcome } from '../../../shared/till/day-names.ts';
import { countIn } from '../plural.ts';

const count = countIn('en');

export const words = {
  earlier: 'The day before',
  later: 'The day after',
  day: 'Business day',
  today: 'Today',
  /** A business day is not the calendar's. */
  from: (time: string) => `Counted from ${time} to ${time}`,
  print: 'Print',
  csv: 'Save as CSV',
  close: 'Close the day',
  notClosed: 'Not closed yet',
  closedBy: (who: string, when: string) => `Closed by ${who}, ${when}`,
  countedAt: (when: string) => `As it stands at ${when}`,
  asClosed: 'As it was when the day was closed',
  future: 'This day has not begun yet.',

  outcomes: {
    applied: 'Applied',
    waiting: 'Waiting',
    refused: 'Refused',
    written_off: 'Written off',
    taken_back: 'Taken back',
  } satisfies Record<DayOutcome, string>,
  outcomeNotes: {
    applied: 'On the cards',
    waiting: 'On the way',
    refused: 'Need a decision',
    written_off: 'Given up',
    taken_back: 'Undone sales',
  } satisfies Record<DayOutcome, string>,
  figures: 'Figures of the day',
  operation: 'Operation',
  nothing: 'None',
  times: (value: number, written: string) => count(value, written, { one: '# time', other: '# times' }),
  earnsTakenBack: 'Sales taken back',
  spendsTakenBack: 'Redemptions taken back',

  emptyTitle: 'Nothing was taken on this day',
  emptyNext: 'Its sales and redemptions are counted here, by operation and currency.',
  failedTitle: 'The day could not be counted',
  again: 'Try again',

  since: (value: number, written: string) =>
    count(value, written, { one: '# since closing', other: '# since closing' }),
  sinceNext: 'Taken after the day was closed. They belong to this day; its closing stays as it was.',
  carriedIn: (value: number, written: string, day: string) =>
    count(value, written, { one: `# carried over from ${day}`, other: `# carried over from ${day}` }),
  carriedInNext: 'Open when that day was closed. This is what became of them.',
  carriedOut: (value: number, written: string) =>
    count(value, written, { one: '# carried over to the next day', other: '# carried over to the next day' }),
  carriedOutNext: 'Open when this day was closed. This is what became of them.',
  late: (value: number, written: string, day: string) =>
    count(value, written, {
      one: `# more came to ${day} after its closing`,
      other: `# more came to ${day} after its closing`,
    }),
  more: (written: string) => `and ${written} more`,

  closes: 'Closed days',
  closesEmptyTitle: 'No day closed yet',
  closesEmptyNext: 'Every closed day appears here, with who closed it.',
  openThen: (value: number, written: string) => count(value, written, { other: '# carried over' }),
  moreCloses: 'Show earlier days',

  dialog: {
    title: (day: string) => `Close ${day}`,
    why: 'Its figures are kept as they are now. A day is closed once.',
    wellTitle: 'Nothing is left open',
    openTitle: (value: number, written: string) =>
      count(value, written, { one: '# is still open', other: '# are still open' }),
    waiting: (value: number, written: string) =>
      count(value, written, { one: '# waits to be sent or confirmed', other: '# wait to be sent or confirmed' }),
    attention: (value: number, written: string) =>
      count(value, written, { one: '# needs a decision', other: '# need a decision' }),
    acknowledge: 'I have seen this. Carry them over to the next day.',
    acknowledgeMissing: 'Confirm that you have seen what is still open.',
    more: 'More is open now than before. Look again.',
    by: 'Closed by',
    byNote: 'Your name stands on the closing.',
    byMissing: 'Enter your name.',
    pin: 'Manager’s PIN',
    pinNote: 'The manager’s name stands on the closing. Or sign in with a badge first.',
    pinMissing: 'Enter the PIN.',
    confirm: 'Close the day',
    closing: 'Closing',
    cancel: 'Cancel',
    already: (who: string, when: string) => ({
      title: 'This day was closed before',
      next: `By ${who}, ${when}. Its closing stays as it was.`,
    }),
    notBegun: { title: 'This day has not begun yet', next: 'Only a day that has begun can be closed.' },
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
