import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { databasePath } from '../../app/machine/data-files.ts';
import type { NonEarnWrite } from '../../app/operations/requests/write.ts';
import type { Outcome } from '../../app/service/calls/exchange.ts';
import { serveCore } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { endsWithTest, openShop } from '../support/open-shop.ts';

// A first answer to what no books show may be another till's, and who the customer is cannot be asked for.

const waits = { waitMs: 120_000 };
const identifyCall = callOf('POST', '/customers/identify');
const reserveCall = callOf('POST', '/redemptions/reserve', 'C-1');
const cut = (): Outcome => ({ kind: 'dropped' });

let shop: CounterShop;
beforeEach(async () => {
  shop = await openShop();
  await shop.call('POST', '/_sandbox/customers', {
    cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B', balances: { points: 300 } }],
  });
});

const reserveBody = () => ({ identifier: { loyalty_id: 'LC-1001' }, external_ref: 'C-1', points: 40 });
const ask = (write: NonEarnWrite, options = waits) => shop.passUntil(shop.core.perform(write, options));
const reserve = (): NonEarnWrite => {
  const operationId = shop.newId();
  const body = reserveBody();
  const path = '/redemptions/reserve';
  const part = { operationId, intent: 'reserve', path, body, identifier: body.identifier } as const;
  return shop.redemption(`C-1#${operationId}`, {}, part);
};
/** What the service holds for the cart. */
const held = () => shop.call('POST', '/v1/redemptions/reserve', reserve().body ?? {});
/** Another till's hold of the same value, as it was answered. */
async function theirHold(): Promise<Outcome> {
  const body = { identifier: { loyalty_id: 'LC-B' }, external_ref: 'C-9', points: 40 };
  return said(201, await shop.call('POST', '/v1/redemptions/reserve', body));
}

