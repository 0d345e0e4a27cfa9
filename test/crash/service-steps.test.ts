import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRepeatableIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { demoApiKey } from '../../app/service/fixtures.ts';
import { openServiceDatabase } from '../../app/service/store/open.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { everyWrite } from '../service/spec/every-write.ts';
import { openTill } from '../service/spec/till.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Answer, faces, type TestFace, testStartMs } from '../support/service-faces.ts';
import { type Content, contentOf, copyDataFile, cutLog, damageIn, logBytes } from './service-file.ts';
import { type StatementWatch, type Step, watchStatements } from './statement-watch.ts';

const inProcess = faces.find(({ name }) => name === 'in process');
if (inProcess === undefined) throw new Error('There is no face in this process');
const { start } = inProcess;
const options = { idempotencyKey: 'k-1' };
const pointsCard = { template_id: 'tpl_reward', balances: { points: 100 } };

let watch: StatementWatch;
let folder: string;
/** What the tests speak to; another may take its place under the same name. */
let current: TestFace;
const face: TestFace = {
  get service() {
    return current.service;
  },
  get host() {
    return current.host;
  },
  get dispatcher() {
    return current.dispatcher;
  },
  get origin() {
    return current.origin;
  },
  call: (...args) => current.call(...args),
  post: (...args) => current.post(...args),
  get: (...args) => current.get(...args),
  control: (...args) => current.control(...args),
  advance: (durationMs) => current.advance(durationMs),
  close: () => current.close(),
};

beforeEach(() => {
  watch = watchStatements();
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-steps-'));
});
afterEach(() => {
  watch.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function openFile(path: string): Promise<void> {
  const entropyOfStart = (run: number) => {
    const random = seededRandom(run);
    return { random, ids: createRepeatableIds(random, run) };
  };
  current = await start({ data: { kind: 'file', path }, host: new ManualClock(testStartMs), entropyOfStart });
}

/** Without what each start counts. */
function withoutState(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([table]) => table !== 'state'));
}

/** The steps of the one transaction in which `act` writes. */
async function stepsOf(act: () => Promise<unknown>): Promise<readonly Step[]> {
  const steps: Step[] = [];
  watch.onStep = (step) => void steps.push(step);
  await act();
  watch.onStep = null;
  // It is one: a second would begin at 1 again.
  expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
  return steps;
}

/** Runs `act` while every transaction fails at its step of this number. */
async function failingAt<T>(number: number, act: () => Promise<T>): Promise<T> {
  watch.onStep = (step) => {
    if (step.number === number) throw new Error(`Asked to fail at step ${number}: ${step.sql}`);
  };
  const result = await act();
  watch.onStep = null;
  return result;
}

function expectInternal(answer: Answer, where: string): void {
  const { status, body } = answer;
  expect({ where, status, code: body.error?.code, retryable: body.error?.retryable }).toEqual({
    where,
    status: 500,
    code: 'INTERNAL',
    retryable: true,
  });
}

