import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteLastBackup, readLastBackup } from '../../app/backups/last-backup.ts';
import { type HostOutcome, hostAgent } from '../../app/commands/host.ts';
import { tellRunningAgent } from '../../app/http/running-agent.ts';
import { openOrPutAside } from '../../app/machine/put-aside.ts';
import { fileSecretStore, readBridgeToken } from '../../app/machine/secrets.ts';
import { openServiceDatabase } from '../../app/service/store/open.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { moveMonotonic } from '../support/moved-monotonic.ts';

/** Another program that has files open, as Windows tells of it. The time passes with the pauses of whoever waits. */
const scanner = vi.hoisted(() => ({
  holds: (_path: string): boolean => false,
  heldForMs: 0,
  nowMs: 0,
}));

vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs')>();
  const unlessHeld =
    <Parameters extends readonly unknown[], Result>(act: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result => {
      const isHeld = scanner.nowMs < scanner.heldForMs && parameters.some((one) => scanner.holds(String(one)));
      if (isHeld) throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
      return act(...parameters);
    };
  return {
    ...actual,
    openSync: unlessHeld(actual.openSync),
    readFileSync: unlessHeld(actual.readFileSync),
    writeFileSync: unlessHeld(actual.writeFileSync),
    rmSync: unlessHeld(actual.rmSync),
    renameSync: unlessHeld(actual.renameSync),
    copyFileSync: unlessHeld(actual.copyFileSync),
    linkSync: unlessHeld(actual.linkSync),
  };
});

const forGoodMs = Number.POSITIVE_INFINITY;
const ownPlatform = process.platform;
// While it is known which system's library is needed.
new BetterSqlite3(':memory:').close();

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  Object.defineProperty(process, 'platform', { value: 'win32' });
  moveMonotonic(() => scanner.nowMs);
  vi.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, ms = 0) => {
    scanner.nowMs += ms;
    return 'timed-out';
  });
});
afterEach(() => {
  letGo();
  Object.defineProperty(process, 'platform', { value: ownPlatform });
  vi.restoreAllMocks();
  folder.remove();
});

function hold(name: string, ms: number): void {
  scanner.nowMs += 60_000;
  scanner.heldForMs = scanner.nowMs + ms;
  scanner.holds = (path) => path.endsWith(name);
}

function letGo(): void {
  scanner.holds = () => false;
}

const startOn = (dataDir: string): Promise<HostOutcome> =>
  hostAgent({
    values: new Map([
      ['data-dir', dataDir],
      ['port', '0'],
    ]),
    environment: {},
    ui: false,
    rendererDir: '',
  });

const saleCount = 3;

/** The data folder of an agent that was killed with sales in its log. */
async function killedTill(): Promise<string> {
  const outcome = await startOn(folder.file('till'));
  if (outcome.kind !== 'running') throw new Error(outcome.problems.join(' '));
  const { agent } = outcome;
  for (let number = 1; number <= saleCount; number += 1) {
    const request = { external_ref: `R-${number}`, identifier: { loyalty_id: 'LC-1001' }, points: number };
    const saved = await agent.core.saveEarn({
      origin: 'bridge',
      operationId: crypto.randomUUID(),
      request,
      customerName: null,
      receiptNumber: null,
      idempotencyKey: null,
    });
    expect(saved.kind).toBe('saved');
  }
  cpSync(agent.dataDir, folder.file('killed'), { recursive: true });
  await agent.close();
  return folder.file('killed');
}

async function salesIn(dataDir: string) {
  const outcome = await startOn(dataDir);
  if (outcome.kind !== 'running') throw new Error(outcome.problems.join(' '));
  const { agent } = outcome;
  const sales = Object.values(agent.core.counts()).reduce((sum, count) => sum + count, 0);
  const notices = agent.core.status().notices.map(({ code }) => code);
  await agent.close();
  return { sales, notices };
}

