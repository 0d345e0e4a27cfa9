import { afterEach, describe, expect, it } from 'vitest';
import { businessCalendar } from '../../app/operations/requests/business-date.ts';
import { operationIdOf, transactionIdOf } from '../../app/store/rows/reference.ts';
import { Shop } from '../support/core-shop.ts';

describe('the business date', () => {
  it.each([
    ['Asia/Kuwait', '05:00', '2026-11-20T20:59:59.999Z', '2026-11-20'], // 23:59 in the shop
    ['Asia/Kuwait', '05:00', '2026-11-20T21:00:00Z', '2026-11-20'], // midnight
    ['Asia/Kuwait', '05:00', '2026-11-21T01:59:59.999Z', '2026-11-20'], // 04:59
    ['Asia/Kuwait', '05:00', '2026-11-21T02:00:00Z', '2026-11-21'], // 05:00
    ['Asia/Kuwait', '00:00', '2026-11-20T20:59:59.999Z', '2026-11-20'],
    ['Asia/Kuwait', '00:00', '2026-11-20T21:00:00Z', '2026-11-21'],
    ['Asia/Kuwait', '23:30', '2026-11-20T20:29:00Z', '2026-11-19'],
    ['Asia/Kuwait', '05:00', '2026-12-31T23:00:00Z', '2026-12-31'],
    ['Asia/Kuwait', '05:00', '2027-01-01T02:00:00Z', '2027-01-01'],
    ['Asia/Kuwait', '05:00', '2028-03-01T01:00:00Z', '2028-02-29'],
    ['UTC', '05:00', '2026-11-20T04:59:00Z', '2026-11-19'],
    // The night of 29 March 2026 has no 02:30 in Berlin; 04:59 and 05:00 still part the days.
    ['Europe/Berlin', '05:00', '2026-03-29T02:59:00Z', '2026-03-28'],
    ['Europe/Berlin', '05:00', '2026-03-29T03:00:00Z', '2026-03-29'],
    // The night of 25 October 2026 has 02:30 twice.
    ['Europe/Berlin', '02:30', '2026-10-25T00:29:00Z', '2026-10-24'],
    ['Europe/Berlin', '02:30', '2026-10-25T00:30:00Z', '2026-10-25'],
    ['Europe/Berlin', '05:00', '2026-10-25T03:59:00Z', '2026-10-24'],
    ['Europe/Berlin', '05:00', '2026-10-25T04:00:00Z', '2026-10-25'],
    ['America/New_York', '05:00', '2026-03-08T08:59:00Z', '2026-03-07'],
    ['America/New_York', '05:00', '2026-03-08T09:00:00Z', '2026-03-08'],
    ['Asia/Kathmandu', '05:00', '2026-11-20T23:14:59Z', '2026-11-20'],
    ['Asia/Kathmandu', '05:00', '2026-11-20T23:15:00Z', '2026-11-21'],
    // Samoa had no 30 December 2011.
    ['Pacific/Apia', '05:00', '2011-12-30T09:00:00Z', '2011-12-29'],
    ['Pacific/Apia', '05:00', '2011-12-30T16:00:00Z', '2011-12-31'],
  ])('in %s of days that start at %s, at %s, is %s', (timeZone, startsAt, instant, date) => {
    expect(businessCalendar({ timeZone, startsAt }).dateOf(Date.parse(instant))).toBe(date);
  });

  it('does not remember another minute’s date', () => {
    const calendar = businessCalendar({ timeZone: 'Asia/Kuwait', startsAt: '05:00' });
    const instants = ['2026-11-21T01:59:59Z', '2026-11-21T02:00:00Z', '2026-11-21T01:59:00Z', '2026-11-25T12:00:00Z'];
    expect(instants.map((instant) => calendar.dateOf(Date.parse(instant)))).toEqual([
      '2026-11-20',
      '2026-11-21',
      '2026-11-20',
      '2026-11-25',
    ]);
  });
});

