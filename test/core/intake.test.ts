import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HourCounter } from '../../app/store/tables/hour-counts.ts';
import { Shop } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  // The line is cut: what is saved stays queued.
  shop = new Shop();
  await shop.service.start();
  await shop.service.stop();
  shop.start();
});
afterEach(() => shop.end());

const rowCount = () =>
  shop.inspect((database) => (database.prepare('SELECT count(*) AS n FROM operations').get() as { n: number }).n);

describe('the same reference again', () => {
  it('with the same customer and values is the first row, as a duplicate', async () => {
    const first = await shop.saved('R-1', { identifier: { loyalty_id: 'LC-1' } });
    const again = await shop.saveEarn('R-1', {
      identifier: { loyalty_id: 'LC-1' },
      // None of these makes it another sale.
      branch_ref: 'elsewhere',
      employee_ref: 'e-9',
      occurred_at: '2026-11-20T21:17:59+03:00',
      metadata: { another: true },
      currency: 'KWD',
    });
    expect(again).toEqual({ kind: 'saved', duplicate: true, operation: first });
    expect(rowCount()).toBe(1);
  });

  it.each([
    ['identifier', { identifier: { loyalty_id: 'LC-2' } }],
    ['identifier', { identifier: { external_id: 'LC-1' } }],
    ['card_id', { card_id: 'card_2' }],
    ['amount_minor', { amount_minor: 12_501 }],
    ['currency', { currency: 'USD' }],
    ['points', { points: 1.5 }],
    ['stamps', { stamps: 1 }],
    ['visits', { visits: 1 }],
  ])('with another %s is told, and nothing is saved', async (field, other) => {
    const first = await shop.saved('R-1', { identifier: { loyalty_id: 'LC-1' } });
    const again = await shop.saveEarn('R-1', { identifier: { loyalty_id: 'LC-1' }, ...other });
    expect(again).toMatchObject({ kind: 'reference_taken', operation: first, differingFields: [field] });
    expect(rowCount()).toBe(1);
    expect(shop.operation('R-1')).toEqual(first);
  });

  it('names every field that differs', async () => {
    await shop.saved('R-1');
    expect(await shop.saveEarn('R-1', { amount_minor: 1, stamps: 2, currency: 'USD' })).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['identifier', 'amount_minor', 'currency', 'stamps'],
    });
  });

  it('fifty times at once is one row', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => shop.saveEarn('R-1', { identifier: { loyalty_id: 'LC-1' } })),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'saved' && !outcome.duplicate)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.kind === 'saved' && outcome.duplicate)).toHaveLength(49);
    expect(new Set(outcomes.map((outcome) => outcome.kind === 'saved' && outcome.operation.operationId)).size).toBe(1);
    expect(rowCount()).toBe(1);
  });

  it('fifty times at once with fifty amounts is one row, and forty-nine refusals that name the amount', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        shop.saveEarn('R-1', { identifier: { loyalty_id: 'LC-1' }, amount_minor: index + 1 }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'saved')).toHaveLength(1);
    const refused = outcomes.filter((outcome) => outcome.kind === 'reference_taken');
    expect(refused).toHaveLength(49);
    for (const { differingFields } of refused) expect(differingFields).toEqual(['amount_minor']);
    expect(rowCount()).toBe(1);
  });

  it('is answered also when the queue is full: the sale is taken already', async () => {
    await shop.stop();
    shop.start({ settings: { limits: { max_queue: 1 } } });
    await shop.saved('R-1', { identifier: { loyalty_id: 'LC-1' } });
    await shop.until(() => shop.core.status().operations.queued === 1);
    expect(await shop.saveEarn('R-1', { identifier: { loyalty_id: 'LC-1' } })).toMatchObject({
      kind: 'saved',
      duplicate: true,
    });
    expect(await shop.saveEarn('R-1', { amount_minor: 3 })).toMatchObject({ kind: 'reference_taken' });
  });

  it('is still known after a restart', async () => {
    const first = await shop.saved('R-1', { identifier: { phone: '+96550001234' } });
    await shop.stop();
    shop.start();
    expect(await shop.saveEarn('R-1', { identifier: { phone: '+96550001234' } })).toMatchObject({
      kind: 'saved',
      duplicate: true,
      operation: { operationId: first.operationId },
    });
  });
});