describe('a start while another program holds one of the files', () => {
  it('waits, and works when the file is free again within a second', async () => {
    const till = await killedTill();
    const names = readdirSync(till).filter((name) => name !== 'logs');
    expect(names).toEqual(expect.arrayContaining(['secrets.json', 'databases.json', 'sandbox.sqlite-wal']));
    for (const name of names) {
      const dataDir = folder.file(`soon-${name}`);
      cpSync(till, dataDir, { recursive: true });
      hold(name, 1_000);
      expect(await salesIn(dataDir), name).toEqual({ sales: saleCount, notices: [] });
      letGo();
    }
  });

  it('works without it or is refused with one line, and loses nothing', async () => {
    const till = await killedTill();
    const refused: string[] = [];
    for (const name of readdirSync(till).filter((one) => one !== 'logs')) {
      const dataDir = folder.file(`long-${name}`);
      cpSync(till, dataDir, { recursive: true });
      hold(name, forGoodMs);
      const outcome = await startOn(dataDir);
      letGo();
      if (outcome.kind === 'running') {
        await outcome.agent.close();
      } else {
        const held = join(dataDir, name);
        expect(outcome, name).toEqual({
          kind: 'refused',
          exitCode: 3,
          problems: [expect.stringMatching(/cannot be used \(EBUSY\)\. .*Then try again\.$/)],
        });
        expect(outcome.problems[0]).toContain(held);
        expect(outcome.problems[0]).not.toMatch(/delete|damaged|not JSON/i);
        refused.push(name);
      }
      expect(await salesIn(dataDir), name).toEqual({ sales: saleCount, notices: [] });
    }
    expect(refused).toEqual(expect.arrayContaining(['secrets.json', 'databases.json', 'sandbox.sqlite-open']));
    expect(refused).not.toContain('agent.json');
  });
});

describe('secrets that another program holds', () => {
  it('are read when they are free, and never said to be damaged', async () => {
    const secrets = fileSecretStore(folder.path);
    await secrets.set('bridge_token', 'T');
    hold('secrets.json', 1_000);
    expect(await readBridgeToken(secrets)).toBe('T');
    hold('secrets.json', forGoodMs);
    await expect(readBridgeToken(secrets)).rejects.toThrow(/secrets\.json cannot be used \(EBUSY\)/);
    await expect(secrets.set('other', 'x')).rejects.toThrow(/secrets\.json cannot be used \(EBUSY\)/);
    letGo();
    expect(await readBridgeToken(secrets)).toBe('T');
  });
});

describe('agent.json that cannot be written', () => {
  it('is written later, and is told once', () => {
    const clock = new ManualClock(0);
    const failures: unknown[] = [];
    hold('agent.json', forGoodMs);
    const forget = tellRunningAgent(
      folder.path,
      { port: 4_000, pid: 1 },
      { clock, onFailed: (error) => failures.push(error) },
    );
    clock.advance(60_000);
    expect(failures).toHaveLength(1);
    letGo();
    clock.advance(60_000);
    const told = () => JSON.parse(readFileSync(join(folder.path, 'agent.json'), 'utf8'));
    expect(told()).toMatchObject({ port: 4_000 });
    // Somebody has deleted or damaged it: else no command would find the agent any more.
    rmSync(join(folder.path, 'agent.json'));
    clock.advance(60_000);
    expect(told()).toMatchObject({ port: 4_000 });
    writeFileSync(join(folder.path, 'agent.json'), 'garbage');
    clock.advance(60_000);
    expect(told()).toMatchObject({ port: 4_000 });
    forget();
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('the note of the last backup', () => {
  it('is not written over while it cannot be read', () => {
    const backup = { made_at_ms: 1, file: '/one/a.backup', operations: 3 };
    noteLastBackup(folder.path, 'sandbox', backup);
    scanner.holds = (path) => path.endsWith('backups.json');
    hold('backups.json', forGoodMs);
    expect(() => noteLastBackup(folder.path, 'sandbox', { ...backup, file: '/two/b.backup' })).toThrow(/EBUSY/);
    letGo();
    expect(readLastBackup(folder.path, 'sandbox', '/one')).toEqual(backup);
  });
});

describe('the sandbox’s own books, damaged', () => {
  it('are put aside with their log or not at all', () => {
    const path = join(folder.path, 'books.sqlite');
    const write = () => {
      for (const part of ['', '-wal', '-shm']) cpSync(import.meta.filename, path + part);
    };
    write();
    const open = () => {
      throw new Error('file is not a database');
    };
    for (const part of ['', '-wal', '-shm']) {
      hold(`books.sqlite${part}`, forGoodMs);
      expect(() => openOrPutAside(path, open, 0)).toThrow(/EBUSY/);
      letGo();
      expect(readdirSync(folder.path).toSorted()).toEqual(['books.sqlite', 'books.sqlite-shm', 'books.sqlite-wal']);
    }
  });

  it('are left as they are while another program holds them: they are not damaged', () => {
    const path = join(folder.path, 'held.sqlite');
    const open = () => openServiceDatabase({ kind: 'file', path });
    openOrPutAside(path, open, 0).opened.close();
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => openOrPutAside(path, open, 0)).toThrow('another process is using it');
    other.close();
    expect(readdirSync(folder.path).filter((name) => name.includes('damaged'))).toEqual([]);
    expect(openOrPutAside(path, open, 0).aside).toBeNull();
  });
});
