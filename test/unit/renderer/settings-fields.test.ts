import { describe, expect, it } from 'vitest';
import { valueTyped } from '../../../renderer/settings/fields.ts';

describe('a number of the settings', () => {
  it.each([
    ['72', 72],
    ['٧٢', 72],
    ['1.5', 1.5],
    ['١٫٥', 1.5],
    ['1,000,000', 1_000_000],
    ['١٬٠٠٠', 1_000],
    ['1 000', 1_000],
    [' 30 ', 30],
  ])('%j is %d', (text, value) => {
    expect(valueTyped('number', text, 'KWD')).toEqual({ ok: true, value });
  });

  it.each(['72,5', '٧٢٬٥', '1,00', '7 2', '1.5,0', '-1', 'x', '1.'])('%j is none', (text) => {
    expect(valueTyped('number', text, 'KWD')).toEqual({ ok: false });
  });
});
