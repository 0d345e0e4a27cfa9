import { beforeEach, expect, test } from 'vitest';
import { localToken } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

interface Told {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of many shapes
  readonly data: any;
}

/** A reader of the stream, as a POS program would be. */
async function listen(lastId?: string, token = localToken) {
  const ending = new AbortController();
  const response = await fetch(`http://127.0.0.1:${bridge.port}/v1/agent/events`, {
    headers: { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: ending.signal,
  });
  const told: Told[] = [];
  let text = '';
  const reading = (async () => {
    if (response.body === null) return;
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block
            .split('\n')
            .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        const data = fields.get('data');
        if (data !== undefined)
          told.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) });
      }
    }
  })().catch(() => undefined);
  return {
    response,
    told,
    /** When the other side has ended it. */
    reading,
    async until(condition: (told: readonly Told[]) => boolean) {
      for (let turns = 0; !condition(told); turns += 1) {
        if (turns > 400) throw new Error(`Told only ${JSON.stringify(told)}`);
        await shop.pass(50, 50);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async end() {
      ending.abort();
      await reading;
    },
  };
}

const earn = (ref: string, token = localToken) => {
  const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: ref, points: 1 };
  return bridge.call('POST', '/v1/transactions/earn', body, { authorization: `Bearer ${token}` });
};
const statesOf = (told: readonly Told[], ref: string) =>
  told.filter(({ event, data }) => event === 'operation' && data.external_ref === ref).map(({ data }) => data.state);

test('each change of an operation is told, and the status with it', async () => {
  const reader = await listen();
  expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await reader.until((told) => told.some(({ event }) => event === 'status'));
  const { json } = await earn('R-1');
  await reader.until((told) => statesOf(told, 'R-1').includes('applied'));
  const last = reader.told.findLast(({ event }) => event === 'operation')?.data;
  expect(last).toMatchObject({
    transaction_id: json.transaction_id,
    intent: 'earn',
    state: 'applied',
    status: 'success',
  });
  await reader.end();
});

test('a sale that a manager has sent under another number is told as it is read, until it is done', async () => {
  await shop.fault('/transactions/earn', { type: 'error', status: 409, code: 'DUPLICATE_TRANSACTION' }, 1);
  await earn('R-1');
  await shop.pass(5_000);
  const reader = await listen();
  await reader.until((told) => told.some(({ event }) => event === 'status'));
  const lastId = reader.told.at(-1)?.id;
  await shop.core.replace(shop.operation('R-1').operationId, { person: 'Mona', reason: 'asked' });
  const ofOldNumber = (told: readonly Told[]) =>
    told.filter(({ event, data }) => event === 'operation' && data.external_ref === 'R-1').map(({ data }) => data);
  await reader.until((told) => ofOldNumber(told).some(({ status }) => status === 'success'));
  expect(ofOldNumber(reader.told)[0]).toMatchObject({ state: 'written_off', status: 'pending', error: null });
  expect(ofOldNumber(reader.told).map(({ status }) => status)).not.toContain('failed');
  await reader.end();
  const again = await listen(lastId);
  await again.until((told) => told.some(({ event }) => event === 'status'));
  expect(ofOldNumber(again.told)).toMatchObject([{ status: 'success' }]);
  await again.end();
});

test('a reader that was away catches up from the last id it has', async () => {
  const first = await listen();
  await earn('R-1');
  await first.until((told) => statesOf(told, 'R-1').includes('applied'));
  const lastId = first.told.at(-1)?.id ?? '';
  await first.end();
  await earn('R-2');
  await shop.pass(5_000);
  const second = await listen(lastId);
  await second.until((told) => told.some(({ event }) => event === 'status'));
  expect(statesOf(second.told, 'R-2')).toEqual(['applied']);
  expect(statesOf(second.told, 'R-1')).toEqual([]);
  await second.end();
});

test.each(['other-5', 'run--3', 'nonsense'])(
  'an id that is not of this run (%s) is told to read everything anew',
  async (lastId) => {
    const reader = await listen(lastId);
    await reader.until((told) => told.some(({ event }) => event === 'status'));
    expect(reader.told[0]?.event).toBe('reset');
    await reader.end();
  },
);

test('without a token there is nothing to hear', async () => {
  expect((await fetch(`http://127.0.0.1:${bridge.port}/v1/agent/events`)).status).toBe(401);
});

test('a program with a prefix is told of its references as it knows them', async () => {
  const reader = await listen(undefined, 'tb_local_prefixed');
  const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 };
  await bridge.call('POST', '/v1/transactions/earn', body, { authorization: 'Bearer tb_local_prefixed' });
  await reader.until((told) => statesOf(told, 'R-1').includes('applied'));
  expect(JSON.stringify(reader.told)).not.toContain('B-R-1');
  await reader.end();
});

test('a program is told of what it took, and of nothing that another one took, whether it was there or comes back', async () => {
  const reader = await listen(undefined, 'tb_local_second');
  await reader.until((told) => told.some(({ event }) => event === 'status'));
  const lastId = reader.told.at(-1)?.id;
  await earn('MAIN-1');
  await earn('SECOND-1', 'tb_local_second');
  await reader.until((told) => statesOf(told, 'SECOND-1').includes('applied'));
  await shop.pass(5_000);
  await reader.end();
  const again = await listen(lastId, 'tb_local_second');
  await again.until((told) => told.some(({ event }) => event === 'status'));
  await again.end();
  expect(statesOf(again.told, 'SECOND-1')).toEqual(['applied']);
  for (const { told } of [reader, again]) expect(JSON.stringify(told)).not.toContain('MAIN-1');
});

test('a reader whose token is revoked is told nothing more, and the line is ended', async () => {
  const reader = await listen(undefined, 'tb_local_second');
  await earn('R-1', 'tb_local_second');
  await reader.until((told) => statesOf(told, 'R-1').includes('applied'));
  bridge.revoke('second');
  await earn('R-2');
  await shop.pass(5_000);
  await reader.reading;
  expect(statesOf(reader.told, 'R-2')).toEqual([]);
});

test('a reader whose token is shared no longer is told of its own sales alone, on the line that it has', async () => {
  const reader = await listen(undefined, 'tb_local_shared');
  await earn('R-1');
  await reader.until((told) => statesOf(told, 'R-1').includes('applied'));
  bridge.unshare('shared');
  await earn('R-2');
  await earn('R-3', 'tb_local_shared');
  await reader.until((told) => statesOf(told, 'R-3').includes('applied'));
  await shop.pass(5_000);
  await reader.end();
  expect(statesOf(reader.told, 'R-2')).toEqual([]);
});

test('a reader whose token is revoked is let go though nothing happens', async () => {
  const reader = await listen(undefined, 'tb_local_second');
  await reader.until((told) => told.some(({ event }) => event === 'status'));
  bridge.revoke('second');
  await shop.pass(16_000);
  await reader.reading;
});

test('a hold is told by the reference that its program gave, each time that it is asked for', async () => {
  const reader = await listen();
  const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-1', points: 1 };
  for (let times = 0; times < 2; times += 1) {
    await shop.passUntil(bridge.call('POST', '/v1/redemptions/reserve', body));
  }
  await reader.until((told) => statesOf(told, 'C-1').filter((state) => state === 'applied').length >= 2);
  const told = reader.told.filter(({ event }) => event === 'operation');
  expect(new Set(told.map(({ data }) => data.external_ref))).toEqual(new Set(['C-1']));
  await reader.end();
});
