import { expect, it } from 'vitest';
import { wasNotDone } from '../../../renderer/operation/standing.ts';

const refusal = { code: 'ALREADY_REVERSED', message: '', retryable: false, request_id: 'req_1' };

it.each([
  ['a sale that was refused before its program took it back', 'earn', refusal, true],
  ['a sale that was undone before it was sent', 'earn', null, false],
  ['a reversal of what somebody else has reversed: it is as was wanted', 'reverse', refusal, false],
  ['a redemption that was refused', 'redeem', refusal, true],
] as const)('tells whether it was not done: %s', (_, intent, error, isNotDone) => {
  expect(wasNotDone({ intent, state: 'cancelled', error })).toBe(isNotDone);
});
