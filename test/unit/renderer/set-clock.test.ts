import { beforeEach, describe, expect, it } from 'vitest';
import { waysWith } from '../../../renderer/operation/standing.ts';
import { createRecent } from '../../../renderer/recent/recent.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SaleCounter } from '../../support/sale-counter.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

// Somebody sets the till's clock, mostly back by an hour: what happens now has an earlier time than what was before.
const before = '2026-11-20T15:13:00.000Z';
const after = '2026-11-20T14:14:00.000Z';

describe('Recent, after the till’s clock was set back', () => {
  const saved = operationOf({ version: 1, state: 'queued', undo: 'cancel', saved_at: before, updated_at: before });
  const sent: OperationView = { ...saved, version: 3, state: 'applied', undo: 'reverse', updated_at: after };
  let api: AskedApi;
  let recent: ReturnType<typeof createRecent>;
  let clock: ManualClock;

  beforeEach(() => {
    api = new AskedApi();
    clock = new ManualClock();
    recent = createRecent({ api, clock, newId: () => 'press-1', nowMs: () => Date.parse(after) }, () => undefined);
    recent.take(saved);
  });

  it('takes the news of a sale that was saved before', () => {
    expect(recent.take(sent)).toMatchObject({ state: 'applied', undo: 'reverse' });
    expect(recent.operations.value).toMatchObject([{ state: 'applied', undo: 'reverse' }]);
  });

  it('takes it from the list that is read again, and no news that was overtaken', async () => {
    void recent.read();
    await api.newest('operations.recent').answer({ operations: [sent] });
    expect(recent.operations.value).toMatchObject([{ state: 'applied' }]);
    recent.take({ ...saved, version: 2, state: 'sending' });
    expect(recent.operations.value).toMatchObject([{ state: 'applied' }]);
  });

  it('has what is sold now above what was sold before, and forgets the oldest', () => {
    const sale = (row_id: number, saved_at: string) =>
      operationOf({ external_ref: `S-${row_id}`, row_id, saved_at, updated_at: saved_at });
    for (let row = 2; row <= 25; row += 1) recent.take(sale(row, before));
    recent.take(sale(26, after));
    expect(recent.operations.value?.map(({ row_id }) => row_id).slice(0, 2)).toEqual([26, 25]);
    expect(recent.find('op-S-26')).not.toBeNull();
  });

  it('still minds a redemption of before for ten minutes, and lets it go then', async () => {
    const spent = operationOf({ operation_id: 'spent', intent: 'redeem', state: 'applied', saved_at: before });
    recent.take(spent);
    const ids = () => recent.spends().map(({ operation_id }) => operation_id);
    clock.advance(10 * 60_000);
    expect(ids()).toEqual(['spent']);
    clock.advance(1);
    expect(ids()).toEqual([]);
    for (let row_id = 2; row_id <= 25; row_id += 1) {
      recent.take(operationOf({ external_ref: `S-${row_id}`, row_id, saved_at: after, updated_at: after }));
    }
    expect(recent.find('spent')).toBeNull();
  });
});

it('a redemption under a number that was refused before is minded from its own time', () => {
  const clock = new ManualClock();
  const nowMs = () => Date.parse(before) + clock.monotonicMs();
  const recent = createRecent({ api: new AskedApi(), clock, newId: () => 'press-1', nowMs }, () => undefined);
  const refused = operationOf({ version: 3, intent: 'redeem', state: 'cancelled', saved_at: before });
  recent.take(refused);
  clock.advance(15 * 60_000);
  const done: OperationView = { ...refused, version: 6, state: 'applied', saved_at: new Date(nowMs()).toISOString() };
  recent.take(done);
  // An answer that it has overtaken.
  recent.take(refused);
  clock.advance(9 * 60_000);
  expect(recent.spends()).toEqual([done]);
  clock.advance(2 * 60_000);
  expect(recent.spends()).toEqual([]);
});

it.each([
  ['back', -3_600_000],
  ['ahead', 3_600_000],
])(
  'a redemption that is checked is still told of beside the next customer when the clock was set %s',
  async (_, byMs) => {
    const counter = new SaleCounter();
    const { sale } = counter;
    await counter.inFront('LC-1001');
    sale.open('redeem_points');
    counter.press('13');
    sale.confirm();
    counter.told = operationOf({ operation_id: 'spent', intent: 'redeem', state: 'unknown' });
    counter.clock.advance(1_500);
    sale.goBack();
    counter.pass(byMs);
    await counter.inFront('LC-1002');
    expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { state: 'unknown' } });
  },
);

it('the outcome in front takes the news of its redemption, and its end sounds', async () => {
  const counter = new SaleCounter();
  const { sale } = counter;
  await counter.inFront('LC-1001');
  sale.open('redeem_points');
  counter.press('13');
  sale.confirm();
  const redemption = operationOf({ operation_id: 'spent', intent: 'redeem', saved_at: before, updated_at: before });
  counter.told = { ...redemption, version: 3, state: 'unknown' };
  counter.clock.advance(1_500);
  expect(sale.outcome.value?.operation.state).toBe('unknown');
  sale.takeOperation({ ...redemption, version: 4, state: 'refused', updated_at: after }, null);
  expect([sale.outcome.value?.operation.state, counter.failures]).toEqual(['refused', 1]);
  sale.takeOperation({ ...redemption, version: 3, state: 'unknown' }, null);
  expect(sale.outcome.value?.operation.state).toBe('refused');
});

it('the line of a redemption that was put away takes its end', async () => {
  const counter = new SaleCounter();
  const { sale } = counter;
  await counter.inFront('LC-1001');
  sale.open('redeem_points');
  counter.press('13');
  sale.confirm();
  const redemption = operationOf({ operation_id: 'spent', intent: 'redeem', saved_at: before, updated_at: before });
  counter.told = { ...redemption, version: 3, state: 'unknown' };
  counter.clock.advance(1_500);
  sale.chooseCard('card_second');
  sale.takeOperation({ ...redemption, version: 4, state: 'refused', updated_at: after }, null);
  expect(sale.passed.value).toMatchObject({ kind: 'done', operation: { state: 'refused' } });
});

describe('the ways out of a redemption that is checked', () => {
  const redemption = operationOf({ intent: 'redeem', state: 'unknown', saved_at: before });
  const savedAtMs = Date.parse(before);

  it.each([
    ['are not offered in its first seconds', 14_000, 'wait'],
    ['are offered after 15 seconds', 15_000, 'decide'],
    ['are not offered where the page’s time is some seconds behind the agent’s', -2_000, 'wait'],
    ['are offered when it was saved in what is the future now', -3_600_000, 'decide'],
  ] as const)('%s', (_, passedMs, ways) => {
    expect(waysWith(redemption, savedAtMs + passedMs)).toBe(ways);
  });
});
