import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { answerInstead, callOf, said, withFields } from '../support/meddling.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const identifier = { loyalty_id: 'LC-1001' };
const post = (path: string, body?: object) => shop.passUntil(bridge.call('POST', `/v1${path}`, body));
const get = (path: string) => shop.passUntil(bridge.call('GET', `/v1${path}`));
const earn = (ref: string) => post('/transactions/earn', { identifier, external_ref: ref, points: 10 });
const redeem = (ref: string) => post('/transactions/redeem', { identifier, external_ref: ref, points: 10 });
const reverse = (ref: string, intent: string, part: object = {}) =>
  post('/transactions/reverse', { external_ref: ref, intent, ...part });
const refuse = (path: string) => shop.fault(path, { type: 'error', status: 422, code: 'CARD_NOT_ELIGIBLE' }, 1);

const reused = {
  status: 409,
  json: {
    error: {
      code: 'DUPLICATE_TRANSACTION',
      message: expect.stringMatching(
        /^reversal_ref V-1 already stands for another request\..* Differing: external_ref\.$/,
      ),
      details: ['reversal_ref_reused'],
    },
  },
};

describe('a reversal_ref', () => {
  test.each(['earn', 'redeem'])(
    'that was used for another original is 409, and takes nothing back (%s)',
    async (intent) => {
      const take = intent === 'earn' ? earn : redeem;
      await take('R-1');
      await take('R-2');
      await shop.pass(5_000);
      expect((await reverse('R-1', intent, { reversal_ref: 'V-1' })).status).toBe(202);
      const other = await reverse('R-2', intent, { reversal_ref: 'V-1' });
      expect(other).toMatchObject(reused);
      await shop.pass(10_000);
      expect((await get('/transactions?external_ref=R-2')).json.data).toMatchObject([{ status: 'success' }]);
    },
  );

  test('that was used for a sale that only the service knows is 409 for another such sale', async () => {
    for (const ref of ['R-1', 'R-2']) {
      await shop.call('POST', '/v1/transactions/earn', { identifier, external_ref: ref, points: 3 });
    }
    await shop.pass(5_000);
    expect((await reverse('R-1', 'earn', { reversal_ref: 'V-1' })).status).toBe(202);
    expect(await reverse('R-2', 'earn', { reversal_ref: 'V-1' })).toMatchObject(reused);
  });

  test('that was used for what was taken back before it was sent is 409 for another one', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('R-1');
    await earn('R-2');
    expect((await reverse('R-1', 'earn', { reversal_ref: 'V-1' })).status).toBe(202);
    expect((await reverse('R-2', 'earn', { reversal_ref: 'V-1' })).status).toBe(409);
    await shop.mend();
    await shop.pass(60_000);
    expect(await shop.points()).toBe(255.5);
  });

  test('that is new for what was taken back before it was sent is 409, and takes back no other till’s sale', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('R-1');
    expect((await reverse('R-1', 'earn', { reversal_ref: 'V-1' })).status).toBe(202);
    await shop.mend();
    await shop.pass(60_000);
    await shop.call('POST', '/v1/transactions/earn', { identifier, external_ref: 'R-1', points: 3 });
    await shop.pass(5_000);
    const other = await reverse('R-1', 'earn', { reversal_ref: 'V-2' });
    expect(other).toMatchObject({ status: 409, json: { error: { code: 'ALREADY_REVERSED' } } });
    await shop.pass(10_000);
    expect((await shop.held('R-1')).map(({ status }) => status)).toEqual(['success']);
    expect(shop.core.operationsByReference('V-2')).toEqual([]);
  });

  test('that was made for what was taken back before it was sent leaves another till’s sale to its id', async () => {
    await shop.fault('/*', { type: 'offline' });
    await shop.pass(20_000);
    await earn('R-1');
    expect((await reverse('R-1', 'earn')).status).toBe(202);
    await shop.mend();
    await shop.pass(60_000);
    const theirs = { identifier, external_ref: 'R-1', points: 10 };
    const { transaction_id: id } = await shop.call('POST', '/v1/transactions/earn', theirs);
    await shop.pass(5_000);
    const byId = (part?: object) => post(`/transactions/${id}/reverse`, part);
    // Its own reference says that it is another reversal.
    expect((await byId({ reversal_ref: 'reverse-earn-R-1' })).status).toBe(409);
    const taken = await byId();
    expect(taken).toMatchObject({ status: 202, json: { reverses_transaction_id: id } });
    await shop.pass(10_000);
    const { transaction_id } = taken.json;
    expect(await byId()).toMatchObject({ status: 200, json: { duplicate: true, transaction_id } });
    expect((await shop.held('R-1')).map(({ status }) => status)).toEqual(['reversed']);
    expect(await reverse('R-1', 'earn')).toMatchObject({ status: 200, json: { duplicate: true } });
  });

  test('whose reversal the service has recorded as failed is used up, and says so', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    const first = await reverse('R-1', 'earn', { reversal_ref: 'V-1' });
    await shop.pass(100, 50);
    const read = await get(`/transactions/${first.json.transaction_id}`);
    await shop.call('POST', `/_sandbox/transactions/${read.headers.get('x-service-transaction-id')}/fail`, {
      code: 'INTERNAL',
    });
    await shop.pass(20_000);
    expect(await reverse('R-1', 'earn', { reversal_ref: 'V-1' })).toMatchObject({
      status: 409,
      json: { error: { details: ['reversal_failed'] } },
    });
    expect((await reverse('R-1', 'earn', { reversal_ref: 'V-2' })).status).toBe(202);
    await shop.pass(10_000);
    expect(await shop.points()).toBe(245.5);
  });
});

