import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '../../app/machine/random.ts';
import { migrations } from '../../app/service/store/migrations.ts';
import { launchSandboxProgram, type Program, type SandboxReady, startSandboxProgram } from '../support/program.ts';
import { checkAnswered, checkBooks, checkResent, type Opening, readHeld, readOpening } from './service-books.ts';
import { copyDataFile, damageIn, withDataFile } from './service-file.ts';
import { type Answer, type Sent, ServiceLine, trade, traderCustomers } from './service-trade.ts';

// CRASH_KILLS and CRASH_SEED repeat or lengthen a run.
const isLong = process.env.LONG_TESTS === '1';
const kills = Number(process.env.CRASH_KILLS ?? (isLong ? 60 : 8));
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const traderCount = 6;

let folder: string;
let data: string;
let running: Program<SandboxReady> | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-service-crash-'));
  data = join(folder, 'service.sqlite');
});
afterEach(async () => {
  await running?.kill();
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

/** Looks into a copy, so that the service itself has to recover what the kill has left. */
let copies = 0;
function withCopy<T>(look: Parameters<typeof withDataFile<T>>[1]): T {
  copies += 1;
  const copyFolder = join(folder, `copy-${copies}`);
  try {
    return withDataFile(copyDataFile(data, copyFolder), look);
  } finally {
    rmSync(copyFolder, { recursive: true, force: true });
  }
}

test(`after ${kills} kills in the midst of writes no write is lost, none is half there, none acts twice (seed ${seed})`, {
  timeout: 60_000 + kills * 15_000,
}, async () => {
  const random = seededRandom(seed);
  const totals = { kills, answered: 0, unanswered: 0, wereThere: 0, startsKilled: 0, transactions: 0 };
  let opening: Opening = new Map();
  const all: Sent[] = [];
  let phones = 0;
  const newPhone = () => {
    phones += 1;
    return `+9655${String(phones).padStart(7, '0')}`;
  };
  let unanswered: readonly Sent[] = [];

  /** Sends again what got no answer, knowing from the books whether it was done. */
  const resend = async (program: Program<SandboxReady>, held: readonly (Answer['body'] | null)[]) => {
    const line = new ServiceLine(program.ready);
    for (const [index, one] of unanswered.entries()) {
      const answer = await line.write(one.path, one.body);
      checkResent(one, held[index] ?? null, answer);
      all.push({ ...one, answer });
    }
    await line.close();
  };

  let held: readonly (Answer['body'] | null)[] = [];
  for (let round = 0; round < kills; round += 1) {
    if (round > 0 && random.next() < 0.3) {
      // Killed while it recovers, too.
      const launch = launchSandboxProgram(['--data', data]);
      const isReady = launch.ready.then(
        () => true,
        () => false,
      );
      await sleep(random.next() * 120);
      await launch.kill();
      if (!(await isReady)) totals.startsKilled += 1;
    }
    running = await startSandboxProgram(['--data', data]);
    if (round === 0) opening = await openShop(running);
    // Those of the rounds before became due while it was down.
    const oldEarns = earnsToReverse(all, unanswered);
    await resend(running, held);
    const { ready } = running;
    // So many answers, and then a moment: how many there are depends on no machine's speed.
    const enough = Promise.withResolvers<void>();
    let left = 60 + Math.floor(random.next() * 540);
    const onAnswered = () => {
      left -= 1;
      if (left === 0) enough.resolve();
    };
    const traders = Array.from({ length: traderCount }, (_, trader) =>
      trade(ready, {
        name: `k${round}-t${trader}`,
        random: seededRandom(seed + round * 100 + trader),
        newPhone,
        onAnswered,
        oldEarns: oldEarns.filter((_earn, index) => index % traderCount === trader),
      }),
    );
    await Promise.race([enough.promise, Promise.all(traders)]);
    await sleep(random.next() * 20);
    await running.kill();
    const sent = (await Promise.all(traders)).flat();
    unanswered = sent.filter(({ answer }) => answer === null);
    const answered = sent.filter(({ answer }) => answer !== null);
    // The cards hold enough, and every reference is new.
    expect(answered.filter(({ answer }) => (answer?.status ?? 0) >= 300)).toEqual([]);
    expect(answered.filter(({ answer }) => answer?.body.duplicate === true)).toEqual([]);
    all.push(...answered);
    held = withCopy((database) => {
      checkBooks(database, opening);
      const heldNow = readHeld(database);
      checkAnswered(heldNow, all);
      return unanswered.map(({ trace }) => heldNow(trace));
    });
    totals.answered += answered.length;
    totals.unanswered += unanswered.length;
    totals.wereThere += held.filter((one) => one !== null).length;
  }

  running = await startSandboxProgram(['--data', data]);
  await resend(running, held);
  const line = new ServiceLine(running.ready);
  await line.control('POST', '/clock', { advance_ms: 60_000 }, z.unknown());
  await line.close();
  expect(await running.stop()).toBe(0);
  withCopy((database) => {
    checkBooks(database, opening);
    checkAnswered(readHeld(database), all);
    const done = database
      .prepare<[], { key: string; status: string }>(
        "SELECT intent || ' ' || external_ref AS key, status FROM transactions",
      )
      .all();
    expect(done.filter(({ status }) => status !== 'success' && status !== 'reversed')).toEqual([]);
    // Neither more nor less than what was sent, each once.
    const keys = done.map(({ key }) => key).filter((key) => !key.startsWith('enroll '));
    expect(keys.sort()).toEqual(all.flatMap(transactionKeys).sort());
    totals.transactions = done.length;
  });
  console.info(`crash of the service: seed ${seed}`, totals);
  expect(totals.answered).toBeGreaterThan(kills * 50);
  expect(totals.unanswered).toBeGreaterThan(kills);
});

test(`a first start that is killed leaves a file that the next one makes whole (seed ${seed})`, async () => {
  const random = seededRandom(seed + 1);
  const found = { nothing: 0, empty: 0, whole: 0 };
  for (let round = 0; round < (isLong ? 60 : 6); round += 1) {
    data = join(folder, `first-${round}.sqlite`);
    const launch = launchSandboxProgram(['--data', data]);
    launch.ready.catch(() => {});
    await sleep(40 + random.next() * 120);
    await launch.kill();
    withCopy((database) => {
      expect(damageIn(database)).toEqual([]);
      const version = Number(database.pragma('user_version', { simple: true }));
      const tables = Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
      expect([0, migrations.length]).toContain(version);
      expect(tables > 0).toBe(version > 0);
      const customers = tables === 0 ? 0 : Number(database.prepare('SELECT count(*) FROM customers').pluck().get());
      expect([0, 14]).toContain(customers);
      found[tables === 0 ? 'nothing' : customers === 0 ? 'empty' : 'whole'] += 1;
    });
    running = await startSandboxProgram(['--data', data]);
    const line = new ServiceLine(running.ready);
    const overview = await line.control('GET', '', null, z.looseObject({ customers: z.array(z.unknown()) }));
    expect(overview.body.customers).toHaveLength(14);
    await line.close();
    expect(await running.stop()).toBe(0);
  }
  console.info(`first starts killed: seed ${seed}`, found);
});

/** Makes the customers of the trade, and lets what is pending be applied soon. */
async function openShop({ ready }: Program<SandboxReady>): Promise<Opening> {
  const line = new ServiceLine(ready);
  for (const customer of traderCustomers) {
    expect((await line.control('POST', '/customers', customer, z.unknown())).status).toBe(201);
  }
  await line.control('PATCH', '/settings', { apply_delay_ms: 100 }, z.unknown());
  await line.close();
  return withCopy(readOpening);
}

/** Earns of earlier rounds that nobody has tried to reverse, nor is about to. */
function earnsToReverse(all: readonly Sent[], unanswered: readonly Sent[]): readonly string[] {
  const tried = new Set(
    [...all, ...unanswered].flatMap(({ body }) => (body !== null && 'reversal_ref' in body ? [body] : [])).map(refOf),
  );
  return all.flatMap(({ trace }) =>
    trace.kind === 'transaction' && trace.intent === 'earn' && !tried.has(trace.externalRef) ? [trace.externalRef] : [],
  );
}

function refOf(body: object): unknown {
  return 'external_ref' in body ? body.external_ref : null;
}

function transactionKeys({ trace }: Sent): readonly string[] {
  if (trace.kind === 'commit') return [`redeem ${trace.externalRef}`];
  return trace.kind === 'transaction' ? [`${trace.intent} ${trace.externalRef}`] : [];
}
