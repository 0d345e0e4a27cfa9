import { Dispatcher } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReversalRequest } from '../../app/operations/reversals/reversal-row.ts';
import type { Operation } from '../../app/store/schema/operation.ts';
import type { OperationIntent } from '../../shared/machines/operation-intents.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
});

const only = (ref: string, intent?: OperationIntent) => shop.operation(ref, intent);
const stateOf = (ref: string) => only(ref).state;

const earn = (ref: string, points = 10) => shop.saved(ref, { points });

const request = (part: Partial<ReversalRequest> = {}): ReversalRequest => ({
  origin: 'till',
  operationId: shop.newId(),
  reversalRef: null,
  reason: null,
  idempotencyKey: null,
  ...part,
});
const undo = (operation: Operation) => shop.core.reverse(operation.rowId, request());

describe('taking back an earn', () => {
  test('that was never sent: it is cancelled here, and the service never hears of it', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    const operation = await earn('R-1');
    expect(await undo(operation)).toMatchObject({
      kind: 'cancelled',
      original: { state: 'cancelled' },
      duplicate: false,
    });
    expect(await undo(operation)).toMatchObject({ kind: 'cancelled', duplicate: true });
    await shop.mend();
    await shop.pass(60_000);
    expect(await shop.held('R-1')).toEqual([]);
  });

  test('that was never sent does not read as a line that is down to who has its reversal passed on', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await undo(await earn('R-1'));
    await shop.mend();
    await shop.pass(60_000);
    const body = { external_ref: 'R-1', intent: 'earn', reversal_ref: 'reverse-earn-R-1' };
    const passedOn = { intent: 'reverse', path: '/transactions/reverse', body, origin: 'bridge' } as const;
    const write = shop.redemption(body.reversal_ref, {}, passedOn);
    expect(await shop.passUntil(shop.core.perform(write, { waitMs: 0 }))).toMatchObject({ kind: 'unknown' });
  });

  test('that is applied: the reversal is sent, and when it is applied the earn shows reversed', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    expect(stateOf('R-1')).toBe('applied');
    expect(await undo(operation)).toMatchObject({ kind: 'saved', duplicate: false, reversal: { intent: 'reverse' } });
    await shop.pass(10_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('that is accepted but not applied: the reversal waits for it', async () => {
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 30_000 });
    const operation = await earn('R-1');
    await shop.pass(2_000);
    expect(stateOf('R-1')).toBe('accepted');
    await undo(operation);
    await shop.pass(10_000);
    expect(shop.core.reversalOf(operation.rowId)?.state).toBe('queued');
    await shop.pass(240_000, 1_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('whose answer was lost: it is found, applied, and then taken back', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_response' }, 1);
    const operation = await earn('R-1');
    await shop.pass(500);
    await undo(operation);
    await shop.pass(60_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('that the service then refuses: the reversal is dropped as needless, and nobody has to decide', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    const operation = await earn('R-1');
    await shop.pass(200);
    expect(await undo(operation)).toMatchObject({ kind: 'saved' });
    await shop.call('POST', '/_sandbox/cards/card_01JDEM00000000000000000001/suspend');
    await shop.pass(60_000);
    expect(stateOf('R-1')).toBe('cancelled');
    expect(only('reverse-earn-R-1', 'reverse').state).toBe('cancelled');
    expect(shop.core.status().operations).toMatchObject({ queued: 0, refused: 0 });
  });

  test('while the line is down: the reversal waits in the outbox', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    expect(await undo(operation)).toMatchObject({ kind: 'saved' });
    shop.crash();
    shop.start();
    await shop.mend();
    await shop.pass(60_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('under a reference whose reversal was cancelled while it waited: it is sent under that reference after all', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    const ask = () => shop.core.reverse(operation.rowId, request({ origin: 'bridge', reversalRef: 'V-1' }));
    expect(await ask()).toMatchObject({ kind: 'saved' });
    expect(await shop.core.cancel(only('V-1', 'reverse').operationId)).toMatchObject({ kind: 'cancelled' });
    expect(await ask()).toMatchObject({ kind: 'saved', reversal: { externalRef: 'V-1' } });
    await shop.mend();
    await shop.pass(60_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('leaves the reversal’s reference free when the service never took the earn: it takes back another one', async () => {
    await shop.fault('/transactions/earn', { type: 'drop_request' }, 1);
    const refused = await earn('R-1');
    await shop.pass(200);
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    const ask = ({ rowId }: Operation) => shop.core.reverse(rowId, request({ origin: 'bridge', reversalRef: 'V-1' }));
    expect(await ask(refused)).toMatchObject({ kind: 'saved' });
    await shop.pass(30_000);
    expect([stateOf('R-1'), only('V-1', 'reverse').state]).toEqual(['cancelled', 'cancelled']);
    const other = await earn('R-2');
    await shop.pass(5_000);
    expect(await ask(other)).toMatchObject({ kind: 'saved', duplicate: false });
    await shop.pass(30_000);
    expect(stateOf('R-2')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test('pressed twice, from the screen and by a POS program together, is one reversal', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    const both = await Promise.all([
      undo(operation),
      shop.core.reverse(operation.rowId, request({ origin: 'bridge' })),
    ]);
    expect(both.map((outcome) => (outcome.kind === 'saved' ? outcome.duplicate : outcome.kind))).toEqual([false, true]);
    await shop.pass(20_000);
    expect((await shop.held('reverse-earn-R-1')).length).toBe(1);
    expect(await undo(operation)).toMatchObject({ kind: 'saved', duplicate: true });
  });

  test('that somebody else has taken back at the service: it shows reversed, and nothing waits', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    await shop.call('POST', '/v1/transactions/reverse', { external_ref: 'R-1', intent: 'earn' });
    await undo(operation);
    await shop.pass(20_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(shop.core.status().operations).toMatchObject({ queued: 0, refused: 0, unknown: 0 });
    expect(await shop.points()).toBe(245.5);
  });

  test('once the service has recorded the reversal as failed, the next one has a reference of its own', async () => {
    const operation = await earn('R-1');
    await shop.pass(5_000);
    await undo(operation);
    await shop.pass(100, 50);
    const reversal = shop.core.reversalOf(operation.rowId);
    await shop.call('POST', `/_sandbox/transactions/${reversal?.serviceTransactionId}/fail`, { code: 'INTERNAL' });
    await shop.pass(20_000);
    expect(only('reverse-earn-R-1', 'reverse').state).toBe('failed');
    await undo(operation);
    await shop.pass(20_000);
    expect(stateOf('R-1')).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });
});

describe('taking back a redemption', () => {
  const redeem = (ref: string, value: object) => shop.core.perform(shop.redemption(ref, value), { waitMs: 0 });

  test('that is applied is for somebody who waits, and is one reversal', async () => {
    await redeem('R-1', { points: 40 });
    const operation = only('R-1', 'redeem');
    const outcome = await undo(operation);
    if (outcome.kind !== 'immediate') throw new Error(outcome.kind);
    expect(await shop.core.perform(outcome.write, { waitMs: 0 })).toMatchObject({ kind: 'done' });
    await shop.pass(10_000);
    expect(only('R-1', 'redeem').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
    expect(await undo(operation)).toMatchObject({ kind: 'saved', duplicate: true });
  });

  test('of a claimed reward says why not', async () => {
    await redeem('R-1', { reward: true, reward_id: 'rwd_cake' });
    expect(await undo(only('R-1', 'redeem'))).toMatchObject({ kind: 'irreversible', why: 'one_shot' });
  });

  test('asked for eight times at once under eight references: one is sent, and the others hear that it is taken back', async () => {
    await redeem('R-1', { points: 40 });
    const operation = only('R-1', 'redeem');
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const decided = await shop.core.reverse(operation.rowId, request({ reversalRef: `V-${index}` }));
        if (decided.kind !== 'immediate') throw new Error(decided.kind);
        return shop.core.perform(decided.write, { waitMs: 0 });
      }),
    );
    expect(outcomes[0]).toMatchObject({ kind: 'done', operation: { externalRef: 'V-0' } });
    const already = { kind: 'refused', refusal: { httpStatus: 409, error: { code: 'ALREADY_REVERSED' } } };
    for (const outcome of outcomes.slice(1)) expect(outcome).toMatchObject(already);
    await shop.pass(5000);
    expect(await shop.held('R-1')).toMatchObject([{ intent: 'redeem', status: 'reversed' }]);
    expect(shop.core.operationsByReference('V-1')).toEqual([]);
  });

  test('that was refused is told so, and its record keeps its error', async () => {
    await redeem('R-1', { points: 9999 });
    expect(await undo(only('R-1', 'redeem'))).toMatchObject({ kind: 'irreversible', why: 'cancelled' });
    expect(only('R-1', 'redeem').error?.code).toBe('INSUFFICIENT_BALANCE');
  });
});

describe('taking back a redemption whose reversal got no answer', () => {
  test('is found out for whoever asks again, and sent again for them', async () => {
    await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 10 }), { waitMs: 0 }));
    const redemption = only('R-1', 'redeem');
    await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
    const press = async (waitMs: number) => {
      const outcome = await undo(redemption);
      if (outcome.kind !== 'immediate') throw new Error(outcome.kind);
      return shop.passUntil(shop.core.perform(outcome.write, { waitMs }));
    };
    expect(await press(0)).toMatchObject({ kind: 'unknown' });
    // From another place, with an id of its own: it is the same reversal.
    expect(await press(120_000)).toMatchObject({ kind: 'done' });
    await shop.pass(5_000);
    expect(only('R-1', 'redeem').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });

  test.each([
    ['that is found out for them: it is taken back', 0, 'refused', 'reversed'],
    ['that stays unknown: so is theirs, and what never arrived leaves it open to the next', 9, 'unknown', 'applied'],
  ])('is not promised to who asks under another reference, but %s', async (_, lostMore, kind, ends) => {
    await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 10 }), { waitMs: 0 }));
    const redemption = only('R-1', 'redeem');
    await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1 + lostMore);
    const ask = async (reversalRef: string) => {
      const decided = await shop.core.reverse(redemption.rowId, request({ origin: 'bridge', reversalRef }));
      if (decided.kind !== 'immediate') return decided;
      return shop.passUntil(shop.core.perform(decided.write, { waitMs: 0 }));
    };
    expect(await ask('V-1')).toMatchObject({ kind: 'unknown' });
    expect(await ask('V-2')).toMatchObject({ kind, operation: { externalRef: 'V-1' } });
    await shop.pass(400_000);
    expect(only('R-1', 'redeem').state).toBe(ends);
    await shop.mend();
    expect(await ask('V-3')).toMatchObject(ends === 'applied' ? { kind: 'done' } : { kind: 'already' });
    await shop.pass(5_000);
    expect(only('R-1', 'redeem').state).toBe('reversed');
    expect(await shop.points()).toBe(245.5);
  });
});