test.each([
  ['earn', { points: 10 }],
  ['redeem', { points: 10 }],
  ['redeem', { reward: true, reward_id: 'rwd_cake' }],
])('what never succeeded is 400, and its record keeps its error (%s %o)', async (intent, value) => {
  await refuse(`/transactions/${intent}`);
  await post(`/transactions/${intent}`, { identifier, external_ref: 'R-1', ...value });
  await shop.pass(2_000);
  const failed = { status: 'failed', error: { code: 'CARD_NOT_ELIGIBLE' } };
  const [before] = (await get('/transactions?external_ref=R-1')).json.data;
  expect(before).toMatchObject(failed);
  const answers = [await reverse('R-1', intent), await post(`/transactions/${before.transaction_id}/reverse`)];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 400, json: { error: { details: ['transaction_not_succeeded'] } } });
  }
  expect((await get(`/transactions/${before.transaction_id}`)).json).toMatchObject(failed);
});

test('what never succeeded is 400 at once, too, where the service was put back as it was before', async () => {
  await earn('R-0');
  await shop.pass(40_000);
  await shop.call('POST', '/_sandbox/reset');
  await refuse('/transactions/earn');
  await earn('R-1');
  await shop.pass(2_000);
  expect(await reverse('R-1', 'earn')).toMatchObject({
    status: 400,
    json: { error: { details: ['transaction_not_succeeded'] } },
  });
});

describe('what the service refused because it holds another till’s record under the reference', () => {
  const theirs = { loyalty_id: 'LC-B' };
  const other = (path: string, body: object) => shop.call('POST', `/v1${path}`, body);
  const hold = (path: string, points: number) => other(path, { identifier: theirs, external_ref: 'O-1', points });
  beforeEach(async () => {
    await shop.call('POST', '/_sandbox/customers', {
      cards: [{ template_id: 'tpl_reward', loyalty_id: 'LC-B', balances: { points: 300 } }],
    });
  });
  const neverSucceeded = { status: 400, json: { error: { details: ['transaction_not_succeeded'] } } };
  const failed = { status: 'failed', error: { code: 'DUPLICATE_TRANSACTION' } };

  test.each([
    ['earn', () => hold('/transactions/earn', 100), () => earn('O-1')],
    ['redeem', () => hold('/transactions/redeem', 100), () => redeem('O-1')],
    [
      'redeem',
      async () => {
        const held = await hold('/redemptions/reserve', 100);
        await other(`/redemptions/${held.reservation_id}/commit`, { external_ref: 'O-1' });
      },
      async () => {
        const held = await post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 10 });
        await post(`/redemptions/${held.json.reservation_id}/commit`, { external_ref: 'O-1' });
      },
    ],
  ])('is 400 by reference and by id, and the record stands (%s)', async (intent, takeTheirs, takeOurs) => {
    await takeTheirs();
    await shop.pass(3_000);
    await takeOurs();
    await shop.pass(5_000);
    const [ours] = (await get('/transactions?external_ref=O-1')).json.data;
    expect(ours).toMatchObject(failed);
    for (const part of [{}, { reversal_ref: 'V-1' }, { points: 10 }]) {
      expect(await reverse('O-1', intent, part)).toMatchObject(neverSucceeded);
    }
    expect(await post(`/transactions/${ours.transaction_id}/reverse`)).toMatchObject(neverSucceeded);
    expect((await get(`/transactions/${ours.transaction_id}`)).json).toMatchObject(failed);
    const decider = { person: 'Mona', reason: 'typed twice' };
    const { operationId = '' } = shop.core.operationByTransactionId(ours.transaction_id) ?? {};
    await shop.core.writeOff(operationId, decider);
    expect(await reverse('O-1', intent)).toMatchObject(neverSucceeded);
    await shop.pass(10_000);
    expect(await shop.held('O-1')).toMatchObject([{ status: 'success' }]);
  });
});

