import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AgentCore } from '../../app/core/agent-core.ts';
import type { Till } from '../../app/till/till.ts';
import { tillStateSchema } from '../../shared/till/views.ts';
import { listedOrigin, localToken } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

const path = '/v1/agent/screen/sale';
const tokens = { main: localToken, second: 'tb_local_second', prefixed: 'tb_local_prefixed' } as const;

let shop: CounterShop;
let bridge: ShopBridge;
let till: Till;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  till = openTill(shop.core);
});
function openTill(core: AgentCore): Till {
  const opened = tillOf({ core, clock: shop.clock, onFault: (error) => bridge.faults.push(error) });
  onTestFinished(() => opened.close());
  return opened;
}

const call = (method: string, body?: object, program: keyof typeof tokens = 'main', at = path) =>
  shop.passUntil(bridge.call(method, at, body, { authorization: `Bearer ${tokens[program]}` }));
const hand = (body: object, program: keyof typeof tokens = 'main') => call('POST', body, program);

/** What the screen is told of it. */
async function waiting() {
  const reply = await till.handle({ command: 'state.read', input: {} });
  return tillStateSchema.parse(reply.ok ? reply.value : null).handed_over;
}
const earn = (more: object) =>
  shop.passUntil(
    till.handle({
      command: 'operation.earn',
      input: { operation_id: shop.newId(), identifier: { loyalty_id: 'LC-1001' }, customer_name: 'Fatima', ...more },
    }),
  );
const earnHanded = async (more: object = {}) =>
  earn({ amount_minor: 12500, handed_over_id: (await waiting())?.id, ...more });

