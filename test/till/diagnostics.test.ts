import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heldSettings } from '../../app/config/held-settings.ts';
import { loadSettings } from '../../app/config/load-settings.ts';
import { DatabaseChecker } from '../../app/doctor/database-check.ts';
import { databasePath } from '../../app/machine/data-files.ts';
import type { Till } from '../../app/till/till.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type TillAnswer, type TillCommandName, tillCommands } from '../../shared/till/api.ts';
import type { CounterShop } from '../support/counter-shop.ts';
import { noSettings } from '../support/fake-settings.ts';
import { openShop } from '../support/open-shop.ts';
import { tillOf } from '../support/till-of.ts';

let shop: CounterShop;
let till: Till;
const faults: unknown[] = [];
const clock: Clock = {
  now: () => shop.clock.now(),
  monotonicMs: () => shop.clock.monotonicMs(),
  setTimer: (callback, delayMs) => shop.clock.setTimer(callback, delayMs),
};

beforeEach(async () => {
  shop = await openShop();
  till = openTill();
});
afterEach(async () => {
  expect(faults).toEqual([]);
  till.close();
});

function openTill(): Till {
  const { dataDir } = shop;
  return tillOf({
    core: shop.core,
    clock: shop.clock,
    settings: {
      ...noSettings,
      diagnostics: {
        dataDir,
        clock,
        held: async () => {
          const loaded = loadSettings({ dataDir, flags: {}, environment: {}, managedFile: null });
          return heldSettings(loaded, { running: null, needsRestart: false });
        },
        checkService: async () => [],
      },
    },
    onFault: (error) => faults.push(error),
  });
}

async function ask<C extends TillCommandName>(command: C, input: object = {}): Promise<TillAnswer<C>> {
  const reply = await till.handle({ command, input });
  if (!reply.ok) throw new Error(`${reply.error.code}: ${reply.error.message}`);
  return tillCommands[command].answer.parse(reply.value) as TillAnswer<C>;
}

const earn = (receipt: string, card = 'LC-1001') =>
  shop.passUntil(
    till.handle({
      command: 'operation.earn',
      input: {
        operation_id: shop.newId(),
        identifier: { loyalty_id: card },
        customer_name: 'Fatima Al-Sabah',
        points: 3,
        receipt_number: receipt,
        repeat: 'accepted',
      },
    }),
  );

function writeLog(...lines: readonly object[]): void {
  const folder = join(shop.dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, 'agent.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

async function checked() {
  await ask('diagnostics.check_database');
  await expect.poll(async () => (await ask('diagnostics.read_check')).state).not.toBe('running');
  return ask('diagnostics.read_check');
}

describe('a look at the till', () => {
  it('tells line, counts, clock, disk, database and versions', async () => {
    await earn('1');
    const seen = await ask('diagnostics.read');
    expect(seen).toMatchObject({
      mode: 'sandbox',
      connection: { state: 'online' },
      service_address: null,
      database: { file: 'sandbox.sqlite', check: { state: 'never' } },
      data_dir: shop.dataDir,
      put_aside: [],
    });
    expect(seen.database.bytes).toBeGreaterThan(4096);
    expect(seen.free_bytes).toBeGreaterThan(0);
    expect(Math.abs(seen.clock_skew_ms ?? 9999)).toBeLessThan(2000);
    expect(Object.values(seen.counts).reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(seen.versions.sqlite).toMatch(/^3\./);
  });

  it('tells the line’s history with causes, that of earlier runs from the log', async () => {
    writeLog(
      { level: 30, time: '2020-01-01T08:00:00.000Z', port: 7425, msg: 'The agent is ready' },
      {
        level: 30,
        time: '2020-01-01T09:00:00.000Z',
        state: 'offline',
        cause: 'tls',
        msg: 'The connection to the service has changed',
      },
    );
    const { line } = await ask('diagnostics.read');
    expect(line.toReversed().map(({ state, cause }) => [state, cause])).toEqual([
      ['started', null],
      ['offline', 'tls'],
      ['started', null],
      ['checking', null],
      ['online', null],
    ]);
  });

  it('at the log shows its end newest first, without secrets and customers, and bears a torn line', async () => {
    writeLog(
      { level: 30, time: '2020-01-01T08:00:00.000Z', msg: 'first' },
      {
        level: 50,
        time: '2020-01-01T08:00:01.000Z',
        error: 'Bearer abcdefghijkl of fatima@example.com',
        msg: 'second',
      },
    );
    appendFileSync(join(shop.dataDir, 'logs', 'agent.log'), '{"level":30,"time":"2020-01-0');
    const { lines } = await ask('diagnostics.log', { limit: 5 });
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'second'],
      ['info', 'first'],
    ]);
    expect(lines[0]?.facts).toBe('{"error":"Bearer [removed] of [e-mail removed]"}');
  });
});

it('the last day tells what was taken, delivered and stuck', async () => {
  await earn('1');
  await earn('2', 'NO-SUCH-CARD');
  await shop.pass(10_000);
  const { hours, is_partial } = await ask('diagnostics.day');
  expect(is_partial).toBe(false);
  expect(hours).toHaveLength(24);
  const sum = (of: 'taken' | 'delivered' | 'stuck') => hours.reduce((total, hour) => total + hour[of], 0);
  expect({ taken: sum('taken'), delivered: sum('delivered'), stuck: sum('stuck') }).toEqual({
    taken: 2,
    delivered: 1,
    stuck: 1,
  });
  expect(hours.at(-1)?.waiting).toBe(0);
});