test.each([
  ['it replays the answer', 'applied'],
  ['it says that it was taken back', 'cancelled'],
])('a reversal that the service files under another reference is found all the same: %s', async (_, ends) => {
  // The specification does not say which reference a reversal is read by.
  shop = await openShop((line) => new HidesReversals(line));
  const spent = await shop.passUntil(shop.core.perform(shop.redemption('R-1', { points: 40 }), { waitMs: 0 }));
  expect(spent.kind).toBe('done');
  await shop.fault('/transactions/reverse', { type: 'drop_response' }, 1);
  const asked = await undo(only('R-1', 'redeem'));
  if (asked.kind !== 'immediate') throw new Error(asked.kind);
  expect((await shop.passUntil(shop.core.perform(asked.write, { waitMs: 0 }))).kind).toBe('unknown');
  if (ends === 'cancelled') {
    await shop.fault('/transactions/reverse', { type: 'error', status: 409, code: 'ALREADY_REVERSED' });
  }
  await shop.pass(120_000);
  expect(await shop.points()).toBe(245.5);
  expect(only('R-1', 'redeem').state).toBe('reversed');
  expect(only('reverse-redeem-R-1', 'reverse').state).toBe(ends);
});

class HidesReversals extends Dispatcher {
  readonly #line: Dispatcher;

  constructor(line: Dispatcher) {
    super();
    this.#line = line;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const path = options.path.replace('external_ref=reverse-', 'external_ref=nobody-');
    return this.#line.dispatch({ ...options, path }, handler);
  }
}
