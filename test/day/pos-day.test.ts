import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { type AgentProcess, CommandProcess, newDataDir, startAgentProcess } from '../support/agent-process.ts';
import { type Line, openLine } from '../support/line.ts';
import { sandboxReadySchema } from '../support/program.ts';
import { type BookEntry, PosProgram } from './pos-program.ts';

const seed = Number(process.env.DAY_SEED ?? Date.now() % 1_000_000);
const flappingSales = process.env.LONG_TESTS === '1' ? 600 : 60;

let service: CommandProcess;
let agent: AgentProcess;
let line: Line;
let dataDir: string;
let pos: PosProgram;
let direct: PosProgram;
let control: PosProgram;
/** Points in the morning, by card. */
const morning = new Map<string, number>();

beforeAll(async () => {
  service = new CommandProcess(['sandbox', '--json', '--port', '0', '--seed', String(seed)]);
  const ready = sandboxReadySchema.parse(JSON.parse(await service.firstLine()));
  line = await openLine(ready.base_url);
  dataDir = newDataDir();
  agent = await startAgentProcess({
    dataDir,
    environment: { TILLBRIDGE_BASE_URL: line.url, TILLBRIDGE_API_KEY: ready.api_key },
  });
  pos = new PosProgram({ baseUrl: agent.base_url, key: agent.token, tries: 5, pauseMs: 150 });
  control = new PosProgram({ baseUrl: ready.control_url, key: ready.api_key, tries: 1, pauseMs: 0 });
  direct = new PosProgram({ baseUrl: ready.base_url, key: ready.api_key, tries: 1, pauseMs: 0 });
  for (const loyaltyId of ['LC-1001', 'LC-1009']) {
    morning.set(loyaltyId, (await profile(loyaltyId)).cards[0].balances.points);
  }
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  await line.close();
  await service.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Not as long as one waits on a line that seems good. (That it is a second: core/pauses, with a clock of its own.) */
const soonMs = 4_500;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The code that the service has sent to a phone. */
async function codeOf(enrollmentId: string): Promise<string> {
  return (await control.call('GET', `/otp/${enrollmentId}`)).body.otp;
}

type Held = Readonly<Record<string, unknown>> & { readonly intent: string; readonly status: string };

/** What the service itself holds of an entry. */
async function held(entry: BookEntry): Promise<readonly Held[]> {
  const { body } = await direct.call('GET', `/transactions?external_ref=${encodeURIComponent(entry.reference)}`);
  return (body.data as Held[]).filter(({ intent }) => intent === entry.intent);
}

function withoutId(entry: Readonly<Record<string, unknown>>) {
  return { ...entry, transaction_id: null };
}

const valueNames = ['amount_minor', 'points', 'stamps', 'visits'] as const;

/** State and value, as far as a record has one. */
function inWords(status: string, values: Readonly<Record<string, unknown>>): string {
  return [status, ...valueNames.map((name) => (values[name] == null ? '' : `${name}=${JSON.stringify(values[name])}`))]
    .join(' ')
    .trim();
}

/** The books of the POS and of the service, entry by entry. */
async function booksOf() {
  const ours: Record<string, string> = {};
  const theirs: Record<string, string> = {};
  for (const entry of pos.books) {
    const rows = await held(entry);
    const key = `${entry.intent} ${entry.reference}`;
    // An earn that was taken back before it ever went out is reversed, and the service has never heard of it.
    const wasNeverSent = entry.isTakenBack && entry.status === 'reversed' && rows.length === 0;
    const isNothing = entry.status === 'not_taken' || entry.status === 'failed' || wasNeverSent;
    ours[key] = isNothing ? 'nothing' : inWords(entry.status, entry.value);
    const [row] = rows;
    theirs[key] = row === undefined || row.status === 'failed' ? 'nothing' : inWords(row.status, row);
    if (rows.length > 1) theirs[key] = `${rows.length} times`;
  }
  return { ours, theirs };
}

const profile = async (loyaltyId: string) =>
  (await direct.call('POST', '/customers/identify', { loyalty_id: loyaltyId })).body;

/** What a card has by the books of the POS, from what it had in the morning. */
function pointsByBooks(loyaltyId: string, morning: number): number {
  return pos.books
    .filter(({ identifier }) => 'loyalty_id' in identifier && identifier.loyalty_id === loyaltyId)
    .filter(({ status }) => status === 'success')
    .reduce((sum, { intent, value }) => {
      // One point per whole 1.000 KWD; an explicit grant as it is.
      const earned = Number(value.points ?? Math.floor(Number(value.amount_minor ?? 0) / 1_000));
      return sum + (intent === 'earn' ? earned : -earned);
    }, morning);
}

describe(`a POS program that knows only the specification (seed ${seed})`, () => {
  it('does everything online as against the service itself', async () => {
    const card = { loyalty_id: 'LC-1001' };
    const found = await pos.call('POST', '/customers/identify', card);
    expect(found.status).toBe(200);
    expect((await pos.call('POST', '/customers/identify', { loyalty_id: 'NOBODY' })).status).toBe(404);
    expect((await pos.earn('ON-1', card, { amount_minor: 12_500, currency: 'KWD' })).status).toBe('pending');
    expect((await pos.earn('ON-2', { loyalty_id: 'LC-1003' }, { stamps: 1 })).status).toBe('pending');
    expect((await pos.earn('ON-3', { loyalty_id: 'LC-1004' }, { visits: 1 })).status).toBe('pending');
    expect((await pos.earn('ON-4', card, { points: 5 })).status).toBe('pending');
    await pos.closeDay(40_000);
    expect(pos.books.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);

    expect((await pos.redeem('ON-5', card, { points: 10 })).status).toBe('success');
    expect((await pos.redeem('ON-6', { loyalty_id: 'LC-1002' }, { amount_minor: 250, currency: 'KWD' })).status).toBe(
      'success',
    );
    expect((await pos.redeem('ON-7', { loyalty_id: 'LC-1003' }, { stamps: 1 })).status).toBe('success');
    expect((await pos.redeem('ON-8', { loyalty_id: 'LC-1005' }, { visits: 1 })).status).toBe('success');
    const tooMuch = await pos.redeem('ON-9', card, { points: 1_000_000 });
    expect(tooMuch).toMatchObject({ status: 'not_taken', errorCode: 'INSUFFICIENT_BALANCE' });
    const coupon = (await pos.call('POST', '/customers/identify', { loyalty_id: 'LC-1006' })).body.cards[0];
    expect(coupon.allowed_operations).toContain('redeem_coupon');
    const [first, again] = [
      await pos.redeem('ON-10', { loyalty_id: 'LC-1006' }, { coupon_code: coupon.card_id }),
      await pos.redeem('ON-11', { loyalty_id: 'LC-1006' }, { coupon_code: coupon.card_id }),
    ];
    expect(first.status).toBe('success');
    expect(again).toMatchObject({ status: 'not_taken', errorCode: 'COUPON_ALREADY_REDEEMED' });
    const rewardCard = (await pos.call('POST', '/customers/identify', { loyalty_id: 'LC-1003' })).body.cards[0];
    const reward = { reward: true, reward_id: rewardCard.available_rewards[0]?.reward_id };
    expect((await pos.redeem('ON-12', { loyalty_id: 'LC-1003' }, reward)).status).toBe('success');
  });

  it('takes its own writes back, by reference and by id, each once', async () => {
    const [first, second] = pos.books.filter(({ reference }) => reference === 'ON-4' || reference === 'ON-5');
    if (first === undefined || second === undefined) throw new Error('The day has not begun well');
    expect(await pos.reverse(first, 'by_reference')).toBe(true);
    expect(await pos.reverse(second, 'by_id')).toBe(true);
    expect(await pos.reverse(second, 'by_reference')).toBe(true);
    await pos.closeDay(10_000);
    await expect
      .poll(async () => {
        await pos.closeDay(1_000);
        return [first.status, second.status];
      })
      .toEqual(['reversed', 'reversed']);
  });

  it('reads what it wrote: by id, by reference, and in the customer’s history', async () => {
    for (const entry of pos.books.filter(({ transactionId }) => transactionId !== null)) {
      const { status, body } = await pos.call('GET', `/transactions/${entry.transactionId}`);
      expect({ status, reference: body.external_ref, is: body.status }).toEqual({
        status: 200,
        reference: entry.reference,
        is: entry.status,
      });
    }
    const { customer_id } = await profile('LC-1001');
    const all = await pos.history(customer_id, 2);
    const atTheService = await direct.history(customer_id, 100);
    expect(all.map(withoutId)).toEqual(atTheService.map(withoutId));
    // What this till has carried has its one id there too, under which it can be read.
    for (const entry of all) {
      const { body } = await pos.call('GET', `/transactions/${entry.transaction_id}`);
      expect(body).toMatchObject({ transaction_id: entry.transaction_id, external_ref: entry.external_ref });
    }
    const spent = all.filter(({ intent }) => intent === 'redeem').map(({ external_ref }) => external_ref);
    expect(spent).toEqual(pos.books.filter(({ reference }) => reference === 'ON-5').map(({ reference }) => reference));
    expect((await pos.call('GET', '/transactions/txn_nobody')).status).toBe(404);
    expect((await pos.call('GET', '/transactions?external_ref=NOBODY')).body).toEqual({ data: [] });
  });

  it('enrolls somebody with the code from their phone', async () => {
    const body = { external_ref: 'EN-1', phone: '+96550009911', name: 'Huda' };
    const begun = await pos.write('/customers/enroll', body, 'EN-1');
    expect(begun.body).toMatchObject({ status: 'awaiting_otp' });
    const { enrollment_id } = begun.body;
    const wrong = await pos.write('/customers/enroll/verify', { enrollment_id, otp: '000000' }, 'EN-1-a');
    expect(wrong.body.error).toMatchObject({ code: 'OTP_INVALID', details: ['otp_incorrect'] });
    const otp = await codeOf(enrollment_id);
    const right = await pos.write('/customers/enroll/verify', { enrollment_id, otp }, 'EN-1-b');
    expect(right.body).toMatchObject({ status: 'enrolled' });
    expect((await pos.earn('EN-2', { phone: '+96550009911' }, { amount_minor: 1_000, currency: 'KWD' })).status).toBe(
      'pending',
    );
  });

  it('holds points for an order, and commits or releases them', async () => {
    const identifier = { loyalty_id: 'LC-1001' };
    const order = await pos.order('ORDER-1', identifier, 20);
    expect(order.status).toBe('success');
    const other = await pos.write('/redemptions/reserve', { identifier, external_ref: 'HO-2', points: 20 }, 'HO-2');
    const released = await pos.write(`/redemptions/${other.body.reservation_id}/release`, {}, 'HO-2-r');
    expect(released.body).toMatchObject({ state: 'released' });
  });

  it('goes on selling offline: earns are taken, everything else is told soon', async () => {
    await line.cut();
    pos.tries = 1;
    const card = { loyalty_id: 'LC-1001' };
    await expect.poll(async () => (await pos.call('GET', '/agent/status')).body.connection.state).toBe('offline');
    for (let sale = 1; sale <= 10; sale += 1) {
      const entry = await pos.earn(`OFF-${sale}`, card, { amount_minor: 1_000 + sale, currency: 'KWD' });
      expect(entry.status).toBe('pending');
    }
    const others: readonly (readonly [string, string, object?])[] = [
      ['POST', '/transactions/redeem', { identifier: card, external_ref: 'OFF-R', points: 1 }],
      ['POST', '/transactions/reverse', { external_ref: 'ON-6', intent: 'redeem' }],
      ['POST', '/transactions/reverse', { external_ref: 'NOT-OURS', intent: 'earn' }],
      ['POST', '/redemptions/reserve', { identifier: card, external_ref: 'OFF-H', points: 1 }],
      ['POST', '/redemptions/res_1/commit', { external_ref: 'OFF-C' }],
      ['POST', '/redemptions/res_1/release'],
      ['POST', '/customers/enroll', { external_ref: 'OFF-E', phone: '+96550009912' }],
      ['POST', '/customers/enroll/verify', { enrollment_id: 'enr_1', otp: '123456' }],
    ];
    for (const [method, path, body] of others) {
      const answer = await pos.call(method, path, body);
      expect(answer, path).toMatchObject({
        status: 504,
        body: { error: { code: 'UPSTREAM_TIMEOUT', retryable: true, details: ['not_sent'] } },
      });
      expect(answer.tookMs, path).toBeLessThan(soonMs);
    }
    for (const path of ['/customers/cus_1/transactions', '/transactions/txn_1', '/transactions?external_ref=NOBODY']) {
      const answer = await pos.call('GET', path);
      expect(answer, path).toMatchObject({ status: 504, body: { error: { code: 'UPSTREAM_TIMEOUT' } } });
      expect(answer.tookMs, path).toBeLessThan(soonMs);
    }
    // What it did itself it can read, and an earn it can take back.
    expect((await pos.call('GET', '/transactions?external_ref=OFF-2')).body.data).toMatchObject([
      { status: 'pending' },
    ]);
    expect((await pos.call('GET', '/transactions?external_ref=ON-6')).body.data).toMatchObject([{ status: 'success' }]);
    const [unsold, unsoldToo] = pos.books.filter(({ reference }) => reference === 'OFF-3' || reference === 'ON-3');
    if (unsold === undefined || unsoldToo === undefined) throw new Error('The day has not begun well');
    expect(await pos.reverse(unsold, 'by_reference')).toBe(true);
    expect(await pos.reverse(unsoldToo, 'by_id')).toBe(true);
    // Seen this morning: known offline too, with earns alone on offer.
    const known = await pos.call('POST', '/customers/identify', card);
    expect(known.status).toBe(200);
    expect(known.body.cards[0].allowed_operations.every((name: string) => name.startsWith('earn_'))).toBe(true);
    const stranger = await pos.call('POST', '/customers/identify', { loyalty_id: 'LC-1012' });
    expect(stranger.status).toBe(504);
    const same = await pos.call('POST', '/transactions/earn', {
      identifier: card,
      external_ref: 'OFF-1',
      amount_minor: 1_001,
      currency: 'KWD',
    });
    expect(same).toMatchObject({ status: 202, body: { duplicate: true } });
    await line.mend();
  });

  it('and its books agree with the service’s after hours of a line that comes and goes', async () => {
    const random = seededRandom(seed);
    let isOver = false;
    const flapping = (async () => {
      while (!isOver) {
        await pause(100 + random.next() * 400);
        await line.cut();
        await pause(50 + random.next() * 250);
        await line.mend();
      }
    })();
    pos.tries = 3;
    for (let sale = 1; sale <= flappingSales; sale += 1) {
      const identifier = { loyalty_id: random.next() < 0.5 ? 'LC-1001' : 'LC-1009' };
      const reference = `FL-${sale}`;
      const dice = random.next();
      if (dice < 0.35) await pos.earn(reference, identifier, { points: 1 + (sale % 7) });
      else if (dice < 0.45) {
        // A nervous program: the same receipt three times at once.
        const value = { amount_minor: 1_000 * (1 + (sale % 4)), currency: 'KWD' };
        const body = { identifier, external_ref: reference, ...value };
        const sent = [1, 2].map(() => pos.call('POST', '/transactions/earn', body, reference));
        await pos.earn(reference, identifier, value);
        await Promise.all(sent);
      } else if (dice < 0.65) await pos.redeem(reference, identifier, { points: 1 + (sale % 3) });
      else if (dice < 0.8) await pos.order(reference, identifier, 1 + (sale % 2));
      else {
        const entry = pos.books[Math.floor(random.next() * pos.books.length)];
        if (entry?.reference.startsWith('FL') === true && entry.status !== 'not_taken') {
          await pos.reverse(entry, random.next() < 0.5 ? 'by_reference' : 'by_id');
        }
      }
      await pause(20);
    }
    isOver = true;
    await flapping;
    await pos.closeDay(60_000);
    await expect
      .poll(
        async () => {
          const { body } = await pos.call('GET', '/agent/status');
          const { queued, sending, unknown, accepted } = body.operations;
          // Whether a cart was held is in no books: that has to run out.
          return queued + sending + accepted + Math.max(0, unknown - pos.holdsNotKnown);
        },
        { timeout: 60_000, interval: 250 },
      )
      .toBe(0);
    await pos.closeDay(10_000);
    const { ours, theirs } = await booksOf();
    expect(ours).toEqual(theirs);
    for (const entry of pos.books.filter(({ isTakenBack }) => isTakenBack)) {
      expect(`${entry.reference} ${entry.status}`).toMatch(/ (reversed|not_taken|failed)$/);
    }
    // The service holds nothing that the POS does not know of, and the cards have what the books say.
    const known = new Set(pos.books.map(({ intent, reference }) => `${intent} ${reference}`));
    for (const loyaltyId of ['LC-1001', 'LC-1009']) {
      const { customer_id, cards } = await profile(loyaltyId);
      const sales = (await direct.history(customer_id, 100)).filter(({ intent }) => intent !== 'reverse');
      expect(sales.filter(({ intent, external_ref }) => !known.has(`${intent} ${external_ref}`))).toEqual([]);
      const card = cards.find((entry: { balances: { points: number | null } }) => entry.balances.points !== null);
      expect(card.balances.points, loyaltyId).toBe(pointsByBooks(loyaltyId, morning.get(loyaltyId) ?? 0));
    }
    expect(Object.values(theirs).filter((words) => words.startsWith('success')).length).toBeGreaterThan(
      flappingSales / 3,
    );
  }, 240_000);
});