describe.each(everyWrite)('$name', ({ prepare, firstStatus, replayStatus, once }) => {
  test('fails whole at any of its statements, and is done when it is sent again', async () => {
    current = await start();
    const first = await prepare(face);
    const steps = await stepsOf(() => first.send(options));
    await face.close();
    for (const { number, sql } of steps) {
      current = await start();
      const write = await prepare(face);
      const before = contentOf(watch.database);
      expectInternal(await failingAt(number, () => write.send(options)), sql);
      expect(watch.database.inTransaction, sql).toBe(false);
      expect(contentOf(watch.database), sql).toEqual(before);
      expect((await write.send(options)).status, sql).toBe(firstStatus);
      expect(await write.effect(), sql).toEqual(once);
      await face.close();
    }
  });

  test('is not there at all or wholly there, wherever a kill strikes', async () => {
    const path = join(folder, 'sandbox.sqlite');
    await openFile(path);
    const write = await prepare(face);
    const before = contentOf(watch.database);
    const copies: { path: string; where: string; isDone: boolean }[] = [];
    const copy = (where: string, { isDone }: { isDone: boolean }) => {
      const copied = copyDataFile(path, join(folder, `${copies.length}`));
      copies.push({ path: copied, where, isDone });
      return copied;
    };
    const bytesBefore = logBytes(path);
    watch.onStep = ({ number, sql }) => void copy(`before step ${number}: ${sql}`, { isDone: false });
    expect((await write.send(options)).status).toBe(firstStatus);
    watch.onStep = null;
    copy('after the commit', { isDone: true });
    const bytesAfter = logBytes(path);
    // The commit itself, cut off in its first page, in its last, and between.
    for (const part of [0.01, 0.35, 0.7, 0.99]) {
      const bytes = Math.floor(bytesBefore + (bytesAfter - bytesBefore) * part);
      cutLog(copy(`in the commit, after ${bytes - bytesBefore} bytes of it`, { isDone: false }), bytes);
    }
    const after = contentOf(watch.database);
    expect(after).not.toEqual(before);
    await face.close();
    expect(copies.length).toBeGreaterThanOrEqual(8);
    for (const { path: copied, where, isDone } of copies) {
      await openFile(copied);
      expect(damageIn(watch.database), where).toEqual([]);
      expect(withoutState(contentOf(watch.database)), where).toEqual(withoutState(isDone ? after : before));
      const again = await write.send(options);
      expect(again.status, where).toBe(isDone ? replayStatus : firstStatus);
      expect(await write.effect(), where).toEqual(once);
      await face.close();
    }
  });
});

describe('what becomes due', () => {
  /** An earn, a reversal and a hold whose time comes at once. */
  async function prepareDue() {
    const till = await openTill(face, [pointsCard]);
    await till.redeem('R-1', { points: 30 });
    await till.reserved('CART-1', { points: 50, ttl_minutes: 1 });
    await face.control('PATCH', '/settings', { apply_delay_ms: 60_000 });
    await till.reverse('R-1', 'redeem');
    await till.earn('R-2', { points: 5 });
    const look = async () => ({
      points: (await till.balances()).points,
      rows: (await till.history()).map(({ intent, status }: Transaction) => `${intent} ${status}`),
      everythingIsFree: (await till.redeem('ALL', { points: (await till.balances()).points })).status === 200,
    });
    return { till, look };
  }
  const done = { points: 105, rows: ['earn success', 'reverse success', 'redeem reversed'], everythingIsFree: true };

  test('is left whole for later when any of its statements fails', async () => {
    current = await start();
    const { look } = await prepareDue();
    const steps = await stepsOf(async () => face.host.advance(60_000));
    expect(await look()).toEqual(done);
    await face.close();
    for (const { number, sql } of steps) {
      current = await start();
      const again = await prepareDue();
      const before = withoutState(contentOf(watch.database));
      await failingAt(number, async () => face.host.advance(60_000));
      expect(watch.database.inTransaction, sql).toBe(false);
      expect(withoutState(contentOf(watch.database)), sql).toEqual(before);
      // By itself, a little later.
      face.host.advance(1000);
      expect(await again.look(), sql).toEqual(done);
      await face.close();
    }
  });

  test('is not done at all or wholly done, wherever a kill strikes', async () => {
    const path = join(folder, 'sandbox.sqlite');
    await openFile(path);
    const { look } = await prepareDue();
    const before = withoutState(contentOf(watch.database));
    const copies: string[] = [];
    watch.onStep = () => void copies.push(copyDataFile(path, join(folder, `${copies.length}`)));
    face.host.advance(60_000);
    watch.onStep = null;
    await face.close();
    expect(copies.length).toBeGreaterThan(6);
    for (const copied of copies) {
      const database = openServiceDatabase({ kind: 'file', path: copied });
      expect(damageIn(database)).toEqual([]);
      expect(withoutState(contentOf(database))).toEqual(before);
      database.close();
      await openFile(copied);
      face.host.advance(60_000);
      expect(await look()).toEqual(done);
      await face.close();
    }
  });
});