describe.each(['earn', 'redeem'])('the reversal of what another till has done (%s)', (intent) => {
  const elsewhere = async () => {
    const path = `/v1/transactions/${intent}`;
    const { transaction_id: id } = await shop.call('POST', path, { identifier, external_ref: 'X-1', points: 10 });
    await shop.pass(3_000);
    return id;
  };
  const ways = {
    'by reference': () => reverse('X-1', intent),
    'by reference, its value named': () => reverse('X-1', intent, { points: 10 }),
    'by id': (id: string) => post(`/transactions/${id}/reverse`),
    'by id, its value named': (id: string) => post(`/transactions/${id}/reverse`, { points: 10 }),
  };
  const names = Object.keys(ways) as (keyof typeof ways)[];

  test.each(names)('is one reversal however it is asked for again, first %s', async (first) => {
    const id = await elsewhere();
    const taken = await ways[first](id);
    expect(taken).toMatchObject({ status: 202, json: { reverses_transaction_id: id } });
    for (const passedMs of [0, 5_000]) {
      await shop.pass(passedMs);
      for (const again of names) {
        const { transaction_id } = taken.json;
        const reply = await ways[again](id);
        expect(reply, again).toMatchObject({ status: 200, json: { duplicate: true, transaction_id } });
      }
    }
    expect(await shop.points()).toBe(245.5);
  });

  test('is not promised on the answer to another reversal', async () => {
    const id = await elsewhere();
    await shop.call('POST', '/v1/transactions/earn', { identifier, external_ref: 'Y-1', points: 3 });
    await shop.pass(3_000);
    const [other] = await shop.held('Y-1');
    const asked = callOf('POST', '/transactions/reverse', '"X-1"');
    const about = { transaction_id: other?.transaction_id, reverses_transaction_id: other?.transaction_id };
    answerInstead(shop, asked, (own) => withFields(own, about), { times: 1 });
    const first = await reverse('X-1', intent);
    expect(first).toMatchObject({ status: 504, json: { error: { details: ['outcome_unknown'] } } });
    const again = await reverse('X-1', intent);
    expect(again).toMatchObject({ status: 200, json: { reverses_transaction_id: id } });
    await shop.pass(10_000);
    expect(await shop.points()).toBe(248.5);
  });

  test('is found out by itself when the service no longer knew it', async () => {
    await elsewhere();
    const poll = callOf('GET', /^\/transactions\/txn_/);
    const error = { code: 'VALIDATION_ERROR', message: 'Not found', retryable: false, request_id: 'req_1' };
    const lost = answerInstead(shop, poll, () => said(404, { error }), { times: 1 });
    expect((await reverse('X-1', intent, { reversal_ref: 'V-1' })).status).toBe(202);
    await shop.pass(10 * 60_000, 5_000);
    expect(lost.count).toBe(1);
    expect(shop.core.operationsByReference('V-1')).toMatchObject([{ state: 'applied' }]);
  });

  test('is not done in part, also after it was done whole', async () => {
    const id = await elsewhere();
    const parts = [
      () => reverse('X-1', intent, { points: 4 }),
      () => post(`/transactions/${id}/reverse`, { points: 4 }),
    ];
    for (const part of parts) expect((await part()).status).toBe(400);
    await reverse('X-1', intent);
    for (const part of parts) expect((await part()).status).toBe(400);
  });
});