describe('a check of the database', () => {
  it('goes through all tables in a process of its own, and calls a sound one sound', async () => {
    await earn('1');
    const view = await checked();
    expect(view).toMatchObject({ state: 'sound', problems: [] });
    expect(view.done).toBe(view.total);
    expect(view.total).toBeGreaterThan(4);
  });

  it('that cannot be made says so, and can be asked for again', async () => {
    const checker = new DatabaseChecker(join(shop.dataDir, 'nothing.sqlite'), () => 0);
    for (let round = 0; round < 2; round += 1) {
      checker.start();
      expect(checker.view.state).toBe('running');
      await expect.poll(() => checker.view.state).toBe('failed');
      await expect.poll(() => checker.isRunning).toBe(false);
    }
    expect(checker.view.problems).toHaveLength(1);
  });

  it('of one that was emptied leaves its log, which SQLite would delete', () => {
    const path = join(shop.dataDir, 'emptied.sqlite');
    writeFileSync(path, '');
    writeFileSync(`${path}-wal`, 'what is only here');
    const checker = new DatabaseChecker(path, () => 0);
    checker.start();
    expect(checker.view.state).toBe('damaged');
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('what is only here');
  });

  it('is made here where no second process can be had', async () => {
    await earn('1');
    for (const execPath of ['/bin/false', '/nowhere/at/all']) {
      const checker = new DatabaseChecker(databasePath(shop.dataDir, 'sandbox'), () => 0, execPath);
      checker.start();
      await expect.poll(() => checker.view.state).toBe('sound');
    }
  });

  it('names what does not hold in one that can be read', async () => {
    await earn('1');
    const database = new BetterSqlite3(databasePath(shop.dataDir, 'sandbox'));
    database.pragma('ignore_check_constraints = ON');
    database.exec('UPDATE operations SET points = -1');
    database.close();
    const view = await checked();
    expect(view).toMatchObject({ state: 'damaged', problems: [expect.stringContaining('operations')] });
  });

  it('says what is wrong with a damaged one', async () => {
    for (let receipt = 0; receipt < 40; receipt += 1) await earn(String(receipt));
    till.close();
    await shop.stop();
    const path = databasePath(shop.dataDir, 'sandbox');
    const bytes = readFileSync(path);
    // Something else stands where the operations should be.
    bytes.fill(0x5a, 4096 * 6, 4096 * 14);
    shop.start();
    await shop.pass(1000);
    till = openTill();
    // Who may ask is in memory by then.
    expect(await checked()).toMatchObject({ state: 'sound' });
    // What the till writes meanwhile may stand over it.
    await expect
      .poll(async () => {
        writeFileSync(path, bytes);
        return checked();
      })
      .toMatchObject({ state: 'damaged', problems: expect.arrayContaining([expect.any(String)]) });
  });
});

describe('a support bundle', () => {
  it('is previewed and saved, with neither secrets nor customers in it', async () => {
    writeFileSync(join(shop.dataDir, 'secrets.json'), JSON.stringify({ bridge_token: 'a-very-secret-word' }), {
      mode: 0o600,
    });
    writeLog({ level: 30, time: '2020-01-01T08:00:00.000Z', msg: 'called with Bearer abcdefghijkl' });
    await earn('1');
    const preview = await ask('diagnostics.preview_bundle');
    expect(preview.found).toBeNull();
    expect(preview.parts.map(({ name }) => name)).toEqual([
      'about.json',
      'doctor.json',
      'settings.json',
      'status.json',
      'operations.jsonl',
      'logs/agent.log',
    ]);
    const saved = await ask('diagnostics.save_bundle');
    if (saved.kind !== 'saved') throw new Error(saved.kind);
    expect(statSync(saved.file).mode & 0o077).toBe(0);
    const files = Object.entries(unzipSync(readFileSync(saved.file))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString('utf8'),
    ]);
    expect(files.map(([name]) => name)).toEqual(preview.parts.map(({ name }) => name));
    const all = files.map(([, text]) => text).join('\n');
    expect(all).toContain('main-till1');
    for (const secret of ['Fatima', 'LC-1001', 'a-very-secret-word', 'abcdefghijkl']) expect(all).not.toContain(secret);
  });

  it('that holds a secret all the same is not saved', async () => {
    writeFileSync(join(shop.dataDir, 'secrets.json'), JSON.stringify({ bridge_token: 'a-very-secret-word' }), {
      mode: 0o600,
    });
    writeLog({ level: 30, time: '2020-01-01T08:00:00.000Z', msg: 'somebody wrote a-very-secret-word' });
    const found = { part: 'logs/agent.log', what: 'own' };
    expect(await ask('diagnostics.preview_bundle')).toMatchObject({ found });
    expect(await ask('diagnostics.save_bundle')).toEqual({ kind: 'found_secret', found });
    expect(statSync(join(shop.dataDir, 'support'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('that cannot be written says why', async () => {
    writeFileSync(join(shop.dataDir, 'support'), 'a file stands in the way');
    expect(await ask('diagnostics.save_bundle')).toMatchObject({ kind: 'not_written', reason: expect.any(String) });
  });
});