describe('an amount that a POS program hands over', () => {
  test.each([
    ['is missing', {}, 'is required'],
    ['is 2^53', { amount_minor: 2 ** 53 }, 'is too large'],
    ['is no integer', { amount_minor: 12.5 }, 'must be an integer in minor units'],
  ])('is refused where it %s', async (_, body, problem) => {
    expect(await hand(body)).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: 'amount_minor', problem }] } },
    });
  });

  test('stands at the screen with its receipt, and is gone when it was taken under that reference', async () => {
    expect(await hand({ amount_minor: 12500, currency: 'KWD', external_ref: 'R-4471' })).toMatchObject({
      status: 200,
      json: { sale: { amount_minor: 12500, currency: 'KWD', external_ref: 'R-4471', expires_at: expect.any(String) } },
    });
    expect(await waiting()).toMatchObject({ amount_minor: 12500, currency: 'KWD', receipt_number: 'R-4471' });
    expect(await earnHanded()).toMatchObject({ ok: true, value: { operation: { external_ref: 'R-4471' } } });
    expect(await waiting()).toBeNull();
    await shop.pass(5_000);
    // The sale is the program's: it reads what became of it, and another program does not.
    const own = await call('GET', undefined, 'main', '/v1/transactions?external_ref=R-4471');
    expect(own.json.data).toMatchObject([{ status: 'success', amount_minor: 12500 }]);
    const others = await call('GET', undefined, 'second', '/v1/transactions?external_ref=R-4471');
    expect(others.json.data).toEqual([]);
  });

  test('goes by a receipt that the cashier typed instead', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-4471' });
    const reply = await earnHanded({ receipt_number: '88' });
    expect(reply).toMatchObject({ ok: true, value: { operation: { external_ref: expect.stringMatching(/-88$/) } } });
    expect(await waiting()).toBeNull();
  });

  test('is told to its program as it was taken: under its own reference, with the amount that the cashier made of it', async () => {
    await hand({ amount_minor: 12500, external_ref: '7' }, 'prefixed');
    expect(await earnHanded({ amount_minor: 11250 })).toMatchObject({ value: { operation: { external_ref: 'B-7' } } });
    const taken = { status: 'pending', amount_minor: 11250, currency: 'KWD', external_ref: '7' };
    const handed_over = { amount_minor: 12500, external_ref: '7' };
    expect((await call('GET', undefined, 'prefixed')).json).toEqual({ sale: null, taken: { ...taken, handed_over } });
    expect((await call('GET')).json).toEqual({ sale: null, taken: null });
    // Nobody can take it a second time as it was handed over first.
    expect((await hand({ amount_minor: 12500, external_ref: '7' }, 'prefixed')).status).toBe(409);
    await hand({ amount_minor: 3000, external_ref: '8' }, 'prefixed');
    expect((await call('GET', undefined, 'prefixed')).json).toMatchObject({ sale: { external_ref: '8' }, taken: null });
  });

  test('is told as taken back once the cashier has undone it', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-5' });
    await shop.fault('/*', { type: 'offline' });
    const operation_id = shop.newId();
    await earnHanded({ operation_id });
    await till.handle({ command: 'operation.cancel', input: { operation_id } });
    expect((await call('GET')).json).toMatchObject({ taken: { status: 'reversed', external_ref: 'R-5' } });
  });

  test('is replaced by the next one, and a sale that was opened with the first keeps its reference', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    const first = await waiting();
    await hand({ amount_minor: 3000, external_ref: 'R-2' });
    expect(await waiting()).toMatchObject({ amount_minor: 3000, receipt_number: 'R-2' });
    const reply = await earn({ amount_minor: 12500, handed_over_id: first?.id });
    expect(reply).toMatchObject({ ok: true, value: { operation: { external_ref: 'R-1' } } });
    expect(await waiting()).toMatchObject({ receipt_number: 'R-2' });
  });

  test('that the cashier has opened is not forgotten for what another program hands over', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    const opened = (await waiting())?.id;
    for (let amount_minor = 1; amount_minor <= 20; amount_minor++) await hand({ amount_minor }, 'second');
    const taken = await earn({ amount_minor: 12500, handed_over_id: opened });
    expect(taken).toMatchObject({ ok: true, value: { operation: { external_ref: 'R-1' } } });
  });

  test('is withdrawn by its program alone, and read by it alone', async () => {
    await hand({ amount_minor: 12500 });
    expect((await call('GET', undefined, 'second')).json).toEqual({ sale: null, taken: null });
    expect((await call('DELETE', undefined, 'second')).status).toBe(204);
    expect((await call('GET')).json).toMatchObject({ sale: { amount_minor: 12500, external_ref: null } });
    expect((await call('DELETE')).status).toBe(204);
    expect((await call('GET')).json).toEqual({ sale: null, taken: null });
    expect(await waiting()).toBeNull();
  });

  test('is not taken any more once its program has withdrawn it, nor by an id that nobody knows', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    const opened = { amount_minor: 12500, handed_over_id: (await waiting())?.id, operation_id: shop.newId() };
    await call('DELETE');
    expect(await earn(opened)).toMatchObject({ ok: false, error: { code: 'not_now' } });
    expect(await earn({ ...opened, handed_over_id: 'of-before-a-restart' })).toMatchObject({ ok: false });
    expect(shop.core.recentOperations({ limit: 10 })).toEqual([]);
    // Handed over anew it is taken once; a press whose answer was lost is answered although the program withdraws then.
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    const pressed = { amount_minor: 12500, handed_over_id: (await waiting())?.id, operation_id: shop.newId() };
    expect(await earn(pressed)).toMatchObject({ ok: true, value: { duplicate: false } });
    await call('DELETE');
    const again = await earn({ ...pressed, handed_over_id: 'of-before-a-restart' });
    expect(again).toMatchObject({ ok: true, value: { duplicate: true, operation: { external_ref: 'R-1' } } });
    expect(shop.core.recentOperations({ limit: 10 })).toHaveLength(1);
  });

  test('is withdrawn from a screen that has opened it, also where another one has its place or its time is over', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    const first = (await waiting())?.id;
    await hand({ amount_minor: 3000, external_ref: 'S-1' }, 'second');
    expect((await call('DELETE')).status).toBe(204);
    const gone = { ok: false, error: { code: 'not_now', field: 'handed_over_id' } };
    expect(await earn({ amount_minor: 12500, handed_over_id: first })).toMatchObject(gone);
    expect(await waiting()).toMatchObject({ receipt_number: 'S-1' });
    const second = (await waiting())?.id;
    await shop.pass(15 * 60_000 + 1_000);
    await call('DELETE', undefined, 'second');
    expect(await earn({ amount_minor: 3000, handed_over_id: second })).toMatchObject(gone);
    expect(shop.core.recentOperations({ limit: 10 })).toEqual([]);
  });

  test('is one sale when its amount was changed while the screen had it open: it does not wait once more', async () => {
    await hand({ amount_minor: 5100, external_ref: 'R-1' });
    const first = (await waiting())?.id;
    await hand({ amount_minor: 9900, external_ref: 'R-1' });
    const changed = (await waiting())?.id;
    expect(await earn({ amount_minor: 5100, handed_over_id: first })).toMatchObject({ ok: true });
    expect(await waiting()).toBeNull();
    expect(await earn({ amount_minor: 9900, handed_over_id: changed, receipt_number: '8' })).toMatchObject({
      ok: false,
    });
    const taken = { amount_minor: 5100, handed_over: { amount_minor: 9900, external_ref: 'R-1' } };
    expect((await call('GET')).json).toMatchObject({ sale: null, taken });
  });

  test('is gone when its program has sent the sale itself meanwhile: no number is asked for that would make a second one', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    const opened = await waiting();
    const sent = { identifier: { loyalty_id: 'LC-1002' }, external_ref: 'R-1', amount_minor: 12500, currency: 'KWD' };
    expect(await call('POST', sent, 'main', '/v1/transactions/earn')).toMatchObject({ status: 202 });
    expect(await earn({ amount_minor: 12500, handed_over_id: opened?.id })).toMatchObject({
      ok: false,
      error: { code: 'not_now', field: 'handed_over_id' },
    });
    expect(await waiting()).toBeNull();
    expect(shop.core.recentOperations({ limit: 10 })).toHaveLength(1);
  });

  test('is taken once, also by two screens that have opened it, when it has no reference of its own', async () => {
    await hand({ amount_minor: 12500 });
    const handed_over_id = (await waiting())?.id;
    expect(await earn({ amount_minor: 12500, handed_over_id })).toMatchObject({ ok: true });
    expect(await earn({ amount_minor: 11000, handed_over_id })).toMatchObject({
      ok: false,
      error: { code: 'not_now' },
    });
    expect(shop.core.recentOperations({ limit: 10 })).toHaveLength(1);
    expect((await call('GET')).json).toMatchObject({ taken: { amount_minor: 12500 } });
  });

  describe('that two screens take in the same instant', () => {
    const gone = { ok: false, error: { code: 'not_now', field: 'handed_over_id' } };
    const twoPresses = async (first: object, second: object) => {
      const handed_over_id = (await waiting())?.id;
      return Promise.all([first, second].map((press) => earn({ handed_over_id, ...press })));
    };

    test('is taken by one of them, and the other is told', async () => {
      await hand({ amount_minor: 12500 });
      const replies = await twoPresses({ amount_minor: 12500 }, { amount_minor: 11000 });
      expect(replies).toMatchObject([{ ok: true }, gone]);
      expect(shop.core.recentOperations({ limit: 10 })).toHaveLength(1);
      expect((await call('GET')).json).toMatchObject({ sale: null, taken: { amount_minor: 12500 } });
      await hand({ amount_minor: 100 });
      const press = { operation_id: shop.newId(), amount_minor: 100 };
      expect(await twoPresses(press, press)).toMatchObject([
        { value: { duplicate: false } },
        { value: { duplicate: true } },
      ]);
    });

    test('is taken by the second where the first one’s try saves nothing', async () => {
      await hand({ amount_minor: 12500 });
      const replies = await twoPresses({ amount_minor: 1_000_000_000, large: 'accepted' }, { amount_minor: 12500 });
      expect(replies).toMatchObject([{ ok: false, error: { code: 'above_limit' } }, { ok: true }]);
      expect(await waiting()).toBeNull();
      expect((await call('GET')).json).toMatchObject({ taken: { amount_minor: 12500 } });
    });

    test('is told as taken when its program withdraws it too late', async () => {
      await hand({ amount_minor: 12500 });
      const handed_over_id = (await waiting())?.id;
      let withdrawing: Promise<unknown> = Promise.resolve();
      till = openTill({
        ...shop.core,
        async saveEarn(earn) {
          withdrawing = shop.core.screenSale.withdraw('main').then(async () => call('GET'));
          return shop.core.saveEarn(earn);
        },
      });
      expect(await earn({ amount_minor: 12500, handed_over_id })).toMatchObject({ ok: true });
      expect(await withdrawing).toMatchObject({ json: { sale: null, taken: { amount_minor: 12500 } } });
    });
  });

  test('waits for 15 minutes, and not past the sign-out of the cashier', async () => {
    await hand({ amount_minor: 12500 });
    await shop.pass(15 * 60_000 - 1_000);
    expect(await waiting()).not.toBeNull();
    await shop.pass(2_000);
    expect(await waiting()).toBeNull();
    await hand({ amount_minor: 12500 });
    await till.handle({ command: 'cashier.sign_out', input: {} });
    expect(await waiting()).toBeNull();
  });

  test('is told as taken when its receipt was used before, on this day or another', async () => {
    await hand({ amount_minor: 12500, external_ref: 'R-1' });
    await earnHanded();
    const again = await hand({ amount_minor: 12500, external_ref: 'R-1' });
    expect(again).toMatchObject({
      status: 409,
      json: { error: { code: 'DUPLICATE_TRANSACTION', details: ['external_ref'] } },
    });
    expect(await waiting()).toBeNull();
    expect((await hand({ amount_minor: 12500, external_ref: 'R-1' }, 'second')).status).toBe(409);
  });

  test('is taken under a number whose sale was refused, and that its program has taken back', async () => {
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    const sale = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 9000 };
    await call('POST', sale, 'main', '/v1/transactions/earn');
    await shop.pass(2_000);
    const reversing = { external_ref: 'R-1', intent: 'earn' };
    expect((await call('POST', reversing, 'main', '/v1/transactions/reverse')).status).toBe(400);
    expect((await hand({ amount_minor: 12500, external_ref: 'R-1' })).status).toBe(200);
    const taken = { ok: true, value: { duplicate: false, operation: { external_ref: 'R-1' } } };
    expect(await earnHanded()).toMatchObject(taken);
    await shop.pass(5_000);
    expect(await shop.held('R-1')).toMatchObject([{ status: 'success' }]);
  });

  test('is refused at once under a number whose sale was refused on another day, of which a person decides', async () => {
    await shop.fault('/transactions/earn', { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);
    const sale = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', amount_minor: 9000 };
    await call('POST', sale, 'main', '/v1/transactions/earn');
    await shop.pass(2_000);
    const first_business_date = shop.core.calendar.dateOf(shop.operation('R-1').occurredAtMs);
    await shop.pass(24 * 3_600_000, 600_000);
    expect(await hand({ amount_minor: 12500, external_ref: 'R-1' })).toMatchObject({
      status: 409,
      json: { error: { code: 'DUPLICATE_TRANSACTION', details: ['external_ref', { first_business_date }] } },
    });
    expect(await waiting()).toBeNull();
  });

  test('has its program’s prefix before the reference, and the cashier reads it without', async () => {
    const answer = await hand({ amount_minor: 12500, external_ref: '7' }, 'prefixed');
    expect(answer.json).toMatchObject({ sale: { external_ref: '7' } });
    expect((await call('GET', undefined, 'prefixed')).json).toMatchObject({ sale: { external_ref: '7' } });
    expect(await waiting()).toMatchObject({ receipt_number: '7' });
    expect(await earnHanded()).toMatchObject({ ok: true, value: { operation: { external_ref: 'B-7' } } });
  });
});

test('a program without a token, a foreign page and a wrong field hand nothing over', async () => {
  const refused = [
    [{ amount_minor: 12.5 }, 'amount_minor'],
    [{ amount_minor: 0 }, 'amount_minor'],
    [{}, 'amount_minor'],
    [{ amount_minor: 1, currency: 'USD' }, 'currency'],
    [{ amount_minor: 1, receipt: '4' }, 'receipt'],
    [{ amount_minor: 1, external_ref: '' }, 'external_ref'],
  ] as const;
  for (const [body, field] of refused) {
    const { status, json } = await hand(body);
    expect([status, json.error.details.length, json.error.details[0].field]).toEqual([400, 1, field]);
  }
  const wrong = await bridge.call('POST', path, { amount_minor: 1 }, { authorization: 'Bearer nobody' });
  const foreign = await bridge.call('POST', path, { amount_minor: 1 }, { origin: 'https://elsewhere.example' });
  expect([wrong.status, foreign.status]).toEqual([401, 403]);
  const asked = await bridge.call('OPTIONS', path, undefined, { origin: listedOrigin });
  expect(asked.headers.get('access-control-allow-methods')).toContain('DELETE');
  expect(await waiting()).toBeNull();
});
