import { beforeEach, describe, expect, test } from 'vitest';
import type { ImmediateOutcome } from '../../app/operations/immediate/immediate-outcome.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const pointsAtFirst = 245.5;
const decider = { person: 'Huda', reason: 'asked by the customer' };
const only = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
const attention = () => shop.core.needingAttention({ limit: 10 });

/** A reversal as a POS program asks for it. @returns what was said to one for which somebody waited */
async function reverse(ref: string, intent: 'earn' | 'redeem', reversalRef: string): Promise<ImmediateOutcome | null> {
  const decided = await shop.core.reverse(only(ref, intent).rowId, {
    origin: 'bridge',
    operationId: shop.newId(),
    reversalRef,
    reason: null,
    idempotencyKey: null,
  });
  return decided.kind === 'immediate' ? shop.passUntil(shop.core.perform(decided.write, { waitMs: 0 })) : null;
}

/** Another till under the same key takes it back. @returns the service's id of its reversal */
async function reverseElsewhere(ref: string, intent: 'earn' | 'redeem'): Promise<string> {
  const body = { external_ref: ref, intent, reversal_ref: `elsewhere-${ref}` };
  return (await shop.call('POST', '/v1/transactions/reverse', body)).transaction_id;
}
const failThere = (id: string) => shop.call('POST', `/_sandbox/transactions/${id}/fail`, { code: 'INTERNAL' });

/** An earn and a redemption that are applied, on a service that applies late from now on. */
async function trade(): Promise<void> {
  await shop.saved('R-1');
  await shop.passUntil(shop.core.perform(shop.redemption('R-2', { points: 40 }), { waitMs: 0 }));
  await shop.pass(10_000);
  expect([only('R-1').state, only('R-2', 'redeem').state]).toEqual(['applied', 'applied']);
  await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 20_000 });
}

const sides = [
  ['earn', 'R-1'],
  ['redeem', 'R-2'],
] as const;

describe.each(sides)('the reversal of an applied %s that another till takes back at the same time', (intent, ref) => {
  test('goes out again when that other one has failed, until it is taken back', async () => {
    await trade();
    const theirs = await reverseElsewhere(ref, intent);
    await reverse(ref, intent, 'V-1');
    await shop.pass(7_000);
    await failThere(theirs);
    await shop.pass(20_000);
    expect(await shop.held(ref)).toMatchObject([{ status: 'success' }]);
    expect(only(ref, intent).state).toBe('applied');
    expect(only('V-1', 'reverse').state).toBe('unknown');
    await shop.pass(3 * minuteMs, 1_000);
    expect(await shop.held(ref)).toMatchObject([{ status: 'reversed' }]);
    expect([only(ref, intent).state, only('V-1', 'reverse').state]).toEqual(['reversed', 'applied']);
    expect(attention()).toEqual([]);
  });

  test('is settled when that other one is applied, and nobody has to decide', async () => {
    await trade();
    await reverseElsewhere(ref, intent);
    await reverse(ref, intent, 'V-1');
    await shop.pass(3 * minuteMs, 1_000);
    expect([only(ref, intent).state, only('V-1', 'reverse').state]).toEqual(['reversed', 'cancelled']);
    expect(shop.core.status().operations).toMatchObject({ refused: 0, found: 0, unknown: 0 });
  });

  test('is settled at once when that other one was applied before', async () => {
    await trade();
    await reverseElsewhere(ref, intent);
    await shop.pass(25_000);
    await reverse(ref, intent, 'V-1');
    await shop.pass(1_000);
    expect([only(ref, intent).state, only('V-1', 'reverse').state]).toEqual(['reversed', 'cancelled']);
  });
});

test('a reversal that is told "reversed already" while the books show one under its number on its way is sent again later, and the line is not blamed', async () => {
  await trade();
  const body = { external_ref: 'R-1', intent: 'earn', reversal_ref: 'V-1' };
  await shop.call('POST', '/v1/transactions/reverse', body);
  await shop.fault('/transactions/reverse', { type: 'error', status: 409, code: 'ALREADY_REVERSED' }, 1);
  const { since } = shop.core.status().connection;
  await reverse('R-1', 'earn', 'V-1');
  await shop.pass(3_000);
  expect(only('V-1', 'reverse')).toMatchObject({ state: 'unknown', attempts: 1 });
  expect(shop.core.status().connection).toMatchObject({ state: 'online', since });
  await shop.pass(minuteMs, 1_000);
  expect([only('R-1').state, only('V-1', 'reverse').state]).toEqual(['reversed', 'applied']);
  expect(await shop.points()).toBe(pointsAtFirst - 40);
});

