import { expect, it } from 'vitest';
import { parseFlags } from '../../app/commands/flags.ts';
import { notACommand } from '../../app/commands/tillbridge.ts';

it('names what was typed as a command, without the flags and their values', () => {
  expect(notACommand(['setings', 'list', '--data-dir', './x'])).toContain('setings list: is not a command');
});

it('tells a negative number from a flag', () => {
  const parsed = parseFlags(['limits.max_points', '-5'], [], ['NAME', 'VALUE']);
  expect(parsed).toMatchObject({ kind: 'wrong' });
  expect(JSON.stringify(parsed)).toContain('-5: a number below zero is not possible here');
});