test('a value that a reversal names in full stays with its original: the record of the reversal has none', async () => {
  await earn('R-1');
  await shop.pass(5_000);
  const [original] = (await get('/transactions?external_ref=R-1')).json.data;
  const { points } = original;
  expect(points).toBeGreaterThan(0);
  const reversal = await reverse('R-1', 'earn', { points });
  expect(reversal.status).toBe(202);
  await shop.pass(10_000);
  const record = await get(`/transactions/${reversal.json.transaction_id}`);
  expect(record.json).toMatchObject({ status: 'success', points: null, amount_minor: null, currency: null });
  expect((await get('/transactions?external_ref=R-1')).json.data).toMatchObject([{ status: 'reversed', points }]);
});

describe('the value of a commit', () => {
  async function committed(): Promise<void> {
    const held = await post('/redemptions/reserve', { identifier, external_ref: 'C-1', points: 100 });
    await post(`/redemptions/${held.json.reservation_id}/commit`, { external_ref: 'O-1' });
  }

  test('may be named in full by its reversal', async () => {
    await committed();
    expect((await reverse('O-1', 'redeem', { points: 100 })).status).toBe(202);
    await shop.pass(5_000);
    expect(await shop.points()).toBe(245.5);
  });

  test.each([{ points: 40 }, { amount_minor: 100 }])('is not reversed in part (%o)', async (part) => {
    await committed();
    expect((await reverse('O-1', 'redeem', part)).status).toBe(400);
    expect(await shop.points()).toBe(145.5);
  });
});

test.each(['by reference', 'by id'])(
  'a sale that stands in the place of a failed one is what its name means (%s)',
  async (way) => {
    const first = await earn('R-7');
    await shop.pass(100, 50);
    const read = await get(`/transactions/${first.json.transaction_id}`);
    await shop.call('POST', `/_sandbox/transactions/${read.headers.get('x-service-transaction-id')}/fail`, {
      code: 'INTERNAL',
    });
    await shop.pass(5_000);
    const [failed] = shop.core.operationsByReference('R-7');
    await shop.core.replace(failed?.operationId ?? '', { person: 'Mona', reason: 'again' });
    await shop.pass(5_000);
    expect(await shop.points()).toBe(255.5);
    const { transaction_id } = first.json;
    const told = {
      transaction_id,
      external_ref: 'R-7',
      status: 'success',
      error: null,
      new_balances: { points: 255.5 },
    };
    expect((await get(`/transactions/${transaction_id}`)).json).toMatchObject(told);
    expect((await get('/transactions?external_ref=R-7')).json.data).toMatchObject([told]);
    expect(await earn('R-7')).toMatchObject({ status: 200, json: { ...told, duplicate: true } });
    const taken = { status: 202, json: { reverses_transaction_id: transaction_id } };
    expect(
      await (way === 'by id' ? post(`/transactions/${transaction_id}/reverse`) : reverse('R-7', 'earn')),
    ).toMatchObject(taken);
    await shop.pass(10_000);
    expect((await get(`/transactions/${transaction_id}`)).json.status).toBe('reversed');
    expect((await get('/transactions?external_ref=R-7')).json.data).toMatchObject([{ status: 'reversed' }]);
    expect(await shop.held('R-7-2')).toMatchObject([{ status: 'reversed' }]);
    expect(await shop.points()).toBe(245.5);
  },
);

test('a redemption that was paid in full is taken back, also when its reversal was asked for before it came', async () => {
  expect((await reverse('R-1', 'redeem')).status).toBe(404);
  await shop.fault('/transactions/redeem', { type: 'drop_response' });
  await shop.fault('/transactions', { type: 'error', status: 503, code: 'INTERNAL' });
  const write = shop.redemption('R-1', { points: 40 });
  expect(await shop.passUntil(shop.core.perform(write, { waitMs: 2_000 }))).toMatchObject({ kind: 'unknown' });
  await shop.core.decide(write.operationId, 'take_full_payment');
  await shop.mend();
  await shop.pass(120_000);
  expect(await shop.held('R-1')).toMatchObject([{ status: 'reversed' }]);
  expect(await shop.points()).toBe(245.5);
});