describe.each(sides)('a reversal of an applied %s that is told "reversed already" though it stands', (intent, ref) => {
  const sayReversed = (times?: number) =>
    shop.fault('/transactions/reverse', { type: 'error', status: 409, code: 'ALREADY_REVERSED' }, times);

  test('once, is sent again and takes it back', async () => {
    await trade();
    await sayReversed(1);
    await reverse(ref, intent, 'V-1');
    await shop.pass(1_000);
    expect(only(ref, intent).state).toBe('applied');
    await shop.pass(3 * minuteMs, 1_000);
    expect(only(ref, intent).state).toBe('reversed');
    expect(await shop.points()).toBe(intent === 'earn' ? pointsAtFirst - 40 : pointsAtFirst + 10);
  });

  test('again and again, waits for a person at last, and goes out again when they say so', async () => {
    await trade();
    await sayReversed();
    await reverse(ref, intent, 'V-1');
    await shop.pass(2 * hourMs, 10_000);
    expect(only(ref, intent).state).toBe('applied');
    expect(attention()).toMatchObject([{ externalRef: 'V-1', state: 'refused', error: { code: 'ALREADY_REVERSED' } }]);
    await shop.mend();
    expect(await shop.core.resend(only('V-1', 'reverse').operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.pass(minuteMs, 1_000);
    expect(only(ref, intent).state).toBe('reversed');
    expect(attention()).toEqual([]);
  });

  test('while the line is cut behind it, is asked again when the books can be read', async () => {
    await trade();
    await sayReversed(1);
    await shop.fault('/transactions', { type: 'offline' });
    await reverse(ref, intent, 'V-1');
    await shop.pass(2_000);
    expect(only(ref, intent).state).toBe('applied');
    await shop.mend();
    await shop.pass(5 * minuteMs, 1_000);
    expect(only(ref, intent).state).toBe('reversed');
  });
});

describe('a reversal whose answer was lost, and whose original the service still shows as it was', () => {
  /** Until `end` is called. */
  function showOriginalsAsTheyWere(): { readonly end: () => void } {
    const { meddle } = shop;
    shop.meddle = async (call, carry) => {
      const outcome = await meddle(call, carry);
      if (call.method !== 'GET' || outcome.kind !== 'response') return outcome;
      const body = outcome.response.body.replaceAll('"status":"reversed"', '"status":"success"');
      return { ...outcome, response: { ...outcome.response, body } };
    };
    return {
      end: () => {
        shop.meddle = meddle;
      },
    };
  }

  test('is applied by the answer to the same request, where it waits in the queue', async () => {
    await trade();
    showOriginalsAsTheyWere();
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 100 });
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
    await reverse('R-1', 'earn', 'V-1');
    await shop.pass(minuteMs, 1_000);
    expect([only('R-1').state, only('V-1', 'reverse').state]).toEqual(['reversed', 'applied']);
    expect(await shop.points()).toBe(pointsAtFirst - 40);
  });

  test('is not told as never recorded, where nobody asks for it again', async () => {
    await trade();
    const hiding = showOriginalsAsTheyWere();
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 100 });
    await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
    expect(await reverse('R-2', 'redeem', 'V-1')).toMatchObject({ kind: 'unknown' });
    await shop.pass(5 * minuteMs, 1_000);
    expect(only('V-1', 'reverse').state).toBe('unknown');
    hiding.end();
    await shop.pass(6 * minuteMs, 1_000);
    expect([only('R-2', 'redeem').state, only('V-1', 'reverse').state]).toEqual(['reversed', 'applied']);
  });

  test('is refused where its number stands for the reversal of another sale of that card', async () => {
    await trade();
    const theirs = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-9', points: 10 };
    await shop.call('POST', '/v1/transactions/earn', theirs);
    await shop.pass(minuteMs, 1_000);
    const body = { external_ref: 'R-9', intent: 'earn', reversal_ref: 'V-1' };
    await shop.call('POST', '/v1/transactions/reverse', body);
    await shop.pass(minuteMs, 1_000);
    await reverse('R-1', 'earn', 'V-1');
    await shop.pass(5_000);
    const conflict = { state: 'refused', error: { code: 'DUPLICATE_TRANSACTION' } };
    expect(only('V-1', 'reverse')).toMatchObject(conflict);
    expect(only('R-1').state).toBe('applied');
  });
});

test('a reversal of a redemption whose answer was lost is not ended while the service still works on it', async () => {
  await trade();
  await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 10 * minuteMs });
  await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
  expect(await reverse('R-2', 'redeem', 'V-1')).toMatchObject({ kind: 'unknown' });
  await shop.pass(8 * minuteMs, 1_000);
  expect([only('R-2', 'redeem').state, only('V-1', 'reverse').state]).toEqual(['applied', 'unknown']);
  await shop.pass(12 * minuteMs, 1_000);
  expect([only('R-2', 'redeem').state, only('V-1', 'reverse').state]).toEqual(['reversed', 'applied']);
});

describe('a reversal of a redemption that was told as refused, and arrives late', () => {
  test('is shown as it stands, and a person is told', async () => {
    await trade();
    await shop.fault('/transactions/reverse', { type: 'error', status: 422, code: 'VALIDATION_ERROR' }, 1);
    expect(await reverse('R-2', 'redeem', 'V-1')).toMatchObject({ kind: 'refused' });
    const { rowId } = only('V-1', 'reverse');
    const sent = shop.core.sentRequest(rowId);
    await shop.call('POST', `/v1${sent?.path}`, JSON.parse(sent?.body ?? ''));
    await shop.pass(20 * minuteMs, 5_000);
    expect([only('R-2', 'redeem').state, only('V-1', 'reverse').state]).toEqual(['reversed', 'applied']);
    expect(attention()).toMatchObject([{ externalRef: 'V-1', found: 'stands' }]);
    expect(await shop.core.keep(only('V-1', 'reverse').operationId, decider)).toMatchObject({ kind: 'done' });
    expect(attention()).toEqual([]);
  });
});
