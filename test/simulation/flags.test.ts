import { expect, it } from 'vitest';
import { readFlags } from './flags.ts';

it.each([
  [['--tills', '4'], '--tills takes a whole number from 1 to 3, not "4".'],
  [['--seeds', '0'], '--seeds takes a whole number from 1, not "0".'],
  [['--keep', '3,x'], '--keep takes numbers of steps such as 3,7, not "3,x".'],
  [['--keep', ''], '--keep takes numbers of steps such as 3,7, not "".'],
])('%s is told as wrong', (args, message) => {
  expect(readFlags(args)).toEqual({ kind: 'wrong', message });
});

it('takes three tills, and steps from the first one, 0', () => {
  expect(readFlags(['--tills', '3', '--keep', '0,12'])).toMatchObject({
    kind: 'run',
    options: { wishes: { tillCount: 3 }, keptSteps: new Set([0, 12]) },
  });
});