describe('the same press again', () => {
  it('is one operation, though each would have made a reference of its own', async () => {
    const earn = shop.newEarn({ origin: 'till' });
    const outcomes = await Promise.all([shop.core.saveEarn(earn), shop.core.saveEarn(earn), shop.core.saveEarn(earn)]);
    expect(outcomes.map((outcome) => outcome.kind === 'saved' && outcome.duplicate)).toEqual([false, true, true]);
    const later = await shop.core.saveEarn(earn);
    expect(later).toMatchObject({ kind: 'saved', duplicate: true });
    expect(rowCount()).toBe(1);
  });

  it('with another amount is told, and the first stands', async () => {
    const earn = shop.newEarn({ origin: 'till' });
    await shop.core.saveEarn(earn);
    const changed = { ...earn, request: { ...earn.request, amount_minor: 99 } };
    expect(await shop.core.saveEarn(changed)).toMatchObject({
      kind: 'reference_taken',
      differingFields: ['amount_minor'],
      operation: { amountMinor: 12_500 },
    });
    expect(rowCount()).toBe(1);
  });
});

describe('limits', () => {
  it('that cannot be looked at have nothing saved, which is told; they are read again for the next sale', async () => {
    vi.spyOn(HourCounter.prototype, 'takenInHourBefore').mockImplementationOnce(() => {
      throw new Error('out of reach');
    });
    await shop.stop();
    shop.start();
    const earn = shop.newEarn();
    expect(await shop.core.saveEarn(earn)).toMatchObject({ kind: 'not_saved', message: 'out of reach' });
    expect(rowCount()).toBe(0);
    expect(await shop.core.saveEarn(earn)).toMatchObject({ kind: 'saved' });
  });

  it('an amount above the till’s limit is refused, the limit itself is not', async () => {
    await shop.stop();
    shop.start({ settings: { limits: { max_amount_minor: 5_000 } } });
    expect(await shop.saveEarn('R-1', { amount_minor: 5_001 })).toEqual({
      kind: 'above_limit',
      limit: { name: 'max_amount_minor', value: 5_000, field: 'amount_minor' },
    });
    expect(await shop.saveEarn('R-1', { amount_minor: 5_000 })).toMatchObject({ kind: 'saved' });
    expect(rowCount()).toBe(1);
  });

  it('a full queue refuses, and takes again when it has been worked off', async () => {
    await shop.stop();
    shop.start({ settings: { limits: { max_queue: 3 } } });
    for (let index = 0; index < 3; index += 1) await shop.saved(`R-${index}`);
    await shop.until(() => shop.core.status().operations.queued === 3);
    expect(await shop.saveEarn('R-3')).toEqual({ kind: 'queue_full', maxQueue: 3 });
    expect(rowCount()).toBe(3);
    await shop.service.start();
    await shop.passUntil(() => shop.core.status().operations.queued === 0);
    expect(await shop.saveEarn('R-3')).toMatchObject({ kind: 'saved' });
  });

  it('a burst does not overrun the queue', async () => {
    await shop.stop();
    shop.start({ settings: { limits: { max_queue: 10 } } });
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, index) => shop.saveEarn(`R-${index}`)));
    expect(outcomes.filter(({ kind }) => kind === 'saved')).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === 'queue_full')).toHaveLength(40);
    expect(rowCount()).toBe(10);
  });
});

describe('what is filled in', () => {
  it('is only what the caller left out', async () => {
    const request = {
      identifier: { phone: '+965 5000 1234' },
      external_ref: 'R-1',
      amount_minor: 7,
      currency: 'USD',
      branch_ref: 'b',
      device_ref: 'd',
      employee_ref: 'e',
      card_id: 'card_7',
      occurred_at: '2026-11-20T20:00:00.5+03:00',
      metadata: { a: [null, { b: 'ـ' }] },
    };
    await shop.core.saveEarn(shop.newEarn({ request }));
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(JSON.parse(shop.service.earnsOf('R-1')[0]?.body ?? '')).toEqual(request);
    expect(shop.operation('R-1').occurredAtMs).toBe(Date.parse('2026-11-20T17:00:00.500Z'));
  });

  it('comes from the settings and the clock', async () => {
    await shop.stop();
    shop.start({ settings: { branch_ref: 'salmiya', device_ref: 'pos-2', currency: 'BHD' } });
    await shop.saved('R-1', { identifier: { loyalty_id: 'LC-1' } });
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(JSON.parse(shop.service.earnsOf('R-1')[0]?.body ?? '')).toEqual({
      identifier: { loyalty_id: 'LC-1' },
      external_ref: 'R-1',
      amount_minor: 12_500,
      currency: 'BHD',
      branch_ref: 'salmiya',
      device_ref: 'pos-2',
      occurred_at: '2026-11-20T18:13:00.000Z',
    });
  });
});

