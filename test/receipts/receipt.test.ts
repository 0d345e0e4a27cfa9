import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
// Loaded before any test: the fake clock would not wait for the file to be read.
import '../../app/receipts/escpos.ts';
import { receiptOf } from '../../app/receipts/receipt.ts';
import { receiptFacts } from '../../app/receipts/receipt-facts.ts';
import type { Till } from '../../app/till/till.ts';
import { foundCustomerSchema } from '../../shared/till/views.ts';
import { localToken } from '../support/bridge-server.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { readEscpos } from '../support/escpos-reader.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

const tokens = { main: localToken, second: 'tb_local_second', prefixed: 'tb_local_prefixed' } as const;

let shop: CounterShop;
let bridge: ShopBridge;
let till: Till;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
  const opened = tillOf({ core: shop.core, clock: shop.clock, onFault: (error) => bridge.faults.push(error) });
  onTestFinished(() => opened.close());
  till = opened;
});

const call = (method: string, at: string, body?: object, program: keyof typeof tokens = 'main') =>
  shop.passUntil(bridge.call(method, at, body, { authorization: `Bearer ${tokens[program]}` }));
const ask = async (command: string, input: object) => {
  const reply = await shop.passUntil(till.handle({ command, input }));
  expect(reply).toMatchObject({ ok: true });
  return reply.ok ? reply.value : null;
};
/** A sale of the screen under a POS program's reference, which may read its receipt. */
const earn = async (reference: string, more: object = {}) => {
  await call('POST', '/v1/agent/screen/sale', { amount_minor: 12500, external_ref: reference });
  const state = await ask('state.read', {});
  const { handed_over } = state as { handed_over: { id: string } };
  const operation_id = shop.newId();
  const sale = { amount_minor: 12500, handed_over_id: handed_over.id, customer_name: 'Fatima', ...more };
  await ask('operation.earn', { operation_id, identifier: { loyalty_id: 'LC-1001' }, ...sale });
  return operation_id;
};
const saleOf = (external_ref: string) => ({ identifier: { loyalty_id: 'LC-1002' }, amount_minor: 5000, external_ref });
const redeem = (body: object) =>
  call('POST', '/v1/transactions/redeem', { identifier: { loyalty_id: 'LC-1001' }, ...body });
const receipt = (reference: string, more = '', program: keyof typeof tokens = 'main') =>
  call('GET', `/v1/agent/receipt?external_ref=${reference}${more}`, undefined, program);
const linesOf = async (reference: string, more = '') => (await receipt(reference, more)).json.receipt.lines;
/** The till looks a customer up. @returns the first card's id */
const lookUp = async (loyalty_id: string): Promise<string> => {
  const found = foundCustomerSchema.parse(await ask('customer.find', { identifier: { loyalty_id } }));
  return found.profile.cards[0]?.card_id ?? '';
};
const dated = expect.stringMatching(/^Till 1: .*20\d\d.*\d\d:\d\d$/);

describe('the receipt of a number that a purchase and a redemption share', () => {
  const both = async () => {
    await redeem({ external_ref: 'R-1', points: 40 });
    await call('POST', '/v1/transactions/earn', { ...saleOf('R-1'), identifier: { loyalty_id: 'LC-1001' } });
    await shop.pass(5_000);
  };

  test('tells both, the first one first', async () => {
    await both();
    const lines: readonly string[] = await linesOf('R-1', '&locale=en');
    const [spent, earned] = [lines.indexOf('Spent 40 points'), lines.findIndex((line) => line.startsWith('Earned'))];
    expect(spent).toBeGreaterThanOrEqual(0);
    expect(earned).toBeGreaterThan(lines.indexOf(''));
    expect(lines.indexOf('')).toBeGreaterThan(spent);
  });

  test('leaves out what was not done, and is refused where nothing was', async () => {
    await call('POST', '/v1/transactions/earn', saleOf('R-1'));
    await shop.fault('/transactions/redeem', { type: 'error', status: 422, code: 'INSUFFICIENT_BALANCE' });
    await redeem({ external_ref: 'R-1', points: 40 });
    await redeem({ external_ref: 'R-2', points: 40 });
    await shop.pass(5_000);
    const lines: readonly string[] = await linesOf('R-1', '&locale=en');
    expect(lines.some((line) => line.startsWith('Earned'))).toBe(true);
    expect(lines).not.toContain('');
    expect(await receipt('R-2')).toMatchObject({ status: 409, json: { error: { details: ['not_done'] } } });
  });
});

