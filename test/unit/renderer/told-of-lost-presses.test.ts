import { beforeEach, describe, expect, it } from 'vitest';
import { openRenumber } from '../../../renderer/sale/entry/aims.ts';
import type { Sale } from '../../../renderer/sale/sale-parts.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import type { AskedApi } from '../../support/asked-api.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { customerNames, SaleCounter } from '../../support/sale-counter.ts';
import { operationOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// The page has lost the answer to a press. What is told of the next press is true: of what was saved, and of its value.
let counter: SaleCounter;
let sale: Sale;
let api: AskedApi;
let clock: ManualClock;

beforeEach(() => {
  counter = new SaleCounter();
  ({ sale, api, clock } = counter);
});

const told = () => [counter.successes, counter.failures, sale.outcome.value?.duplicate];
/** @returns the operation of the lost press as it stands now */
function nowStands(change: Partial<OperationView>): OperationView {
  const operationId = sale.entry.value?.operationId ?? '';
  counter.told = operationOf({ operation_id: operationId, currency: 'KWD', ...change });
  return counter.told;
}

describe('a sale whose answer was lost', () => {
  async function lose(): Promise<string | undefined> {
    await counter.inFront('LC-1002');
    sale.typeAmount('5');
    sale.confirm();
    await api.newest('operation.earn').refuse('agent_gone');
    clock.advance(400);
    counter.failures = 0;
    return sale.entry.value?.operationId;
  }
  const saved = { intent: 'earn', amount_minor: 5_000 } as const;
  function pressAgain(): void {
    sale.cancel();
    sale.open('earn_amount');
    expect(sale.entry.value?.text).toBe('5');
    sale.confirm();
  }
  const pressedIds = () => counter.earns().map((input) => input.operation_id);

  it.each([
    ['is told as saved before, without the sound of success, where another amount was entered since', '7', 0],
    ['sounds as saved where the same amount comes again', '5', 1],
  ])('%s', async (_, text, successes) => {
    await lose();
    const operation = nowStands(saved);
    sale.typeAmount(text);
    sale.confirm();
    await api.newest('operation.earn').answer({ operation, duplicate: true });
    expect(told()).toEqual([successes, 0, true]);
    clock.advance(6_000);
    expect(sale.outcome.value === null).toBe(successes === 1);
  });

  it.each(['cancelled', 'reversed'] as const)('is another sale after it was %s', async (state) => {
    const lostId = await lose();
    nowStands({ ...saved, state });
    pressAgain();
    expect(pressedIds()).toEqual([lostId, expect.not.stringMatching(lostId ?? '')]);
  });

  it('is another sale while its reversal is on its way', async () => {
    const lostId = await lose();
    nowStands({ ...saved, state: 'applied' });
    counter.isBeingUndone = true;
    pressAgain();
    expect(pressedIds()).toEqual([lostId, expect.not.stringMatching(lostId ?? '')]);
  });

  // A corrected sale may stand in the place of one that was written off.
  it.each(['queued', 'unknown', 'applied', 'refused', 'failed', 'written_off'] as const)(
    'stays the same one that is %s',
    async (state) => {
      const lostId = await lose();
      nowStands({ ...saved, state });
      pressAgain();
      expect(pressedIds()).toEqual([lostId, lostId]);
    },
  );

  it.each(['refused', 'cancelled', 'reversed'] as const)(
    'is no success where the agent says that it is %s',
    async (state) => {
      await lose();
      const operation = { ...nowStands(saved), state };
      pressAgain();
      await api.newest('operation.earn').answer({ operation, duplicate: true });
      expect(told()).toEqual([0, 1, true]);
      clock.advance(6_000);
      expect(sale.outcome.value?.operation.state).toBe(state);
    },
  );
});

describe('another number of a refused sale, whose answer was lost,', () => {
  const refused = operationOf({ intent: 'earn', state: 'refused', amount_minor: 5_000 });
  async function lose(): Promise<void> {
    await counter.inFront('LC-1001');
    sale.present(openRenumber('renumber-1', 'earn_amount', { refused, reason: 'Other number', card: null }));
    sale.typeReceipt('R-8');
    sale.confirm();
    await api.newest('attention.replace').refuse('agent_gone');
    counter.failures = 0;
    clock.advance(700);
  }
  const inItsPlace = (change: Partial<OperationView> = {}) =>
    operationOf({ ...refused, operation_id: 'b', external_ref: '2026-11-26-till1-R-8', state: 'queued', ...change });

  it.each([
    ['sounds as saved where the same number comes again', 'R-8', inItsPlace(), [1, 0]],
    ['is no success of a number that was typed since', 'R-9', inItsPlace(), [0, 0]],
    ['is no success where the sale under it is refused, too', 'R-8', inItsPlace({ state: 'refused' }), [0, 1]],
  ])('%s', async (_, number, operation, expected) => {
    await lose();
    sale.typeReceipt(number);
    sale.confirm();
    counter.scan('LC-1002');
    await api.newest('attention.replace').answer({ operation });
    expect([counter.successes, counter.failures]).toEqual(expected);
    expect(sale.waitingScan.value).toBe(expected[0] === 1 ? null : 'LC-1002');
  });
});

describe('a hold whose answer was lost', () => {
  async function pressAgainWith(points: string): Promise<OperationView> {
    await counter.inFront('LC-1001');
    sale.open('redeem_points', { kind: 'hold', minutes: 15 });
    sale.typeAmount('2');
    sale.confirm();
    await api.newest('hold.reserve').refuse('agent_gone');
    const operation = nowStands({ intent: 'reserve', state: 'unknown', amount_minor: null, currency: null, points: 2 });
    counter.failures = 0;
    sale.typeAmount(points);
    sale.confirm();
    return operation;
  }
  const done = (operation: OperationView) => ({ operation: { ...operation, state: 'applied' }, holds: [] });

  it.each([
    ['is no success of another value, even when it is done only now', '3', [0, 0, true], null],
    ['is a success where the same value comes again', '2', [1, 0, false], 6_000],
  ])('%s', async (_, points, expected, clearsAfterMs) => {
    const operation = await pressAgainWith(points);
    await api.newest('hold.reserve').answer({ ...done(operation), duplicate: false });
    expect(told()).toEqual(expected);
    expect(sale.outcome.value?.clearsAfterMs).toBe(clearsAfterMs);
  });

  it('is no success of another value when its end comes while it is checked', async () => {
    const operation = await pressAgainWith('3');
    counter.scan('LC-1002');
    clock.advance(1_500);
    expect([sale.outcome.value?.operation.state, sale.waitingScan.value]).toEqual(['unknown', 'LC-1002']);
    sale.takeOperation({ ...operation, version: 2, state: 'applied' }, operation);
    expect([...told(), sale.waitingScan.value]).toEqual([0, 0, true, 'LC-1002']);
  });
});

describe('a redemption whose answer was lost', () => {
  async function lose(): Promise<string | undefined> {
    await counter.inFront('LC-1001');
    sale.open('redeem_points');
    counter.press('35');
    sale.confirm();
    await api.newest('operation.redeem').refuse('agent_gone');
    clock.advance(400);
    counter.failures = 0;
    return sale.entry.value?.operationId;
  }
  const spent = { intent: 'redeem', amount_minor: null, currency: null, points: 35 } as const;

  it.each([
    ['is no success of another value, even when it is done only now', '50', [0, 0, true]],
    ['is a success where the same value comes again', '35', [1, 0, false]],
  ])('%s', async (_, points, expected) => {
    await lose();
    const operation = nowStands({ ...spent, state: 'unknown' });
    sale.typeAmount(points);
    sale.confirm();
    await api.newest('operation.redeem').answer({ operation: { ...operation, state: 'applied' }, duplicate: false });
    expect(told()).toEqual(expected);
  });

  it.each([
    ['50', 0],
    ['35', 1],
  ])('that is checked and then done counts %s as pressed with %i sounds of success', async (points, successes) => {
    await lose();
    const operation = nowStands({ ...spent, state: 'unknown' });
    sale.typeAmount(points);
    sale.confirm();
    clock.advance(1_500);
    sale.takeOperation({ ...operation, version: 2, state: 'applied' }, operation);
    expect([counter.successes, sale.outcome.value?.clearsAfterMs]).toEqual([successes, successes === 1 ? 6_000 : null]);
  });

  it.each(['refused', 'reversed'] as const)('is another one after it was %s', async (state) => {
    const lostId = await lose();
    nowStands({ ...spent, state });
    sale.confirm();
    expect(api.newest('operation.redeem').input.operation_id).not.toBe(lostId);
  });
});

describe('an amount of a program whose answer was lost', () => {
  const handedOver = (id: string) =>
    tillStateOf({ handed_over: { id, amount_minor: 12_500, currency: 'KWD', receipt_number: 'R-77' } });

  it('is filled in again when the agent says that it saved nothing, and the program hands it over again', async () => {
    counter.till.value = handedOver('first');
    await counter.inFront('LC-1002');
    expect(sale.entry.value?.filled?.id).toBe('first');
    sale.confirm();
    await api.newest('operation.earn').refuse('agent_gone');
    sale.confirm();
    await api.newest('operation.earn').refuse('not_now', { field: 'handed_over_id' });
    counter.till.value = handedOver('second');
    clock.advance(400);
    sale.cancel();
    sale.open('earn_amount');
    expect(sale.entry.value).toMatchObject({ filled: { id: 'second' }, text: '12.500', receipt: 'R-77' });
  });
});

describe('a sale by a card’s number whose answer was lost', () => {
  it('stays the same one when another sale by that number is done', async () => {
    counter.scan('LC-1003');
    await api.newest('customer.find').refuse('not_now');
    sale.openByCardNumber('earn_amount');
    counter.press('5');
    sale.confirm();
    const lostId = sale.entry.value?.operationId;
    await api.newest('operation.earn').refuse('agent_gone');
    clock.advance(400);
    sale.cancel();
    sale.openByCardNumber('earn_stamp');
    sale.confirm();
    await counter.saved(customerNames['LC-1003']);
    sale.closeOutcome();
    sale.openByCardNumber('earn_amount');
    counter.press('7');
    sale.confirm();
    expect(counter.earns().at(-1)).toMatchObject({ operation_id: lostId, amount_minor: 7_000 });
  });
});
