import { expect, it } from 'vitest';
import { windowLeftInWords } from '../../app/doctor/check-status.ts';

it.each([
  [7_300, '2 h left of 72'],
  [0, '0 h left of 72'],
  [-1, 'the sending deadline of 72 h has passed'],
  [-217_263_600, 'the sending deadline of 72 h has passed'],
])('%i seconds of the sending deadline are told as words', (secondsLeft, words) => {
  expect(windowLeftInWords(secondsLeft, 72)).toBe(words);
});