test('the receipt of a sale that a manager sent under another number is found by the first one', async () => {
  await shop.fault('/transactions/earn', { type: 'error', status: 409, code: 'DUPLICATE_TRANSACTION' }, 1);
  await call('POST', '/v1/transactions/earn', saleOf('R-1'));
  await shop.pass(2_000);
  expect((await receipt('R-1')).status).toBe(409);
  const { operationId } = shop.operation('R-1');
  await shop.core.replace(operationId, { person: 'Mona', reason: 'a number of yesterday' });
  await shop.pass(20_000);
  expect(await linesOf('R-1', '&locale=en')).toEqual(
    expect.arrayContaining(['Earned KWD 5.000', 'Receipt: R-1', expect.stringMatching(/ now$/)]),
  );
});

describe('the receipt of a sale', () => {
  test('says what happened in the words of its row, the balance, the number and the date, and names no customer', async () => {
    await earn('R-4471', { identifier: { phone: '+96599887766' } });
    await shop.pass(5_000);
    const { status, json } = await receipt('R-4471');
    expect(status).toBe(200);
    const said = ['Earned KWD 12.500', '257.5 points now'];
    expect(json.receipt.lines).toEqual([...said, 'Card: **** 7766', 'Receipt: R-4471', dated]);
    expect(JSON.stringify(json)).not.toMatch(/9988|Fatima/);
  });

  test('says what a purchase brought and what a reward has cost, once the till has seen both', async () => {
    const card_id = await lookUp('LC-1001');
    await earn('R-1', { card_id });
    await shop.pass(5_000);
    const told = ['+12 points', 'Earned KWD 12.500', '257.5 points now'];
    const card = 'Card: Rewards club';
    expect(await linesOf('R-1')).toEqual([...told, card, 'Receipt: R-1', dated]);
    // Without a look before it nobody knows what the second one brought.
    await earn('R-2', { card_id, repeat: 'accepted' });
    await shop.pass(5_000);
    expect((await linesOf('R-2')).slice(0, 2)).toEqual(['Earned KWD 12.500', '269.5 points now']);

    expect(shop.core.cards.goals()).toEqual([]);
    await lookUp('LC-1001');
    const gift = { reward: true, reward_id: 'rwd_coffee', given_name: 'Free coffee', customer_name: null, card_id };
    const identifier = { loyalty_id: 'LC-1001' };
    await ask('operation.redeem', { operation_id: shop.newId(), identifier, ...gift });
    // Another till may have used the card meanwhile: one reward teaches nothing.
    expect(shop.core.cards.goals()).toEqual([]);
    await shop.pass(1_000);
    await lookUp('LC-1001');
    await ask('operation.redeem', { operation_id: shop.newId(), identifier, ...gift });
    expect(shop.core.cards.goals()).toEqual([{ card: 'Rewards club', each: 100, reward: null }]);
    expect(await ask('state.read', {})).toMatchObject({ reward_goals: [{ card: 'Rewards club', each: 100 }] });
    await shop.pass(1_000);
    await lookUp('LC-1001');
    await earn('R-3', { card_id, repeat: 'accepted' });
    await shop.pass(5_000);
    expect((await linesOf('R-3')).slice(2, 4)).toEqual(['81.5 points now', '18.5 more to the next reward']);
    const arabic = ['+\u2068١٢ نقطة\u2069', 'إضافة عن \u2068١٢٫٥٠٠\u00a0د.ك\u2069', 'الرصيد الآن ٨١٫٥ نقطة'];
    const inArabic = await linesOf('R-3', '&locale=ar');
    expect(inArabic.slice(0, 3)).toEqual(arabic);
    expect(inArabic.at(-1)).toMatch(/^\u2068Till 1\u2069: /);
    const both = await linesOf('R-3', '&locale=both');
    expect([both[0], both.indexOf(''), both[both.indexOf('') + 1]]).toEqual(['+12 points', 7, arabic[0]]);
    // A printer of plain letters prints all of the English ones.
    expect(both.slice(0, 7).join('')).toMatch(/^[ -~]+$/);
  });

  test('says nothing of a gain where another sale of the card was on its way when it was looked up', async () => {
    const card_id = await lookUp('LC-1001');
    await earn('R-1', { card_id });
    await lookUp('LC-1001');
    await earn('R-2', { card_id, repeat: 'accepted' });
    await shop.pass(5_000);
    expect((await linesOf('R-1'))[0]).toBe('Earned KWD 12.500');
    expect((await linesOf('R-2')).slice(0, 2)).toEqual(['Earned KWD 12.500', '269.5 points now']);
    await lookUp('LC-1001');
    await earn('R-3', { card_id, repeat: 'accepted' });
    await shop.pass(5_000);
    await earn('R-4', { card_id, repeat: 'accepted' });
    await shop.pass(5_000);
    // What came later took nothing from it.
    expect((await linesOf('R-3'))[0]).toBe('+12 points');
  });

  test('learns no price of a reward from a card that another sale has changed since it was looked up', async () => {
    for (const sale of ['R-1', 'R-2']) {
      const card_id = await lookUp('LC-1001');
      // Without a card it goes to the same one; what is left then agrees with a price of 88, too.
      await earn(sale, { repeat: 'accepted' });
      await shop.pass(5_000);
      const gift = { reward: true, reward_id: 'rwd_coffee', given_name: 'Free coffee', customer_name: null, card_id };
      const identifier = { loyalty_id: 'LC-1001' };
      await ask('operation.redeem', { operation_id: shop.newId(), identifier, ...gift });
      await shop.pass(1_000);
    }
    expect(shop.core.cards.goals()).toEqual([]);
  });

  test('names the cashier who took it, and no manager where nobody was named', async () => {
    await shop.core.people.addManager('Mona', '8024');
    await shop.core.people.addCashier({ name: 'Sami', employeeRef: 'emp-7', badge: 'B-1001' });
    await call('POST', '/v1/transactions/earn', { ...saleOf('R-1'), employee_ref: 'emp-7' });
    await call('POST', '/v1/transactions/earn', saleOf('R-2'));
    expect((await linesOf('R-1')).at(-1)).toMatch(/^Till 1, Sami: /);
    expect((await linesOf('R-2')).at(-1)).toMatch(/^Till 1: /);
  });

  test('says how many stamps were added, also where ten of them became a reward', async () => {
    const card_id = await lookUp('LC-1003');
    const operation_id = shop.newId();
    const stamps = { stamps: 12, card_id, customer_name: null };
    await ask('operation.earn', { operation_id, identifier: { loyalty_id: 'LC-1003' }, ...stamps });
    await shop.pass(5_000);
    const operation = shop.core.operationById(operation_id);
    if (operation === null) throw new Error('There is no operation');
    const receipt = receiptOf(receiptFacts(shop.core, operation, 'R-1'), 'en');
    expect([receipt?.hero, ...(receipt?.said ?? [])]).toEqual(['Added 12 stamps', '9 stamps now']);
  });

  test('tells no balance as the present one once the card was used again', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    expect(await linesOf('R-1')).toContain('257.5 points now');
    expect((await redeem({ external_ref: 'R-2', points: 100_000 })).status).toBe(422);
    expect(await linesOf('R-1')).toContain('257.5 points now');
    expect((await redeem({ external_ref: 'R-3', points: 200 })).status).toBe(200);
    expect(await linesOf('R-1')).toEqual(['Earned KWD 12.500', 'Receipt: R-1', dated]);
    expect(await linesOf('R-3')).toContain('57.5 points now');
  });

  test('tells no balance of a card that an earlier sale was taken back from since', async () => {
    const reverses = await earn('R-1');
    await shop.pass(5_000);
    await earn('R-2', { repeat: 'accepted' });
    await shop.pass(5_000);
    expect(await linesOf('R-2')).toContain('269.5 points now');
    await ask('operation.reverse', { operation_id: shop.newId(), reverses });
    await shop.pass(5_000);
    expect((await linesOf('R-2')).join()).not.toContain(' now');
  });

  test('tells a balance for ten minutes, because another till may have changed it', async () => {
    const card_id = await lookUp('LC-1001');
    await earn('R-1', { card_id });
    await shop.pass(9 * 60_000);
    expect((await linesOf('R-1')).slice(0, 3)).toEqual(['+12 points', 'Earned KWD 12.500', '257.5 points now']);
    await shop.pass(2 * 60_000);
    expect((await linesOf('R-1')).slice(0, 2)).toEqual(['+12 points', 'Earned KWD 12.500']);
    expect((await linesOf('R-1')).join()).not.toContain(' now');
  });

  test('tells no balance of the time of a sale that was found later', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    const [operation] = shop.core.operationsByReference('R-1');
    if (operation?.completedAtMs == null) throw new Error('There is no completed operation');
    const found = { ...operation, completedAtMs: operation.completedAtMs - 3_600_000 };
    expect(receiptFacts(shop.core, operation, 'R-1').isBalancePresent).toBe(true);
    expect(receiptFacts(shop.core, found, 'R-1').isBalancePresent).toBe(false);
  });

  test('of a sale that waits says that it follows, and when; it shows no balance', async () => {
    const card_id = await lookUp('LC-1001');
    await shop.fault('/transactions/earn', { type: 'offline' });
    await earn('R-2', { card_id });
    await shop.pass(2_000);
    const follows = ['KWD 12.500', 'Points follow', 'when the till is online again'];
    expect((await linesOf('R-2')).slice(0, 3)).toEqual(follows);
    expect(await linesOf('R-2')).toHaveLength(6);
  });

  test('says that it was reversed, or cancelled before it was sent', async () => {
    const reverses = await earn('R-1');
    await shop.pass(5_000);
    await ask('operation.reverse', { operation_id: shop.newId(), reverses });
    await shop.pass(5_000);
    const back = ['Reversed', 'Took back KWD 12.500'];
    expect(await linesOf('R-1')).toEqual([...back, 'Receipt: R-1', dated]);
    await shop.fault('/transactions/earn', { type: 'offline' });
    await shop.pass(1_000);
    const unsent = await earn('R-2', { amount_minor: 7250 });
    await shop.pass(1_000);
    await ask('operation.cancel', { operation_id: unsent });
    expect((await linesOf('R-2')).slice(0, 2)).toEqual(['Cancelled', 'KWD 7.250']);
  });

  test('names a reward as given and a coupon as used, and has nothing of what was refused', async () => {
    expect((await redeem({ reward: true, reward_id: 'rwd_cake', external_ref: 'R-1' })).status).toBe(200);
    expect((await linesOf('R-1'))[0]).toBe('Gave a reward');
    const coupon = { identifier: { loyalty_id: 'LC-1006' }, coupon_code: 'LC-1006' };
    const card_id = await lookUp('LC-1006');
    expect((await redeem({ ...coupon, coupon_code: card_id, external_ref: 'R-2' })).status).toBe(200);
    expect((await linesOf('R-2'))[0]).toBe('Used a coupon');
    expect((await redeem({ points: 100_000, external_ref: 'R-3' })).status).toBe(422);
    expect((await receipt('R-3')).status).toBe(409);
  });

  test('is made of what was done alone, and tells who waits online only that it follows', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    const [operation] = shop.core.operationsByReference('R-1');
    if (operation === undefined) throw new Error('There is no operation');
    const facts = { ...receiptFacts(shop.core, operation, 'R-1'), isOnline: true };
    for (const state of ['refused', 'failed', 'written_off'] as const) {
      expect(receiptOf({ ...facts, operation: { ...operation, state } }, 'en')).toBeNull();
    }
    const waits = receiptOf({ ...facts, operation: { ...operation, state: 'queued' } }, 'en');
    expect(waits?.said).toEqual(['Loyalty credit follows']);
    const coupon = { ...operation, intent: 'redeem', givenKind: 'coupon', givenName: null, amountMinor: null } as const;
    const ofCoupon = (state: 'unknown' | 'reversed', locale: 'en' | 'ar') =>
      receiptOf({ ...facts, operation: { ...coupon, state } }, locale);
    expect(ofCoupon('unknown', 'en')?.hero).toBe('1 coupon');
    expect(ofCoupon('unknown', 'ar')?.hero).toBe('قسيمة واحدة');
    expect(ofCoupon('reversed', 'en')?.said).toEqual(['Gave back 1 coupon']);
  });

  test('comes as the bytes for a printer, too, with the same words', async () => {
    await earn('R-1');
    await shop.pass(5_000);
    const get = (more: string) =>
      shop.passUntil(
        fetch(`http://127.0.0.1:${bridge.port}/v1/agent/receipt?external_ref=R-1&format=escpos${more}`, {
          headers: { authorization: `Bearer ${tokens.main}` },
        }),
      );
    const answer = await get('&columns=32');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.escpos']);
    const { begins, lines, isCut } = readEscpos(await answer.bytes());
    expect([begins, isCut]).toEqual(['initialized', true]);
    expect(lines.map((line) => line.trim())).toEqual(expect.arrayContaining(['Earned KWD 12.500', '257.5 points now']));
    for (const [more, field] of [
      ['&columns=40', 'columns'],
      ['&format=pdf', 'format'],
    ] as const) {
      const wrong = await receipt('R-1', more);
      expect(wrong).toMatchObject({ status: 400, json: { error: { details: [{ field }] } } });
    }
  });

  test('is the program’s own alone, and a wrong question names its field', async () => {
    await earn('R-4471');
    expect((await receipt('R-4471', '', 'second')).status).toBe(404);
    expect((await receipt('R-none')).status).toBe(404);
    // What a program reads is the number that it gave, not the one with the prefix of its references.
    const sale = { identifier: { loyalty_id: 'LC-1001' }, amount_minor: 7000, external_ref: 'R-9' };
    await call('POST', '/v1/transactions/earn', sale, 'prefixed');
    expect((await receipt('R-9', '', 'prefixed')).json.receipt.lines).toContain('Receipt: R-9');
    const wrong = await receipt('R-4471', '&locale=xx');
    expect(wrong).toMatchObject({ status: 400, json: { error: { details: [{ field: 'locale' }] } } });
  });
});
