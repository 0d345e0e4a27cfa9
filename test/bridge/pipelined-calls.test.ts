import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { localToken } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

// A POS that sends its calls one behind the other on one connection, and waits for no answer in between.
let shop: CounterShop;
let bridge: ShopBridge;
let sockets: Socket[] = [];
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const head = (line: string, ...headers: readonly string[]) =>
  [
    `${line} HTTP/1.1`,
    `Host: 127.0.0.1:${bridge.port}`,
    `Authorization: Bearer ${localToken}`,
    ...headers,
    '\r\n',
  ].join('\r\n');

const get = (path: string) => head(`GET /v1${path}`);
const read = (externalRef: string) => get(`/transactions?external_ref=${externalRef}`);
const post = (path: string, body: object | null) => {
  const text = body === null ? '' : JSON.stringify(body);
  return head(`POST /v1${path}`, 'Content-Type: application/json', `Content-Length: ${text.length}`) + text;
};
const spend = (externalRef: string) => ({
  identifier: { loyalty_id: 'LC-1001' },
  external_ref: externalRef,
  points: 1,
});
const redeem = (externalRef: string) => post('/transactions/redeem', spend(externalRef));
const delay = (path: string, ms: number) => shop.fault(path, { type: 'delay', ms }, 1);

interface Answer {
  readonly status: number;
  readonly body: string;
}

function open(text: string): { readonly socket: Socket; readonly received: () => string } {
  const socket = connect(bridge.port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
  });
  socket.write(text);
  return { socket, received: () => received };
}

const answersIn = (received: string): readonly Answer[] =>
  received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => ({ status: Number(text.slice(9, 12)), body: text.split('\r\n\r\n')[1] ?? '' }));

/** Time passes in small steps, until it is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await isSo()); steps += 1) {
    if (steps > 200) throw new Error('It did not come to that');
    await shop.pass(100);
  }
}

/** All answers to what is sent at once on one connection. */
async function pipelined(...calls: readonly string[]): Promise<readonly Answer[]> {
  const { received } = open(calls.join(''));
  await until(() => answersIn(received()).length === calls.length);
  return answersIn(received());
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

async function reserved(externalRef: string): Promise<string> {
  const { json } = await shop.passUntil(bridge.call('POST', '/v1/redemptions/reserve', spend(externalRef)));
  return z.object({ reservation_id: z.string() }).parse(json).reservation_id;
}

describe('calls on one connection that do not wait for each other', () => {
  test('are done in their order: no release overtakes a slow commit', async () => {
    const id = await reserved('CART-1');
    await delay(`/redemptions/${id}/commit`, 1_500);
    const answers = await pipelined(
      post(`/redemptions/${id}/commit`, { external_ref: 'ORDER-1' }),
      post(`/redemptions/${id}/release`, null),
    );
    expect(statuses(answers)).toEqual([200, 409]);
    expect(answers[1]?.body).toContain('reservation_committed');
  });

  test('a read shows what was written before it, and nothing that was written behind it', async () => {
    await delay('/transactions/redeem', 1_500);
    const answers = await pipelined(read('R-1'), redeem('R-1'), read('R-1'));
    expect(statuses(answers)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => body.includes('"external_ref":"R-1"'))).toEqual([false, true, true]);
  });

  test('a void behind its redemption takes it back', async () => {
    await delay('/transactions/redeem', 1_500);
    const reversal = { external_ref: 'R-1', intent: 'redeem' };
    const answers = await pipelined(redeem('R-1'), post('/transactions/reverse', reversal), read('R-1'));
    expect(statuses(answers)).toEqual([200, 202, 200]);
    await shop.pass(5_000);
    expect(await shop.points()).toBe(245.5);
  });

  test('one waits no longer than the bridge lets the one before it take', async () => {
    await delay('/transactions/redeem', 20_000);
    const startedAtMs = shop.clock.now();
    expect(statuses(await pipelined(redeem('R-1'), redeem('R-2')))).toEqual([504, 200]);
    expect(shop.clock.now() - startedAtMs).toBeLessThan(10_000);
    await shop.pass(20_000);
  });

  test('the stream of events holds nothing up behind it', async () => {
    const { received } = open(get('/agent/events') + redeem('R-1'));
    await until(() => received().includes('"external_ref":"R-1"'));
    expect(await shop.held('R-1')).toHaveLength(1);
  });

  test('what has come whole is done in its turn, too, where the caller has closed its end', async () => {
    await delay('/transactions/redeem', 1_500);
    const { socket } = open('');
    socket.end(redeem('R-1') + redeem('R-2'));
    await until(async () => (await shop.held('R-1')).length === 1 && (await shop.held('R-2')).length === 1);
  });
});
