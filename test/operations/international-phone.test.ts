import { describe, expect, it } from 'vitest';
import { Person } from '../../app/operations/personal-data/person.ts';
import { comparePhonesIn } from '../../app/operations/requests/international-phone.ts';

const inKuwait = comparePhonesIn('KWD');

describe('the phones of two persons', () => {
  it.each([
    ['+96550001001', '+971 55 000 1001'],
    ['50001001', '+971 55 000 1001'],
    ['50001001', '+97150001001'],
    ['+96550001001', '0001001'],
    ['0001001', '1001'],
  ])('are two, though they end alike: %s and %s', (one, other) => {
    expect(inKuwait(one, other)).toBe(false);
    expect(inKuwait(other, one)).toBe(false);
  });

  it.each([
    ['50001001', '+965 5000 1001'],
    ['0096550001001', '٥٠٠٠١٠٠١'],
    ['96550001001', '5000-1001'],
    ['(+965) 5000 1001', ' +965 50001001'],
    ['50001001 ext 7', '+96550001001;ext=9'],
  ])('are one, however it is written: %s and %s', (one, other) => {
    expect(inKuwait(one, other)).toBe(true);
    expect(inKuwait(other, one)).toBe(true);
  });

  it('are read in the country of the shop, and in none when nobody knows it', () => {
    expect(comparePhonesIn('AED')('0550001001', '+971550001001')).toBe(true);
    expect(comparePhonesIn('AED')('50001001', '+96550001001')).toBe(false);
    expect(comparePhonesIn('USD')('50001001', '+96550001001')).toBe(false);
    expect(comparePhonesIn('USD')('0096550001001', '+965 5000 1001')).toBe(true);
  });

  it('lead from one to nobody else', () => {
    const person = new Person([{ kind: 'phone', value: '50001001' }], inKuwait);
    expect(person.has({ kind: 'phone', value: '+971550001001' })).toBe(false);
    expect(person.has({ kind: 'phone', value: '+96550001001' })).toBe(true);
  });
});
