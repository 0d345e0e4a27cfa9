import { expect, it } from 'vitest';
import { waitingInWords, windowLeftInWords } from '../../app/doctor/check-status.ts';
import { noOperations } from '../support/fake-records.ts';

it.each([
  [7_300, '2 h left of 72'],
  [0, '0 h left of 72'],
  [-1, 'the sending deadline of 72 h has passed'],
  [-217_263_600, 'the sending deadline of 72 h has passed'],
])('%i seconds of the sending deadline are told as words', (secondsLeft, words) => {
  expect(windowLeftInWords(secondsLeft, 72)).toBe(words);
});

it.each([
  [{}, '0'],
  [{ queued: 3 }, '3 (Waiting to send 3)'],
  [{ queued: 1, unknown: 2, checking: 2, refused: 9 }, '3 (Waiting to send 1, Checking 2)'],
])('what waits, %o, is told with its states', (some, words) => {
  expect(waitingInWords({ ...noOperations, ...some })).toBe(words);
});
