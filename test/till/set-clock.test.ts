import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Till } from '../../app/till/till.ts';
import { type TillCommandName, tillCommands } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

// The till's clock is set, or wrong, while the page is open.
let shop: CounterShop;
let till: Till;
let told: OperationView[];
const faults: unknown[] = [];
const minuteMs = 60_000;
beforeEach(async () => {
  shop = await openShop();
  till = tillOf({ core: shop.core, clock: shop.clock, onFault: (error) => faults.push(error) });
  told = [];
  till.onEvent((event) => {
    if (event.type === 'operation') told.push(event.operation);
  });
});
afterEach(() => {
  expect(faults).toEqual([]);
  till.close();
});

async function ask(command: TillCommandName, input: object = {}): Promise<unknown> {
  const reply = await shop.passUntil(till.handle({ command, input }));
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return tillCommands[command].answer.parse(reply.value);
}
const customer = { identifier: { loyalty_id: 'LC-1001' }, customer_name: 'Fatima' };

test('each change of a sale and a redemption has a higher version, though the clock was set back in between', async () => {
  await shop.fault('/*', { type: 'offline' });
  await shop.pass(minuteMs, 1_000);
  const sale = { operation_id: shop.newId(), ...customer, points: 10 };
  expect(await ask('operation.earn', sale)).toMatchObject({ operation: { state: 'queued', version: 1 } });
  shop.setTillClock(-60 * minuteMs);
  await shop.mend();
  await shop.pass(10 * minuteMs, 1_000);
  const spend = { operation_id: shop.newId(), ...customer, points: 4 };
  await ask('operation.redeem', spend);
  await shop.pass(minuteMs, 1_000);
  for (const { operation_id, states } of [
    { operation_id: sale.operation_id, states: ['queued', 'sending', 'accepted', 'applied'] },
    { operation_id: spend.operation_id, states: ['sending', 'applied'] },
  ]) {
    const news = told.filter((operation) => operation.operation_id === operation_id);
    expect(states).toEqual(expect.arrayContaining(news.map(({ state }) => state)));
    expect(news.at(-1)?.state).toBe('applied');
    const versions = news.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((left, right) => left - right));
  }
});

test('a hold of 15 minutes runs out in 15 minutes by the service’s time that the page is told, though the till’s clock is fast', async () => {
  shop.setTillClock(20 * minuteMs);
  const hold = { operation_id: shop.newId(), ...customer, points: 40, ttl_minutes: 15 };
  const { holds } = tillCommands['hold.reserve'].answer.parse(await ask('hold.reserve', hold));
  const { now, service_ahead_ms } = tillCommands['state.read'].answer.parse(await ask('state.read'));
  const [held] = holds;
  const leftMs = Date.parse(held?.expires_at ?? '') - (Date.parse(now) + service_ahead_ms);
  expect(held?.state).toBe('reserved');
  expect(Math.abs(leftMs - 15 * minuteMs)).toBeLessThan(2_000);
});