describe('writes that come together', () => {
  beforeEach(async () => {
    current = await start();
  });
  afterEach(() => face.close());

  test('one that fails takes no other with it', async () => {
    const till = await openTill(face, [pointsCard]);
    const refs = ['R-1', 'R-2', 'R-3', 'R-4', 'R-5'];
    watch.onStep = ({ sql, parameters }) => {
      if (/^insert/i.test(sql) && JSON.stringify(parameters).includes('"R-3"')) throw new Error('Asked to fail');
    };
    const answers = await Promise.all(refs.map((ref) => till.redeem(ref, { points: 10 })));
    watch.onStep = null;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 500, 200, 200]);
    expect((await till.balances()).points).toBe(60);
    expect((await till.history()).map((row: Transaction) => row.external_ref).sort()).toEqual([
      'R-1',
      'R-2',
      'R-4',
      'R-5',
    ]);
    expect((await till.redeem('R-3', { points: 10 })).status).toBe(200);
    expect((await till.balances()).points).toBe(50);
  });

  test('when their commit fails, none of them stands', async () => {
    const till = await openTill(face, [pointsCard]);
    watch.onStep = ({ sql }) => {
      if (sql === 'COMMIT') throw new Error('Asked to fail');
    };
    const answers = await Promise.all(['R-1', 'R-2', 'R-3'].map((ref) => till.redeem(ref, { points: 10 })));
    watch.onStep = null;
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    expect((await till.balances()).points).toBe(100);
    expect(await till.history()).toEqual([]);
  });
});

describe('a disk that is full', () => {
  test('refuses with INTERNAL, keeps what it has answered, and goes on when there is room', async () => {
    await openFile(join(folder, 'sandbox.sqlite'));
    const till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 1_000_000 } }]);
    const { database } = watch;
    database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 8}`);
    const answered: string[] = [];
    let refused: Answer | null = null;
    for (let number = 1; refused === null && number < 1000; number += 1) {
      const ref = `R-${number}`;
      const answer = await till.redeem(ref, { points: 1 });
      if (answer.status === 200) answered.push(ref);
      else refused = answer;
    }
    if (refused === null) throw new Error('The disk was never full');
    expectInternal(refused, 'on a full disk');
    expect(database.inTransaction).toBe(false);
    expect(damageIn(database)).toEqual([]);
    expect((await till.balances()).points).toBe(1_000_000 - answered.length);
    database.pragma('max_page_count = 1000000');
    const last = `R-${answered.length + 1}`;
    expect((await till.redeem(last, { points: 1 })).body).toMatchObject({ external_ref: last, duplicate: false });
    expect((await till.balances()).points).toBe(1_000_000 - answered.length - 1);
    await face.close();
  });
});

describe('a control call that fails at any of its statements changes nothing', () => {
  interface ControlCase {
    readonly method: string;
    readonly path: string;
    readonly body?: object;
    readonly prepare?: () => Promise<unknown>;
  }
  test.each<ControlCase>([
    {
      method: 'POST',
      path: '/customers',
      body: { name: 'Noor', external_id: 'crm-9', cards: [pointsCard, { template_id: 'tpl_stamp' }] },
    },
    { method: 'PATCH', path: '/settings', body: { currency: 'USD', apply_delay_ms: 5 } },
    {
      method: 'POST',
      path: '/reset',
      body: {},
      async prepare() {
        await face.control('PATCH', '/settings', { currency: 'USD' });
        await face.control('POST', '/clock', { mode: 'manual' });
        await (await openTill(face, [pointsCard])).redeem('R-1', { points: 1 });
      },
    },
    { method: 'POST', path: '/keys', body: { source: 'web-shop' } },
    { method: 'DELETE', path: `/keys/${demoApiKey}` },
    { method: 'POST', path: '/cards/card_01JDEM00000000000000000001/suspend' },
  ])('$method $path', async ({ method, path, body, prepare }) => {
    const everything = async () => ({
      content: contentOf(watch.database),
      overview: (await face.control('GET', '/')).body,
      mayEnter: (await face.post('/customers/identify', { loyalty_id: 'LC-1002' })).status,
    });
    current = await start();
    await prepare?.();
    const steps = await stepsOf(() => face.control(method, path, body));
    await face.close();
    for (const { number, sql } of steps) {
      current = await start();
      await prepare?.();
      const before = await everything();
      expectInternal(await failingAt(number, () => face.control(method, path, body)), sql);
      expect(await everything(), sql).toEqual(before);
      expect((await face.control(method, path, body)).status, sql).toBeLessThan(300);
      await face.close();
    }
  });
});