describe('a hold', () => {
  test.each([
    ['no answer', cut],
    ['an answer that is none of the service', () => said(200, {})],
    ['an error', () => said(503, { error: { code: 'INTERNAL', message: 'm', retryable: true, request_id: 'r' } })],
  ])('of another till’s is not told as made where the look at the customer gets %s', async (_, answer) => {
    const theirs = await theirHold();
    const told = answerInstead(shop, reserveCall, () => theirs, { times: 1 });
    answerInstead(shop, identifyCall, answer, { times: 1 });
    const outcome = await ask(reserve());
    expect(told.count).toBe(1);
    const { reservation_id } = await held();
    expect(outcome).toMatchObject({ kind: 'done', answer: { reservation_id } });
  });

  test('of another till’s that comes again and again is not told as made', async () => {
    const theirs = await theirHold();
    answerInstead(shop, reserveCall, () => theirs, { times: 2 });
    answerInstead(shop, identifyCall, cut);
    expect(await ask(reserve(), { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
  });

  test('is told as made where nobody can be asked for: the same request once more is answered as its repeat', async () => {
    answerInstead(shop, identifyCall, cut);
    const sent = answerInstead(shop, reserveCall, (own) => withFields(own, {}));
    const outcome = await ask(reserve(), { waitMs: 0 });
    expect(sent.count).toBe(2);
    const { reservation_id } = await held();
    expect(outcome).toMatchObject({ kind: 'done', answer: { reservation_id, duplicate: false } });
  });

  test.each([
    ['no answer', cut],
    [
      'a refusal',
      () => said(422, { error: { code: 'INSUFFICIENT_BALANCE', message: 'm', retryable: false, request_id: 'r' } }),
    ],
  ])('is not lost where the same request once more gets %s: whoever asks again is told', async (_, answer) => {
    let isFirst = true;
    answerInstead(
      shop,
      reserveCall,
      (own) => {
        const told = isFirst ? withFields(own, {}) : answer();
        isFirst = false;
        return told;
      },
      { times: 2 },
    );
    answerInstead(shop, identifyCall, cut, { times: 1 });
    const press = reserve();
    expect(await ask(press, { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
    expect(await ask(press)).toMatchObject({ kind: 'done', answer: { state: 'reserved' } });
  });
});

describe('a hold whose request is changed on the disk while it is asked for', () => {
  const change = () => {
    const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    database.exec(`UPDATE operations SET body = replace(body, '40', '41') WHERE intent = 'reserve'`);
    database.close();
  };
  const error = { code: 'CARD_NOT_ELIGIBLE', message: 'm', retryable: false, request_id: 'r' };

  test.each([
    ['nobody can be asked who the customer is', (own: Outcome | null) => withFields(own, {})],
    ['it was refused', () => said(422, { error })],
  ])('is asked for once more with the bytes that were sealed, where %s', async (_, answer) => {
    answerInstead(shop, identifyCall, cut);
    const sent: string[] = [];
    const isReserve = callOf('POST', '/redemptions/reserve');
    answerInstead(shop, isReserve, answer, { times: 1 });
    const { meddle } = shop;
    shop.meddle = async (call, carry) => {
      if (isReserve(call)) sent.push(String(call.body));
      const own = await meddle(call, carry);
      if (sent.length === 1) change();
      return own;
    };
    await ask(reserve(), { waitMs: 0 });
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
  });
});

describe('a hold that was made while the look at the customer was silent', () => {
  const body = reserveBody();
  /** Each call of the service takes so long, and a look at a customer is never answered. */
  function slowLine(callMs: number) {
    shop.meddle = async (call, carry) => {
      if (identifyCall(call)) return new Promise(() => undefined);
      const own = await carry(call);
      await new Promise<void>((resolve) => shop.clock.setTimer(resolve, callMs));
      return own;
    };
  }

  test('too slowly for its program is told when that asks again', async () => {
    const bridge = endsWithTest(await serveCore(shop.core));
    const post = () => shop.passUntil(bridge.call('POST', '/v1/redemptions/reserve', body));
    slowLine(1_400);
    const first = await post();
    await shop.pass(2_000);
    const again = await post();
    expect([first.status, again.status]).toEqual([504, 200]);
    expect(again.json).toMatchObject({ reservation_id: (await held()).reservation_id, duplicate: true });
  });

  test.each([
    ['another customer', { body: { ...body, identifier: { loyalty_id: 'LC-B' } } }],
    ['another name of the customer', { body: { ...body, identifier: { phone: '+96555512345' } } }],
  ])('is not taken for the one of %s under the same number', async (_, part) => {
    slowLine(0);
    expect(await ask(reserve())).toMatchObject({ kind: 'done' });
    const made = said(200, { ...(await held()), duplicate: true });
    answerInstead(shop, reserveCall, () => made);
    expect(await ask({ ...reserve(), ...part }, { waitMs: 0 })).toMatchObject({ kind: 'unknown' });
  });
});

describe('an enrollment', () => {
  const enrollCall = callOf('POST', '/customers/enroll');
  const verifyCall = callOf('POST', '/customers/enroll/verify');
  const request = (phone: string) => ({ external_ref: `E ${phone}`, phone });
  const enroll = (phone: string): NonEarnWrite => {
    const path = '/customers/enroll';
    const ref = `E#${shop.newId()}`;
    return shop.redemption(ref, {}, { intent: 'enroll', path, body: request(phone), identifier: null });
  };
  const verify = (body: { readonly enrollment_id: string; readonly otp: string }): NonEarnWrite => {
    const path = '/customers/enroll/verify';
    return shop.redemption(`V#${shop.newId()}`, {}, { intent: 'verify', path, body, identifier: null });
  };
  async function codeOf(enrollment: { readonly enrollment_id: string }) {
    const { otp } = await shop.call('GET', `/_sandbox/otp/${enrollment.enrollment_id}`);
    return { enrollment_id: enrollment.enrollment_id, otp };
  }
  async function theirEnrollment(): Promise<Outcome> {
    const pending = await shop.call('POST', '/v1/customers/enroll', request('+96555512221'));
    return said(201, await shop.call('POST', '/v1/customers/enroll/verify', await codeOf(pending)));
  }
  const ourPhone = '+96555513331';

  test('is not told as finished with another till’s customer', async () => {
    const theirs = await theirEnrollment();
    await ask(enroll(ourPhone));
    const code = await codeOf(await shop.call('POST', '/v1/customers/enroll', request(ourPhone)));
    answerInstead(shop, verifyCall, () => theirs, { times: 1 });
    answerInstead(shop, identifyCall, cut, { times: 1 });
    const outcome = await ask(verify(code));
    const { customer_id } = await shop.call('POST', '/v1/customers/identify', { phone: ourPhone });
    expect(outcome).toMatchObject({ kind: 'done', answer: { customer_id } });
  });

  test('is told as finished where nobody can be asked for', async () => {
    await ask(enroll(ourPhone));
    const code = await codeOf(await shop.call('POST', '/v1/customers/enroll', request(ourPhone)));
    const identifies = answerInstead(shop, identifyCall, cut, { times: 5 });
    const outcome = await ask(verify(code), { waitMs: 0 });
    expect(identifies.count).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ kind: 'done', answer: { duplicate: false } });
  });

  test('is not told as begun and finished with another till’s customer', async () => {
    const theirs = await theirEnrollment();
    answerInstead(shop, enrollCall, () => theirs, { times: 1 });
    answerInstead(shop, identifyCall, cut, { times: 1 });
    expect(await ask(enroll(ourPhone))).toMatchObject({ kind: 'done', answer: { status: 'awaiting_otp' } });
  });
});
