import { describe, expect, it } from 'vitest';
import { foldDigits } from '../../shared/lib/digits.ts';

describe('folding digits', () => {
  it('makes Arabic and Persian digits ASCII and leaves the rest', () => {
    expect(foldDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ abc 5')).toBe('0123456789 0123456789 abc 5');
  });
});
