import { describe, expect, it } from 'vitest';
import { csvLine } from '../../shared/lib/csv.ts';

describe('a cell of CSV that comes from outside', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\t=1',
    '\r=1',
    '\n=1',
  ])('is never a formula: %j', (text) => {
    const line = csvLine([text]);
    expect(line).toMatch(/^'/);
  });

  it('stays in its cell, whatever the program that opens it takes for the end of one', () => {
    expect(csvLine(['R-1\n=1', 'R-1\t=1', 'R-1\r=1', 'R-1\u0085=1'])).toBe('R-1 =1,R-1 =1,R-1 =1,R-1 =1\r\n');
  });

  it('is left as it is where it is none', () => {
    expect(csvLine(['R-1', '12=12', 'a@b.example', 'قهوة', 5, -5, null])).toBe('R-1,12=12,a@b.example,قهوة,5,-5,\r\n');
    expect(csvLine(['say "so", twice'])).toBe('"say ""so"", twice"\r\n');
  });
});
