import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifierHint } from '../../app/till/operation-view.ts';
import { identifierKinds } from '../../shared/contract/identifier.ts';

describe('the hint of an identifier', () => {
  it.each([
    ['phone', '+96550001234', '••• 1234'],
    ['loyalty_id', 'LC-1001', '••• 001'],
    ['email', 'fatima@example.com', 'f•••@example.com'],
    ['loyalty_id', 'A', '•••'],
    ['loyalty_id', 'AB', '••• B'],
  ] as const)('of %s %s is %s', (kind, value, hint) => {
    expect(identifierHint(kind, value)).toBe(hint);
  });

  it('never shows more than half of it, e-mail hosts aside', () => {
    fc.assert(
      fc.property(fc.constantFrom(...identifierKinds), fc.string({ minLength: 1, unit: 'grapheme' }), (kind, value) => {
        fc.pre(kind !== 'email');
        const shown = identifierHint(kind, value).replace(/^••• ?/, '');
        expect(Array.from(shown).length).toBeLessThanOrEqual(Array.from(value).length / 2);
      }),
    );
  });
});
