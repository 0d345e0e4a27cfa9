import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../app/random.ts';
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
});
afterAll(async () => {
  await agent.stop('SIGKILL');
  await line.close();
  await service.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The code that the service has sent to a phone. */
async function codeOf(enrollmentId: string): Promise<string> {
  return (await control.call('GET', `/otp/${enrollmentId}`)).body.otp;
}

/** What the service itself holds of an entry. */
async function held(entry: BookEntry) {
  const { body } = await direct.call('GET', `/transactions?external_ref=${encodeURIComponent(entry.reference)}`);
  return (body.data as { intent: string; status: string; amount_minor: number | null; points: number | null }[]).filter(
    ({ intent }) => intent === entry.intent,
  );
}

/** The books of the POS and of the service, entry by entry. */
async function booksOf() {
  const ours: Record<string, string> = {};
  const theirs: Record<string, string> = {};
  for (const entry of pos.books) {
    const rows = await held(entry);
    const key = `${entry.intent} ${entry.reference}`;
    ours[key] = entry.status === 'not_taken' || entry.status === 'failed' ? 'nothing' : entry.status;
    const [row] = rows;
    theirs[key] = row === undefined || row.status === 'failed' ? 'nothing' : row.status;
    if (rows.length > 1) theirs[key] = `${rows.length} times`;
  }
  return { ours, theirs };
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
    await pos.closeDay(10_000);
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
      .poll(
        async () => {
          await pos.closeDay(1_000);
          return [first.status, second.status];
        },
        { timeout: 10_000 },
      )
      .toEqual(['reversed', 'reversed']);
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
    const hold = await pos.write('/redemptions/reserve', { identifier, external_ref: 'HO-1', points: 20 }, 'HO-1');
    expect(hold.body).toMatchObject({ state: 'reserved', points: 20 });
    const done = await pos.write(
      `/redemptions/${hold.body.reservation_id}/commit`,
      { external_ref: 'ORDER-1' },
      'HO-1-c',
    );
    expect(done.status).toBe(200);
    const other = await pos.write('/redemptions/reserve', { identifier, external_ref: 'HO-2', points: 20 }, 'HO-2');
    const released = await pos.write(`/redemptions/${other.body.reservation_id}/release`, {}, 'HO-2-r');
    expect(released.body).toMatchObject({ state: 'released' });
  });

  it('goes on selling offline: earns are taken, everything else is told within a second', async () => {
    await line.cut();
    pos.tries = 1;
    const card = { loyalty_id: 'LC-1001' };
    await expect
      .poll(async () => (await pos.call('GET', '/agent/status')).body.connection.state, { timeout: 10_000 })
      .toBe('offline');
    for (let sale = 1; sale <= 10; sale += 1) {
      const entry = await pos.earn(`OFF-${sale}`, card, { amount_minor: 1_000 + sale, currency: 'KWD' });
      expect(entry.status).toBe('pending');
    }
    const spend = await pos.call('POST', '/transactions/redeem', {
      identifier: card,
      external_ref: 'OFF-R',
      points: 1,
    });
    expect(spend).toMatchObject({ status: 504, body: { error: { code: 'UPSTREAM_TIMEOUT', details: ['not_sent'] } } });
    expect(spend.tookMs).toBeLessThan(1_000);
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
      const dice = random.next();
      if (dice < 0.5) await pos.earn(`FL-${sale}`, identifier, { points: 1 + (sale % 7) });
      else if (dice < 0.8) await pos.redeem(`FL-${sale}`, identifier, { points: 1 + (sale % 3) });
      else {
        const entry = pos.books[Math.floor(random.next() * pos.books.length)];
        if (entry?.status === 'success' && entry.reference.startsWith('FL')) await pos.reverse(entry, 'by_reference');
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
          return queued + sending + unknown + accepted;
        },
        { timeout: 60_000, interval: 250 },
      )
      .toBe(0);
    await pos.closeDay(10_000);
    const { ours, theirs } = await booksOf();
    expect(ours).toEqual(theirs);
    expect(Object.values(theirs).filter((status) => status === 'success').length).toBeGreaterThan(flappingSales / 3);
  }, 240_000);
});
