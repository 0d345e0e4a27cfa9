import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveCore } from '../support/bridge-server.ts';
import { CounterShop } from '../support/counter-shop.ts';
import type { SettingsInput } from '../support/fake-settings.ts';

// `bridge.answer_within_ms`: a service that takes its time keeps no POS program waiting for longer.
let shop: CounterShop;
let bridge: Awaited<ReturnType<typeof serveCore>>;
let sent: string[];

async function open(settings: SettingsInput = {}): Promise<void> {
  await shop.stop();
  shop.settings = settings;
  shop.start();
  await shop.pass(1_000);
  bridge = await serveCore(shop.core);
}

beforeEach(() => {
  shop = new CounterShop();
  sent = [];
});
afterEach(async () => {
  shop.meddle = (call, carry) => carry(call);
  expect(bridge.faults).toEqual([]);
  expect(shop.errors).toEqual([]);
  await bridge.close();
  await shop.end();
});

/** The service does what is asked at once, and answers so much later. */
function answerAfter(delayMs: number): void {
  shop.meddle = async (call, carry) => {
    sent.push(`${call.method} ${call.target}`);
    const outcome = await carry(call);
    await new Promise<void>((resolve) => void shop.clock.setTimer(resolve, delayMs));
    return outcome;
  };
}

const post = (path: string, body: object) => call('POST', path, body);

async function call(method: 'GET' | 'POST', path: string, body?: object) {
  const startedAtMs = shop.clock.now();
  let tookMs = Number.NaN;
  const calling = bridge.call(method, `/v1${path}`, body).then((reply) => {
    tookMs = shop.clock.now() - startedAtMs;
    return reply;
  });
  const reply = await shop.passUntil(calling);
  return { ...reply, tookMs };
}

const redemption = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 40 };
const sentTo = (path: string) => sent.filter((call) => call.startsWith('POST') && call.includes(path)).length;
const unknown = {
  status: 504,
  json: { error: { code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['outcome_unknown'] } },
};

/** Nothing is in doubt after a read. */
const noAnswer = {
  status: 504,
  json: { error: { code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['no_answer'] } },
};

describe('a read whose answer takes 12 seconds', () => {
  test.each([
    ['POST', '/customers/identify', { phone: '+96599887766' }],
    ['GET', '/transactions/txn_of_another_till', undefined],
    ['GET', '/transactions?external_ref=R-404', undefined],
    ['GET', '/customers/cus_1/transactions', undefined],
  ] as const)('%s %s is told within 8 that there was no answer', async (method, path, body) => {
    await open();
    answerAfter(12_000);
    const read = await call(method, path, body);
    expect(read).toMatchObject(noAnswer);
    expect(read.json.error.message).not.toMatch(/external_ref|goes on/);
    expect(read.tookMs).toBeLessThanOrEqual(8_500);
  });
});

describe('a write whose answer takes 12 seconds', () => {
  test('is told within 8 as not known; its retry waits for the same one, and nothing is sent twice', async () => {
    await open();
    answerAfter(12_000);
    const first = await post('/transactions/redeem', redemption);
    expect(first).toMatchObject(unknown);
    expect(first.tookMs).toBeLessThanOrEqual(8_500);
    const second = await post('/transactions/redeem', redemption);
    expect(second).toMatchObject({ status: 200, json: { status: 'success', points: 40 } });
    expect(second.tookMs).toBeLessThanOrEqual(5_000);
    expect(sentTo('/transactions/redeem')).toBe(1);
    expect(await shop.points()).toBe(205.5);
  });

  test('is settled when its answer comes, though nobody asks again', async () => {
    await open();
    answerAfter(12_000);
    await post('/transactions/redeem', redemption);
    await shop.pass(6_000);
    expect(shop.core.operationsByReference('R-1')).toMatchObject([{ state: 'applied' }]);
  });

  test('is sent once, too, when it has a row each time it is asked for', async () => {
    await open();
    answerAfter(12_000);
    const body = { external_ref: 'E-1', phone: '+96555512345', name: 'Noura' };
    expect(await post('/customers/enroll', body)).toMatchObject(unknown);
    expect(await post('/customers/enroll', body)).toMatchObject({ status: 202, json: { status: 'awaiting_otp' } });
    expect(sentTo('/customers/enroll')).toBe(1);
  });
});

describe('what is asked for again while it is under way', () => {
  /** The second one is told while the first one waits for its answer. */
  async function twice(path: string, body: object) {
    answerAfter(3_000);
    const first = bridge.call('POST', `/v1${path}`, body);
    while (sentTo(path) === 0) await shop.quiet();
    const second = bridge.call('POST', `/v1${path}`, body);
    const told = await shop.passUntil(Promise.all([first, second]));
    expect(sentTo(path)).toBe(1);
    return told;
  }

  test('is a new hold for the first, and for the second that one', async () => {
    await open();
    const [first, second] = await twice('/redemptions/reserve', { ...redemption, external_ref: 'CART-1' });
    expect(first).toMatchObject({ status: 201, json: { duplicate: false } });
    expect(second).toMatchObject({ status: 200, json: { ...first.json, duplicate: true } });
  });

  test('is a new customer for the first, and for the second that one', async () => {
    await open();
    const begun = await post('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' });
    const { enrollment_id } = begun.json;
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment_id}`);
    const [first, second] = await twice('/customers/enroll/verify', { enrollment_id, otp });
    expect(first).toMatchObject({ status: 201, json: { duplicate: false } });
    expect(second).toMatchObject({ status: 200, json: { ...first.json, duplicate: true } });
  });

  test('is an enrollment that waits for its code, for both', async () => {
    await open();
    const [first, second] = await twice('/customers/enroll', { external_ref: 'E-1', phone: '+96555512345' });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.json).toEqual(first.json);
  });
});

describe('the setting', () => {
  test('sets the time for writes and reads', async () => {
    await open({ bridge: { answer_within_ms: 3_000 } });
    answerAfter(4_000);
    const write = await post('/transactions/redeem', redemption);
    expect(write).toMatchObject(unknown);
    expect(write.tookMs).toBeLessThanOrEqual(3_500);
    const read = await post('/customers/identify', { phone: '+96599887766' });
    expect(read).toMatchObject(noAnswer);
    expect(read.tookMs).toBeLessThanOrEqual(3_500);
  });

  test('leaves to an identify the customer as seen last', async () => {
    await open({ bridge: { answer_within_ms: 3_000 } });
    await post('/customers/identify', redemption.identifier);
    answerAfter(4_000);
    const read = await post('/customers/identify', redemption.identifier);
    expect(read.status).toBe(200);
    expect(read.tookMs).toBeLessThanOrEqual(3_500);
  });
});

test('a redemption whose outcome came too late for its answer has it when it is sent again after the day has started', async () => {
  await open();
  await shop.pass(7 * 3_600_000 + 36 * 60_000, 60_000);
  answerAfter(9_000);
  expect(await post('/transactions/redeem', redemption)).toMatchObject(unknown);
  await shop.pass(25 * 60_000, 1_000);
  const again = await post('/transactions/redeem', redemption);
  expect(again).toMatchObject({ status: 200, json: { status: 'success', duplicate: true } });
});
