import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsPaymentCard } from '../../shared/contract/payment-card.ts';
import { earnRequestSchema } from '../../shared/contract/transaction.ts';
import { attentionCommands } from '../../shared/till/attention-commands.ts';
import { receiptNumber } from '../../shared/till/operation-input.ts';

describe('the number of a payment card', () => {
  it.each([
    ['Visa', '4111111111111111'],
    ['Visa of old', '4222222222222'],
    ['Visa, 19 digits', '4000000000000000006'],
    ['Mastercard', '5555 5555 5555 4444'],
    ['Mastercard of the new range', '2223-0031-2200-3222'],
    ['American Express', '3782 822463 10005'],
    ['Diners', '30569309025904'],
    ['Discover', '6011.1111.1111.1117'],
    ['JCB', '3530111333300000'],
    ['Maestro', '6759649826438453'],
    ['in Arabic digits', '٤١١١ ١١١١ ١١١١ ١١١١'],
    ['in full-width digits', '４１１１１１１１１１１１１１１１'],
    ['in a sentence', 'customer paid with 4111 1111 1111 1111, gave it back'],
    ['after a date', '22-11-2026 4111-1111-1111-1111'],
    ['before other digits', '4111 1111 1111 1111 12/28'],
    ['in few characters that stand for two digits each', '④⑪⑪⑪⑪⑪⑪⑪①'],
    ['with slashes', '4111/1111/1111/1111'],
    ['with underscores', '4111_1111_1111_1111'],
    ['with two dots', '4111..1111..1111..1111'],
    ['with commas and spaces', '4111, 1111, 1111, 1111'],
    ['with tabs', '4111\t1111\t1111\t1111'],
    ['with characters that nobody sees', '4111\u200b1111\u200b1111\u200b1111'],
    ['with middle dots', '4111·1111·1111·1111'],
    ['with bullets', '4111•1111•1111•1111'],
    ['with colons', '4111:1111:1111:1111'],
    ['with a minus sign', '4111−1111−1111−1111'],
    ['with no-break spaces', '4111\u00a01111\u00a01111\u00a01111'],
  ])('is found: %s', (_, text) => {
    expect(holdsPaymentCard(text)).toBe(true);
  });

  it.each([
    ['a digit wrong', '4111111111111112'],
    ['a loyalty card', 'LC-1001'],
    ['a loyalty card of 16 digits', '9812345678901232'],
    ['a loyalty card of 13 digits', '2800000010014'],
    ['a reference', 'main-till1-20261122-000123'],
    ['a reference that ends like one', 'R4111111111111111'],
    ['a longer number', '41111111111111110000'],
    ['an instant in milliseconds', '1795345678903'],
    ['a time stamp', '20261122181300'],
    ['two phones', '+965 9988 7766, +965 5551 9876'],
    ['a civil id', '284010112345'],
    ['an IBAN', 'KW81CBKU0000000000001234560101'],
    ['zeros', '0000000000000000'],
    ['words', 'typed wrong: 12.500 and not 1.250'],
  ])('is not found in %s', (_, text) => {
    expect(holdsPaymentCard(text)).toBe(false);
  });

  it('is found in a twentieth of such numbers at most, and in none that no scheme has', () => {
    const digits = fc.stringMatching(/^[017-9]\d{12,18}$/);
    fc.assert(
      fc.property(digits, (number) => !holdsPaymentCard(number)),
      { seed: 20261122 },
    );
    let found = 0;
    for (let number = 0; number < 10_000; number += 1) {
      if (holdsPaymentCard(String(1e15 + number * 899_999_999_999))) found += 1;
    }
    expect(found).toBeLessThan(500);
  });
});

describe('free text with one', () => {
  const card = '4111 1111 1111 1111';
  const problem = 'must not hold the number of a payment card: take it out';

  it('is refused, and the field is told', () => {
    const refused = attentionCommands['attention.write_off'].input.safeParse({ operation_id: 'a', reason: card });
    expect(refused.error?.issues).toMatchObject([{ path: ['reason'], message: problem }]);
    expect(receiptNumber.safeParse(card).error?.issues).toMatchObject([{ message: problem }]);
  });

  it('is not the reference or the card of a sale: a machine may have made them so', () => {
    const earn = { identifier: { loyalty_id: '4111111111111111' }, external_ref: '4111111111111111', points: 1 };
    expect(earnRequestSchema.safeParse(earn).success).toBe(true);
  });
});
