import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { noteLastBackup, readLastBackup } from '../../app/backups/last-backup.ts';
import { ScheduledBackups } from '../../app/backups/scheduled-backups.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { checkBackup } from '../../app/doctor/check-backup.ts';
import { examine } from '../../app/doctor/examine.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { readBackup } from '../../app/store/copies/backup.ts';
import { deviceOf } from '../../app/store/copies/file-facts.ts';
import { openOrRecover } from '../../app/store/open-or-recover.ts';
import type { Notice } from '../../shared/till/views.ts';
import { newRow, temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { smallDisk } from '../support/small-disk.ts';

const hourMs = 3_600_000;

const disk = smallDisk();
afterAll(() => disk?.unmount());
if (disk === null) console.warn('A full disk was not tried: this user may not mount one.');

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let backups: ScheduledBackups;
beforeEach(async () => {
  folder = temporaryFolder();
  mkdirSync(folder.file('data'));
  mkdirSync(folder.file('share'));
  // 18:13 UTC is 21:13 in Kuwait.
  clock = new ManualClock('2026-11-20T18:13:00.000Z');
  await sell(1);
});
afterEach(async () => {
  await backups.close();
  folder.remove();
});

function start(part: { readonly folder?: string; readonly keep?: number } = {}): void {
  backups = new ScheduledBackups({
    dataDir: folder.file('data'),
    mode: 'sandbox',
    folder: folder.file('share'),
    hour: 3,
    keep: 14,
    timeZone: 'Asia/Kuwait',
    tillKey: Buffer.alloc(32, 1),
    deviceRef: 'till1',
    clock,
    log: silentLog,
    ...part,
  });
}

async function sell(rowId: number): Promise<void> {
  const store = openOrRecover(folder.file('data/sandbox.sqlite'), { random: systemRandom(), nowMs: clock.now() });
  await store.writer.urgent(() => store.operations.insert(newRow(rowId)));
  store.close();
}

/** Something else stands in the first page of its operations. */
function damageOperations(path: string): void {
  const database = new BetterSqlite3(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const page = z
    .number()
    .parse(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'operations'").pluck().get());
  const pageBytes = z.number().parse(database.pragma('page_size', { simple: true }));
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(path, bytes);
}

/** Each has its proof beside it. */
function files(): readonly string[] {
  const names = readdirSync(folder.file('share')).toSorted();
  const proofs = names.filter((name) => name.endsWith('.mac')).map((name) => name.replace(/\.mac$/, ''));
  expect(proofs).toEqual(names.filter((name) => name.endsWith('Z.backup') && names.includes(`${name}.mac`)));
  return names.filter((name) => !name.endsWith('.mac'));
}

async function lookAfter(ms: number): Promise<void> {
  clock.advance(ms);
  await backups.look();
}

describe('a backup by itself', () => {
  it('is made once a day, after its hour, and is one that can be restored', async () => {
    start();
    await backups.look();
    expect(files()).toEqual(['till1-sandbox-20261120T181300Z.backup']);
    expect(readBackup(folder.file(`share/${files()[0]}`))).toMatchObject({ operationCount: 1, mode: 'sandbox' });
    // Until 3 in the morning in Kuwait it is the same day.
    await lookAfter(5 * hourMs);
    expect(files()).toHaveLength(1);
    await lookAfter(hourMs);
    expect(files()).toEqual(['till1-sandbox-20261120T181300Z.backup', 'till1-sandbox-20261121T001300Z.backup']);
    expect(readLastBackup(folder.file('data'), 'sandbox')).toMatchObject({ made_at_ms: clock.now(), operations: 1 });
  });

  it('is checked by another process, which keeps no sale waiting, and is not kept when that finds damage', async () => {
    const pragmas = vi.spyOn(BetterSqlite3.prototype, 'pragma');
    start();
    await backups.look();
    expect(files()).toHaveLength(1);
    damageOperations(folder.file('data/sandbox.sqlite'));
    await lookAfter(6 * hourMs);
    expect(files()).toHaveLength(1);
    expect(backups.notices()).toMatchObject([{ code: 'backup_late', reason: expect.stringContaining('is damaged: ') }]);
    expect(pragmas.mock.calls.filter(([source]) => source.startsWith('integrity_check'))).toEqual([]);
    pragmas.mockRestore();
  });

  it('is given up with the till, leaves no half file, and takes away what a run that was cut off has left', async () => {
    start();
    clock.advance(7 * hourMs);
    const look = backups.look();
    // On a quick machine the half file is there for some milliseconds.
    const hasHalfFile = () => readdirSync(folder.file('share')).some((name) => name.endsWith('.part'));
    await expect.poll(hasHalfFile, { interval: 1 }).toBe(true);
    await backups.close();
    await look;
    expect(readdirSync(folder.file('share'))).toEqual([]);
    // Of a process that no longer runs; SQLite opens neither, and there is no whole backup beside them.
    const draft = `till1-sandbox-20261120T000000Z.backup.${deviceOf(folder.file('data/sandbox.sqlite'))}.4194305-1.part`;
    for (const end of ['', '-journal', '-wal']) writeFileSync(folder.file(`share/${draft}${end}`), 'customers');
    start();
    await backups.look();
    expect(readdirSync(folder.file('share')).filter((name) => name.includes('.part'))).toEqual([]);
    expect(readdirSync(folder.file('share')).some((name) => name.endsWith('.backup'))).toBe(true);
  });

  it('stays where it was just made, though the clock is years behind', async () => {
    start({ keep: 1 });
    await backups.look();
    clock.jump(-2_000 * 24 * hourMs);
    await backups.look();
    expect(files()).toEqual([expect.stringContaining('till1-sandbox-2021')]);
    expect(existsSync(readLastBackup(folder.file('data'), 'sandbox')?.file ?? '')).toBe(true);
  });

  it('never makes its folder, is told at once, and is made when the folder is there', async () => {
    start({ folder: folder.file('not-mounted/till-1') });
    await backups.look();
    expect(existsSync(folder.file('not-mounted'))).toBe(false);
    expect(backups.notices()).toMatchObject(
      [{ code: 'backup_late', last_at: null, reason: /does not exist/ }].map((one) => ({
        ...one,
        reason: expect.stringMatching(one.reason),
      })),
    );
    mkdirSync(folder.file('not-mounted/till-1'), { recursive: true });
    await lookAfter(10 * 60_000);
    expect(readdirSync(folder.file('not-mounted/till-1'))).toHaveLength(2);
    expect(backups.notices()).toEqual([]);
  });

  it.runIf(disk !== null)('says which disk is full, and does not ask for other rights or a new start', async () => {
    const path = disk?.path ?? '';
    disk?.fill();
    start({ folder: path });
    await backups.look();
    const reason = `The disk of ${path} is full (free: 0 MB). Nothing was saved. Make room there, or name another folder`;
    expect(backups.notices()).toEqual([{ code: 'backup_late', last_at: null, reason }]);
  });

  it('that was not made for more than a day is told', async () => {
    start();
    await backups.look();
    rmSync(folder.file('share'), { recursive: true });
    writeFileSync(folder.file('share'), 'no folder');
    await lookAfter(30 * hourMs);
    expect(backups.notices()).toMatchObject([{ code: 'backup_late', last_at: '2026-11-20T18:13:00.000Z' }]);
    rmSync(folder.file('share'));
    mkdirSync(folder.file('share'));
  });

  it('takes the place of the oldest, and of nothing else', async () => {
    start({ keep: 2 });
    await backups.look();
    const share = folder.file('share');
    const [first = ''] = files();
    // Another till of the same name, a text that is called like a backup, and somebody's own copy.
    const others = [
      'till1-sandbox-20200101T000000Z.backup',
      'till1-sandbox-20200102T000000Z.backup',
      `copy of ${first}`,
    ];
    const [otherTill = '', text = '', copy = ''] = others;
    copyFileSync(join(share, first), join(share, otherTill));
    const database = new BetterSqlite3(join(share, otherTill));
    database.exec(`UPDATE meta SET value = 'till_of_another_shop' WHERE key = 'device_id'`);
    database.close();
    writeFileSync(join(share, text), 'my notes');
    copyFileSync(join(share, first), join(share, copy));
    for (let day = 0; day < 3; day += 1) await lookAfter(24 * hourMs);
    const own = files().filter((name) => !others.includes(name));
    expect(own).toEqual(['till1-sandbox-20261122T181300Z.backup', 'till1-sandbox-20261123T181300Z.backup']);
    expect(files()).toEqual(expect.arrayContaining(others));
  });

  it('that cannot be noted is made once a day all the same, told, and noted as soon as that can be', async () => {
    const note = folder.file('data/backups.json');
    mkdirSync(note);
    start({ keep: 2 });
    for (let look = 0; look < 3; look += 1) await lookAfter(10 * 60_000);
    expect(files()).toEqual(['till1-sandbox-20261120T182300Z.backup']);
    const told = { code: 'backup_late', last_at: '2026-11-20T18:23:00.000Z' };
    expect(backups.notices()).toMatchObject([{ ...told, reason: expect.stringContaining('cannot be noted') }]);
    for (let day = 0; day < 3; day += 1) await lookAfter(24 * hourMs);
    expect(files()).toHaveLength(2);
    rmSync(note, { recursive: true });
    await lookAfter(60_000);
    expect(backups.notices()).toEqual([]);
    expect(readLastBackup(folder.file('data'), 'sandbox')?.file).toBe(folder.file(`share/${files()[1]}`));
  });

  it('of a clock that was ahead pushes out none that was made later', async () => {
    start({ keep: 2 });
    clock.jump(400 * 24 * hourMs);
    await backups.look();
    await sell(2);
    await lookAfter(24 * hourMs);
    expect(files()).toHaveLength(2);
    clock.jump(-400 * 24 * hourMs);
    for (let day = 3; day < 5; day += 1) {
      await sell(day);
      await lookAfter(24 * hourMs);
    }
    expect(files()).toEqual(['till1-sandbox-20261122T181300Z.backup', 'till1-sandbox-20261123T181300Z.backup']);
  });

  it('of the database takes the place of one of a database before it, however many operations that had', async () => {
    start({ keep: 2 });
    await sell(2);
    await backups.look();
    await lookAfter(24 * hourMs);
    for (const end of ['', '-wal', '-shm']) rmSync(folder.file(`data/sandbox.sqlite${end}`), { force: true });
    for (let day = 1; day < 3; day += 1) {
      await sell(day);
      await lookAfter(24 * hourMs);
    }
    expect(files()).toEqual(['till1-sandbox-20261122T181300Z.backup', 'till1-sandbox-20261123T181300Z.backup']);
  });

  it('goes on after the clock was set back', async () => {
    start();
    clock.jump(400 * 24 * hourMs);
    await backups.look();
    clock.jump(-400 * 24 * hourMs);
    await lookAfter(60_000);
    expect(files()).toHaveLength(2);
  });
});

describe('a backup that somebody makes', () => {
  const made = (file: string) => ({ made_at_ms: clock.now(), file, operations: 1 });

  it('elsewhere does not postpone the one in the schedule’s own folder', async () => {
    start();
    noteLastBackup(folder.file('data'), 'sandbox', made(folder.file('elsewhere/today.backup')));
    await backups.look();
    expect(files()).toEqual(['till1-sandbox-20261120T181300Z.backup']);
    clock.advance(1_000);
    noteLastBackup(folder.file('data'), 'sandbox', made(folder.file('elsewhere/later.backup')));
    await lookAfter(60_000);
    expect(files()).toHaveLength(1);
    expect(readLastBackup(folder.file('data'), 'sandbox')?.file).toBe(folder.file('elsewhere/later.backup'));
  });

  it('in that very folder counts as its day’s', async () => {
    start();
    noteLastBackup(folder.file('data'), 'sandbox', made(folder.file('share/today.backup')));
    await backups.look();
    expect(files()).toEqual([]);
  });

  it('is known from a note of an earlier version, too', () => {
    start();
    const note = made(folder.file('share/today.backup'));
    writeFileSync(folder.file('data/backups.json'), JSON.stringify({ sandbox: note }));
    expect(readLastBackup(folder.file('data'), 'sandbox')).toEqual(note);
    expect(readLastBackup(folder.file('data'), 'production')).toBeNull();
  });
});

describe('a share that is not mounted while no backup is due', () => {
  it('is told by the agent within a minute, and no more once it is back', async () => {
    start();
    await backups.look();
    renameSync(folder.file('share'), folder.file('unmounted'));
    await lookAfter(60_000);
    expect(backups.notices()).toMatchObject([
      { code: 'backup_late', reason: expect.stringContaining('does not exist') },
    ]);
    renameSync(folder.file('unmounted'), folder.file('share'));
    await lookAfter(60_000);
    expect(backups.notices()).toEqual([]);
  });

  it('is told from the start on', async () => {
    start({ folder: folder.file('not-mounted/till-1') });
    await expect.poll(() => backups.notices()).toMatchObject([{ code: 'backup_late' }]);
  });
});

describe('the doctor', () => {
  const settings = (part: object) => settingsSchema.parse({ backup: part });
  const alone = () => ({ nowMs: clock.now(), told: null });

  it('has one opinion on backups beside a running agent: the agent’s', async () => {
    start({ folder: folder.file('not-mounted') });
    await backups.look();
    const notices = backups.notices();
    const status = {
      mode: 'sandbox',
      connection: { state: 'online', cause: null, since: '2026-11-20T18:13:00.000Z' },
      operations: { queued: 0, sending: 0, unknown: 0, accepted: 0, refused: 0, failed: 0, found: 0, changed: 0 },
      oldest_waiting_at: null,
      window: { hours: 72, seconds_left: null },
      clock_skew_ms: null,
      versions: { tillbridge: '1' },
      service: { base_url: 'http://127.0.0.1/v1', last_answer_at: null },
    };
    const about = async (said: readonly Notice[]) => {
      const patient = {
        dataDir: folder.file('data'),
        held: {
          kind: 'held',
          settings: settings({ folder: folder.file('not-mounted') }),
          sources: {},
          warnings: [],
          fileFaults: [],
          fileDoubt: null,
          areLost: false,
          hasApiKey: false,
          isKeySealed: false,
          keyTrouble: null,
          needsRestart: false,
        },
        service: async () => [],
        version: '1',
        clock,
        status: { ...status, notices: said },
      } as const;
      const findings = await examine(patient);
      return findings.filter(({ says }) => /backup/i.test(says));
    };
    expect(await about(notices)).toMatchObject([
      { check: 'backup', verdict: 'problem', says: expect.stringContaining('does not exist') },
    ]);
    expect(await about([])).toMatchObject([{ check: 'backup', verdict: 'well' }]);
  });

  it('tells how old the last backup is, and what stands in the way of the next', async () => {
    start();
    const dataDir = folder.file('data');
    expect(await checkBackup(dataDir, settings({}), alone())).toMatchObject([
      { verdict: 'well', says: expect.stringContaining('there is no backup yet') },
    ]);
    expect((await checkBackup(dataDir, settings({ folder: folder.file('share') }), alone())).at(-1)).toMatchObject({
      verdict: 'warning',
      says: expect.stringContaining('there is no backup in'),
    });
    await backups.look();
    const [sameDisk, age] = await checkBackup(dataDir, settings({ folder: folder.file('share') }), {
      nowMs: clock.now() + 5 * hourMs,
      told: null,
    });
    expect(sameDisk).toMatchObject({ verdict: 'warning', says: expect.stringContaining('same disk') });
    expect(age).toMatchObject({ verdict: 'well', says: expect.stringContaining('5 hours old') });
    const [gone] = await checkBackup(dataDir, settings({ folder: '/mnt/not-mounted/till-1' }), alone());
    expect(gone).toMatchObject({ verdict: 'problem', says: expect.stringContaining('does not exist') });
  });
});
