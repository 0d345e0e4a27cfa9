import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ScheduledBackups } from '../../app/backups/scheduled-backups.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { deviceOf } from '../../app/store/copies/file-facts.ts';
import { openStore } from '../../app/store/store.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Files that another program has open, as Windows or a share has it. */
const held = new Set<string>();
/** A share that answers nobody who waits for its disk keeps them here. */
let waiting: (() => void)[] | null = null;
vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  const removeSync: typeof fs.rmSync = (path, options) => {
    if (held.has(String(path))) throw Object.assign(new Error('EBUSY: it is in use'), { code: 'EBUSY' });
    fs.rmSync(path, options);
  };
  const syncDisk = ((file: number, done: (error: NodeJS.ErrnoException | null) => void) => {
    if (waiting === null) fs.fsync(file, done);
    else waiting.push(() => done(null));
  }) as typeof fs.fsync;
  return { ...fs, rmSync: removeSync, fsync: syncDisk };
});

/** The databases that were opened. */
const connections: string[] = [];
vi.mock(import('../../app/store/database/connect.ts'), async (original) => {
  const { connect } = await original();
  return {
    connect: (path, ...rest) => {
      connections.push(path);
      return connect(path, ...rest);
    },
  };
});

const dayMs = 24 * 3_600_000;
const retryAfterMs = 10 * 60_000;

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let backups: ScheduledBackups;
beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['data', 'share']) mkdirSync(folder.file(name));
  openStore(folder.file('data/sandbox.sqlite'), { random: systemRandom(), nowMs: 1 }).close();
  clock = new ManualClock('2026-11-20T18:13:00.000Z');
  backups = new ScheduledBackups({
    dataDir: folder.file('data'),
    mode: 'sandbox',
    folder: folder.file('share'),
    hour: 3,
    keep: 1,
    timeZone: 'Asia/Kuwait',
    tillKey: Buffer.alloc(32, 1),
    deviceRef: 'till1',
    clock,
    log: silentLog,
  });
});
afterEach(async () => {
  held.clear();
  for (const answer of waiting ?? []) answer();
  waiting = null;
  await backups.close();
  folder.remove();
});

const made = () => readdirSync(folder.file('share')).filter((name) => name.endsWith('Z.backup'));

it('makes a backup though half of an earlier one cannot be removed, and removes that before a later one', async () => {
  const device = deviceOf(folder.file('data/sandbox.sqlite'));
  const [first = '', second = ''] = ['1', '2'].map((each) =>
    folder.file(`share/${each}.backup.${device}.4194305-1.part`),
  );
  for (const draft of [first, second]) writeFileSync(draft, 'customers');
  held.add(first);
  await backups.look();
  expect(made()).toEqual(['till1-sandbox-20261120T181300Z.backup']);
  expect(backups.notices()).toEqual([]);
  const drafts = () => readdirSync(folder.file('share')).filter((name) => name.endsWith('.part'));
  expect(drafts()).toEqual([expect.stringMatching(/^1\.backup/)]);
  held.clear();
  clock.advance(dayMs);
  await backups.look();
  expect(drafts()).toEqual([]);
});

it('tells no failed backup where old ones cannot be removed, and removes those ten minutes later', async () => {
  await twoHeldOnes();
  expect(backups.notices()).toEqual([]);
  held.clear();
  for (const count of [3, 1]) {
    clock.advance(5 * 60_000);
    await backups.look();
    expect(made()).toHaveLength(count);
  }
});

it('never waits for an old or a half one that another program holds on Windows: sales would wait as well', async () => {
  const draft = folder.file(`share/1.backup.${deviceOf(folder.file('data/sandbox.sqlite'))}.4194305-1.part`);
  writeFileSync(draft, 'customers');
  held.add(draft);
  const wait = vi.spyOn(Atomics, 'wait');
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  try {
    await twoHeldOnes();
    clock.advance(retryAfterMs);
    await backups.look();
    expect(made()).toHaveLength(3);
    expect(wait).not.toHaveBeenCalled();
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
    wait.mockRestore();
  }
});

it('opens each backup once to remove old ones, and none at the looks until that is tried again', async () => {
  await twoHeldOnes();
  const opened = () => connections.filter((path) => path.endsWith('Z.backup')).toSorted();
  connections.length = 0;
  for (let look = 0; look < 5; look += 1) {
    clock.advance(60_000);
    await backups.look();
  }
  expect(opened()).toEqual([]);
  clock.advance(retryAfterMs);
  await backups.look();
  expect(opened()).toEqual([...held].toSorted());
});

/** Makes three on three days, of which one is to be kept. */
async function twoHeldOnes(): Promise<void> {
  for (const day of ['20', '21']) {
    held.add(folder.file(`share/till1-sandbox-202611${day}T181300Z.backup`));
    await backups.look();
    clock.advance(dayMs);
  }
  await backups.look();
  expect(made()).toHaveLength(3);
}

it('goes on to look at the folder while a share keeps a backup that is being made, and tells what it finds', async () => {
  waiting = [];
  void backups.look();
  await expect.poll(() => waiting).toHaveLength(1);
  rmSync(folder.file('share'), { recursive: true });
  await expect
    .poll(() => {
      clock.advance(60_000);
      return backups.notices();
    })
    .toMatchObject([{ code: 'backup_late', reason: expect.stringContaining('does not exist') }]);
});