describe('a made reference', () => {
  let shop: Shop;
  afterEach(() => shop.end());

  async function openOffline(startsAt = '2026-11-20T18:13:00.000Z', seed = 1): Promise<void> {
    shop = new Shop({ startsAt, seed, settings: { branch_ref: 'salmiya', device_ref: 'pos-2' } });
    await shop.service.start();
    await shop.service.stop();
    shop.start();
  }
  async function referenceOf(part: Parameters<Shop['newEarn']>[0] = {}): Promise<string> {
    const outcome = await shop.core.saveEarn(shop.newEarn({ origin: 'till', ...part }));
    if (outcome.kind !== 'saved') throw new Error(outcome.kind);
    return outcome.operation.externalRef;
  }

  it('has the branch, the device, the database’s epoch, the business date and a number of its own', async () => {
    await openOffline();
    const first = await referenceOf();
    const second = await referenceOf();
    const shape = /^salmiya-pos-2-([a-z0-9]{5})-20261120-(.+)$/;
    expect(first).toMatch(shape);
    expect(second).toMatch(shape);
    expect(shape.exec(first)?.[1]).toBe(shape.exec(second)?.[1]);
    expect(first).not.toBe(second);
  });

  it('has the receipt’s number when one was typed', async () => {
    await openOffline();
    expect(await referenceOf({ receiptNumber: '0042' })).toMatch(/-20261120-0042$/);
  });

  it('has the business date of the sale, not of the moment it was typed in', async () => {
    await openOffline('2026-11-21T10:00:00Z');
    const occurred_at = '2026-11-21T01:30:00Z';
    expect(await referenceOf({ receiptNumber: '1', request: { occurred_at } })).toMatch(/-20261120-1$/);
    expect(await referenceOf({ receiptNumber: '1' })).toMatch(/-20261121-1$/);
  });

  it('of a receipt number that starts again each morning is another one each morning', async () => {
    await openOffline('2026-11-20T18:00:00Z');
    const identifier = { loyalty_id: 'LC-1' };
    const evening = await referenceOf({ receiptNumber: '1', request: { identifier } });
    shop.clock.advance(12 * 3_600_000);
    const morning = await referenceOf({ receiptNumber: '1', request: { identifier } });
    expect(morning).not.toBe(evening);
  });

  it('is told as taken when the same receipt is typed for another amount on the same day', async () => {
    await openOffline();
    await referenceOf({ receiptNumber: '7', request: { identifier: { loyalty_id: 'LC-1' } } });
    const again = shop.newEarn({
      receiptNumber: '7',
      request: { identifier: { loyalty_id: 'LC-1' }, amount_minor: 1 },
    });
    expect(await shop.core.saveEarn(again)).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['amount_minor'],
    });
  });

  it('without a receipt is never the one of a typed receipt, whichever comes first', async () => {
    await openOffline();
    const request = { identifier: { loyalty_id: 'LC-1' }, amount_minor: 500 };
    const made = await referenceOf({ request });
    const last = made.slice(made.lastIndexOf('-') + 1);
    // A receipt whose number is that of the row before: another sale, by the same customer.
    const outcome = await shop.core.saveEarn(
      shop.newEarn({ receiptNumber: String(Number.parseInt(last.replace(/\D/g, ''), 10)), request }),
    );
    expect(outcome).toMatchObject({ kind: 'saved', duplicate: false });
    for (let number = 1; number < 12; number += 1) {
      expect(await shop.core.saveEarn(shop.newEarn({ receiptNumber: `1${number}`, request }))).toMatchObject({
        duplicate: false,
      });
      expect(await shop.core.saveEarn(shop.newEarn({ request }))).toMatchObject({ duplicate: false });
    }
  });

  it('is never made twice, over restarts and crashes and failed saves', async () => {
    await openOffline();
    const seen = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      for (let index = 0; index < 5; index += 1) seen.add(await referenceOf());
      await shop.saveEarn('OWN', { amount_minor: round + 1 });
      if (round % 2 === 0) shop.crash();
      else await shop.stop();
      shop.start();
    }
    expect(seen.size).toBe(30);
  });

  it('is another one in a copy of the database, that has the same sequence', async () => {
    await openOffline();
    await referenceOf();
    const original = shop.core;
    shop.crash();
    shop.start({ seed: 2 });
    const inCopy = await referenceOf();
    expect(original).not.toBe(shop.core);
    const epochs = shop.inspect((database) =>
      database.prepare(`SELECT DISTINCT substr(external_ref, 15, 5) AS epoch FROM operations`).all(),
    );
    expect(epochs).toHaveLength(2);
    expect(inCopy).toMatch(/^salmiya-pos-2-/);
  });
});

describe('the agent’s own id', () => {
  it('leads back to the operation', () => {
    const operationId = '0192f0c1-2b3c-7d4e-8f5a-6b7c8d9e0f1a';
    expect(transactionIdOf(operationId)).toBe('txn_local_0192f0c12b3c7d4e8f5a6b7c8d9e0f1a');
    expect(operationIdOf(transactionIdOf(operationId))).toBe(operationId);
  });

  it.each(['txn_000001', 'txn_local_', 'txn_local_zz', 'txn_local_0192f0c12b3c7d4e8f5a6b7c8d9e0f1', ''])(
    'is not seen in %j',
    (id) => {
      expect(operationIdOf(id)).toBeNull();
    },
  );
});