describe('a repeat', () => {
  const earn = { identifier: { loyalty_id: 'LC-1' }, amount_minor: 500 };

  it('of the same customer and values within ten minutes is found, under any reference and from either door', async () => {
    const operation = await shop.saved('R-1', earn);
    expect(shop.core.findRepeat(earn)).toEqual(operation);
    expect(shop.core.findRepeat({ ...earn, external_ref: 'R-2', currency: 'KWD' })).toEqual(operation);
    shop.clock.advance(600_000);
    expect(shop.core.findRepeat(earn)).toEqual(operation);
    shop.clock.advance(1);
    expect(shop.core.findRepeat(earn)).toBeNull();
  });

  it.each([
    { identifier: { loyalty_id: 'LC-2' } },
    { identifier: { external_id: 'LC-1' } },
    { amount_minor: 501 },
    { currency: 'USD' },
    { stamps: 1 },
  ])('is not found for %o', async (other) => {
    await shop.saved('R-1', earn);
    expect(shop.core.findRepeat({ ...earn, ...other })).toBeNull();
  });

  it('is no reason to ask when the first came to nothing', async () => {
    const { operationId } = await shop.saved('R-1', earn);
    await shop.core.cancel(operationId);
    expect(shop.core.findRepeat(earn)).toBeNull();
    shop.service.script = ({ call }) => (call === 'earn' ? refusal(422, 'CARD_NOT_ELIGIBLE') : answer);
    await shop.saved('R-2', earn);
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-2') === 'refused');
    expect(shop.core.findRepeat(earn)).toBeNull();
  });
});

describe('taking back', () => {
  it('works for what is queued, twice is once, and it is never sent', async () => {
    const { operationId } = await shop.saved('R-1');
    expect(await shop.core.cancel(operationId)).toMatchObject({ kind: 'cancelled', operation: { state: 'cancelled' } });
    expect(await shop.core.cancel(operationId)).toMatchObject({ kind: 'cancelled' });
    expect(shop.core.history(shop.operation('R-1').rowId).map(({ to }) => to)).toEqual(['queued', 'cancelled']);
    await shop.service.start();
    await shop.pass(120_000, 5_000);
    expect(shop.service.earns).toEqual([]);
    expect(shop.service.recorded.size).toBe(0);
  });

  it('is not found for what never was', async () => {
    expect(await shop.core.cancel('00000000-0000-4000-8000-999999999999')).toEqual({ kind: 'not_found' });
  });

  it('is too late for what is on its way, lost or taken', async () => {
    shop.service.script = ({ call, externalRef }) =>
      call === 'earn' && externalRef === 'LOST' ? { kind: 'lose_answer' } : answer;
    const taken = await shop.saved('TAKEN');
    const lost = await shop.saved('LOST');
    await shop.service.start();
    await shop.passUntil(() => shop.state('TAKEN') === 'accepted' && shop.state('LOST') === 'unknown');
    for (const { operationId } of [taken, lost]) {
      expect(await shop.core.cancel(operationId)).toMatchObject({ kind: 'too_late' });
    }
    expect(shop.state('LOST')).toBe('unknown');
  });

  it('races with being marked, and one of the two wins: what was cancelled is never seen by the service', async () => {
    await shop.service.start();
    await shop.passUntil(() => shop.core.status().connection.state === 'online');
    // More than one window of rows: the later ones are marked while they are being taken back.
    const operations = await Promise.all(Array.from({ length: 200 }, (_, index) => shop.saved(`R-${index}`)));
    let cancelledCount = 0;
    for (const { operationId } of operations.filter((_, index) => index % 2 === 1).reverse()) {
      const outcome = await shop.core.cancel(operationId);
      if (outcome.kind === 'cancelled') cancelledCount += 1;
      else expect(outcome.kind).toBe('too_late');
    }
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    for (let round = 0; round < 200; round += 1) {
      expect(shop.service.recorded.has(`R-${round}`)).toBe(shop.state(`R-${round}`) !== 'cancelled');
    }
    expect(shop.service.recorded.size).toBe(200 - cancelledCount);
    expect(cancelledCount).toBeGreaterThan(5);
    expect(cancelledCount).toBeLessThan(95);
  });
});
