import { describe, expect, it } from 'vitest';
import { identifierOf, type Shape, shapeOf } from '../../../renderer/find/shape.ts';
import { plainText } from '../../../shared/lib/digits.ts';

describe('a text in the find box', () => {
  it.each<[string, Shape]>([
    ['', 'empty'],
    ['   ', 'empty'],
    ['LC-1001', 'card'],
    ['4006381333931', 'card'],
    ['99887766', 'phone'],
    ['9988 7766', 'phone'],
    ['٩٩٨٨٧٧٦٦', 'phone'],
    ['+965 9988 7766', 'phone'],
    ['0096599887766', 'phone'],
    ['\u200e+96599887766', 'phone'],
    ['fatima@example.com', 'email'],
    ['fatima@', 'unclear'],
    ['123', 'card'],
  ])('%j is taken for %s', (text, shape) => {
    expect(shapeOf(text, null)).toBe(shape);
  });

  it('is a card when it matches the pattern, even if it looks like a phone', () => {
    expect(shapeOf('99887766', '\\d{8}')).toBe('card');
  });

  it('is no card when it does not match the pattern as a whole', () => {
    expect(shapeOf('4006381333931', 'LC-\\d{4}')).toBe('unclear');
    expect(shapeOf('LC-10019', 'LC-\\d{4}')).toBe('unclear');
    expect(shapeOf('99887766', 'LC-\\d{4}')).toBe('phone');
  });

  it('is judged without a pattern that is no pattern', () => {
    expect(shapeOf('LC-1001', '(')).toBe('card');
  });
});

it('a look-up names the customer by one property of the contract', () => {
  expect(identifierOf({ kind: 'card', text: 'LC-1001' })).toEqual({ loyalty_id: 'LC-1001' });
  expect(identifierOf({ kind: 'phone', text: '99887766' })).toEqual({ phone: '99887766' });
  expect(identifierOf({ kind: 'email', text: 'a@b.co' })).toEqual({ email: 'a@b.co' });
  expect(plainText(' ٩٩ ')).toBe('99');
});