test.each([
  ['by who looks for its outcome', 10_000],
  ['after it had counted as never recorded', 400_000],
])(
  'a reversal that was passed on and lost, and comes after its redemption, shows on it: found %s',
  async (_, lateMs) => {
    await shop.fault('/transactions/reverse', { type: 'drop_request' }, 1);
    const part = { external_ref: 'R-1', intent: 'redeem', reversal_ref: 'V-1' };
    expect((await reverse('R-1', 'redeem', { reversal_ref: 'V-1' })).status).toBe(504);
    await redeem('R-1');
    await shop.pass(lateMs, 1_000);
    await shop.call('POST', '/v1/transactions/reverse', part);
    await shop.pass(3_700_000, 20_000);
    const states = ['R-1', 'V-1'].map((ref) => shop.core.operationsByReference(ref).map(({ state }) => state));
    expect(states).toEqual([['reversed'], ['applied']]);
  },
);

test.each(['earn', 'redeem'])(
  'of an applied %s that the service calls reversed already though it stands, reads say what the service says',
  async (intent) => {
    await (intent === 'earn' ? earn : redeem)('R-1');
    await shop.pass(10_000);
    await shop.call('PATCH', '/_sandbox/settings', { apply_delay_ms: 20_000 });
    const elsewhere = { external_ref: 'R-1', intent, reversal_ref: 'X' };
    const { transaction_id } = await shop.call('POST', '/v1/transactions/reverse', elsewhere);
    const told = await reverse('R-1', intent, { reversal_ref: 'V-1' });
    expect(told.status).toBe(intent === 'earn' ? 202 : 409);
    await shop.pass(7_000);
    await shop.call('POST', `/_sandbox/transactions/${transaction_id}/fail`, { code: 'INTERNAL' });
    await shop.pass(20_000);
    const read = async (ref: string) => (await get(`/transactions?external_ref=${ref}`)).json.data;
    expect(await read('R-1')).toMatchObject([{ status: 'success' }]);
    expect(await read('V-1')).toMatchObject([{ status: 'pending' }]);
    // It is under way already: who asks for it again has the same one, and another one is too late.
    expect(await reverse('R-1', intent, { reversal_ref: 'V-1' })).toMatchObject({
      status: 200,
      json: { status: 'pending', duplicate: true },
    });
    expect((await reverse('R-1', intent, { reversal_ref: 'V-2' })).status).toBe(409);
    await shop.pass(180_000, 1_000);
    expect(await read('R-1')).toMatchObject([{ status: 'reversed' }]);
    expect(await read('V-1')).toMatchObject([{ status: 'success' }]);
  },
);

test('a sale and its reversal of the same millisecond are two, told apart by their ids and their order', async () => {
  const taken = await bridge.call('POST', '/v1/transactions/earn', { identifier, external_ref: 'R-1', points: 10 });
  const undone = await bridge.call('POST', '/v1/transactions/reverse', {
    external_ref: 'R-1',
    intent: 'earn',
    reversal_ref: 'R-1',
  });
  expect(undone).toMatchObject({ status: 202, json: { reverses_transaction_id: taken.json.transaction_id } });
  expect(undone.json.transaction_id).not.toBe(taken.json.transaction_id);
  await shop.pass(20_000);
  const { data } = (await get('/transactions?external_ref=R-1')).json;
  expect(data).toMatchObject([
    { transaction_id: taken.json.transaction_id, intent: 'earn', status: 'reversed' },
    { transaction_id: undone.json.transaction_id, intent: 'reverse' },
  ]);
  // At the till: the service notes when the reversal reached it.
  const [earn, reversal] = shop.core.operationsByReference('R-1');
  expect(earn?.occurredAtMs).toBe(reversal?.occurredAtMs);
  expect(await shop.points()).toBe(245.5);
});
