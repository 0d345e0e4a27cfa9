import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type HostOutcome, hostAgent } from '../../app/commands/host.ts';
import { tillbridgeCommand } from '../../app/commands/tillbridge.ts';
import { checkAudit } from '../../app/doctor/check-audit.ts';
import { noticeInWords } from '../../app/doctor/notice-words.ts';
import { closeToOthers } from '../../app/machine/closed-folder.ts';
import { diskTroubleInWords } from '../../app/machine/disk-room.ts';
import { posixAccess } from '../../app/machine/posix-access.ts';
import { apiKeyName, fileSecretStore } from '../../app/machine/secrets.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { smallDisk } from '../support/small-disk.ts';

const startOn = (dataDir: string, config?: string): Promise<HostOutcome> =>
  hostAgent({
    values: new Map([
      ['data-dir', dataDir],
      ['port', '0'],
      ...(config === undefined ? [] : [['config', config] as const]),
    ]),
    environment: {},
    ui: false,
    rendererDir: '',
  });

/** Starts an agent and ends it in good order. */
async function runOnce(dataDir: string): Promise<void> {
  const outcome = await startOn(dataDir);
  if (outcome.kind !== 'running') throw new Error(outcome.problems.join(' '));
  await outcome.agent.close();
}

const disk = smallDisk();
afterAll(() => disk?.unmount());
if (disk === null) console.warn('A full disk was not tried: this user may not mount one.');

describe.runIf(disk !== null)('a start on a full disk', () => {
  it('ends with 3 and one line that says what to free and how much, before any agent ran and after', async () => {
    const { path = '', fill, empty } = disk ?? {};
    const dataDir = join(path, 'data');
    const line = `The disk of ${dataDir} is full (free: 0 MB). Free at least 200 MB on it: `;
    const refused = { kind: 'refused', exitCode: 3, problems: [expect.stringContaining(line)] };
    fill?.();
    expect(await startOn(dataDir)).toEqual(refused);
    empty?.();
    await runOnce(dataDir);
    fill?.();
    expect(await startOn(dataDir)).toEqual(refused);
    empty?.();
    await runOnce(dataDir);
    // The sandbox's books were never damaged: the disk was full.
    expect(readdirSync(dataDir).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('is told, too, where SQLite says no more than that it could not write', () => {
    const { path = '', fill, empty } = disk ?? {};
    const failure = new Error('disk I/O error');
    const error = new Error('The database cannot be opened', {
      cause: Object.assign(failure, { code: 'SQLITE_IOERR_SHMSIZE' }),
    });
    fill?.();
    expect(diskTroubleInWords(error, path)).toContain(`The disk of ${path} is full`);
    empty?.();
    expect(diskTroubleInWords(error, path) ?? '').not.toContain('is full');
  });
});

describe('a start on a database that another program has locked', () => {
  it('ends with 3 and one line that says what to close', async () => {
    const folder = temporaryFolder();
    const dataDir = folder.file('data');
    await runOnce(dataDir);
    const holder = new BetterSqlite3(join(dataDir, 'sandbox.sqlite'));
    holder.exec('BEGIN IMMEDIATE');
    expect(await startOn(dataDir)).toEqual({
      kind: 'refused',
      exitCode: 3,
      problems: [expect.stringContaining('sandbox.sqlite is locked by another program. Close ')],
    });
    holder.close();
    folder.remove();
  });
});

describe('a second start while an agent runs', () => {
  it('is refused though the lock of the folder was deleted, and a copy of the folder is another folder', async () => {
    const folder = temporaryFolder();
    const dataDir = folder.file('data');
    const first = await startOn(dataDir);
    if (first.kind !== 'running') throw new Error(first.problems.join(' '));
    rmSync(join(dataDir, 'agent.lock'));
    const copy = folder.file('copy');
    cpSync(dataDir, copy, { recursive: true });
    const line = `Another Tillbridge agent is running on ${dataDir}, or a command works there. Stop it first (the command \`stop\`), or name another folder with --data-dir.`;
    expect(await startOn(dataDir)).toEqual({ kind: 'refused', exitCode: 3, problems: [line], isFolderInUse: true });
    await runOnce(copy);
    await first.agent.close();
    await runOnce(dataDir);
    folder.remove();
  });

  it.each([
    ['stands', () => undefined],
    ['was deleted', (dataDir: string) => rmSync(join(dataDir, 'agent.lock'))],
  ])('leaves what is known of the settings as the first one wrote it, where the lock %s', async (_, meddle) => {
    const folder = temporaryFolder();
    const dataDir = folder.file('data');
    const production = { mode: 'production', base_url: 'http://127.0.0.1:9/v1', api_key: 'loyalty_pk_live_0123456789' };
    writeFileSync(folder.file('production.json'), JSON.stringify(production));
    writeFileSync(folder.file('training.json'), '{"mode": "sandbox"}');
    const first = await startOn(dataDir, folder.file('production.json'));
    if (first.kind !== 'running') throw new Error(first.problems.join(' '));
    const known = () =>
      ['settings.last-good.json', 'last-start.json', 'secrets.json'].map((name) =>
        readFileSync(join(dataDir, name), 'utf8'),
      );
    const before = known();
    meddle(dataDir);
    const second = await startOn(dataDir, folder.file('training.json'));
    expect(second).toMatchObject({ kind: 'refused', exitCode: 3, isFolderInUse: true });
    expect(known()).toEqual(before);
    await first.agent.close();
    folder.remove();
  });
});

describe('a start that finds something else where its files should be', () => {
  it('says what to do about a link to nothing, and a folder that is a file', async () => {
    const folder = temporaryFolder();
    const dataDir = folder.file('data');
    await runOnce(dataDir);
    rmSync(join(dataDir, 'sandbox.sqlite'));
    symlinkSync(folder.file('not-mounted/sandbox.sqlite'), join(dataDir, 'sandbox.sqlite'));
    const refusedWith = (line: RegExp) => ({ kind: 'refused', exitCode: 3, problems: [expect.stringMatching(line)] });
    expect(await startOn(dataDir)).toEqual(refusedWith(/link to a file that is not there\. Mount the disk/));
    writeFileSync(folder.file('file'), '');
    expect(await startOn(folder.file('file'))).toEqual(
      refusedWith(/it is not a folder\. Name a folder with --data-dir/),
    );
    folder.remove();
  });
});

describe('a folder that others may read, on a disk that nobody may write', () => {
  it('is not said to need other rights', () => {
    const folder = temporaryFolder();
    chmodSync(folder.path, 0o755);
    const close = () => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    };
    const line = `${folder.path} cannot be used: EROFS: read-only file system. Let its disk be written, or name another folder with --data-dir.`;
    expect(() => closeToOthers(folder.path, { ...posixAccess, close })).toThrow(line);
    folder.remove();
  });
});

describe('a till that has lost secrets.json with the API key in it', () => {
  it('says so beside the key that it misses, and starts when the key was set again', async () => {
    const folder = temporaryFolder();
    const setKey = () => fileSecretStore(folder.path).set(apiKeyName('sandbox'), 'loyalty_pk_test_0123456789');
    writeFileSync(folder.file('settings.json'), '{"base_url": "http://127.0.0.1:9/v1"}');
    // Nothing is lost of a folder on which no agent ever ran.
    expect(await startOn(folder.path)).toMatchObject({ problems: [expect.stringContaining('api_key: is needed')] });
    await setKey();
    await runOnce(folder.path);
    rmSync(folder.file('secrets.json'));
    expect(await startOn(folder.path)).toEqual({
      kind: 'refused',
      exitCode: 2,
      problems: [
        expect.stringContaining('api_key: is needed'),
        expect.stringMatching(/secrets\.json is gone\. Put secrets\.json back .* \("settings set api_key -"\)\.$/),
      ],
    });
    await setKey();
    await runOnce(folder.path);
    folder.remove();
  });
});

describe('a till that has lost its whole audit log', () => {
  it('says so after a start and after a command, too, and never at its first start', async () => {
    const folder = temporaryFolder();
    const verdicts = async () => (await checkAudit(folder.path)).map(({ verdict }) => verdict);
    await runOnce(folder.path);
    await runOnce(folder.path);
    expect(await verdicts()).toEqual(['well']);
    rmSync(folder.file('audit.jsonl'));
    expect(await verdicts()).toEqual(['problem']);
    await runOnce(folder.path);
    expect(await verdicts()).toEqual(['problem']);
    rmSync(folder.file('audit.jsonl'));
    const rename = ['settings', 'set', 'device_name', 'Front', '--data-dir', folder.path];
    const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await tillbridgeCommand(rename).finally(() => spy.mockRestore())).toBe(0);
    expect(await verdicts()).toEqual(['problem']);
    folder.remove();
  });
});

describe.runIf(disk !== null)('a command on a disk that takes nothing', () => {
  it('ends with 3 and one line that says what to free', async () => {
    const { path = '', fill, empty } = disk ?? {};
    const dataDir = join(path, 'data');
    empty?.();
    await runOnce(dataDir);
    fill?.();
    const written: string[] = [];
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const exitCode = await tillbridgeCommand([
      'settings',
      'set',
      'card_pattern',
      'X'.repeat(4_000),
      '--data-dir',
      dataDir,
    ]).finally(() => {
      spy.mockRestore();
      empty?.();
    });
    expect({ exitCode, written }).toEqual({ exitCode: 3, written: [expect.stringContaining('is full')] });
  });

  it('names the disk of a backup, and not the till’s own, and leaves nothing there', async () => {
    const { path = '', fill, empty } = disk ?? {};
    const folder = temporaryFolder();
    await runOnce(folder.file('data'));
    const share = join(path, 'share');
    mkdirSync(share, { recursive: true });
    fill?.();
    const written: string[] = [];
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const command = ['backup', join(share, 'till.backup'), '--data-dir', folder.file('data')];
    const exitCode = await tillbridgeCommand(command).finally(() => {
      spy.mockRestore();
      empty?.();
    });
    const line = `The disk of ${share} is full (free: 0 MB). Nothing was saved. Make room there, or name another folder.\n`;
    expect({ exitCode, written }).toEqual({ exitCode: 3, written: [line] });
    expect(readdirSync(share)).toEqual([]);
    folder.remove();
  });
});

describe('the words for store IT when nothing can be saved', () => {
  it.each([
    ['locked', 'another program has locked the database (database is locked). Close '],
    ['disk_full', 'the disk is full. Free at least 200 MB'],
    ['disk_refuses', 'the disk cannot be written (database is locked). Check the disk '],
  ] as const)('%s: what it is and what to do', (why, words) => {
    const since = '2026-11-21T08:00:00.000Z';
    const told = noticeInWords({ code: 'not_saving', why, since, reason: 'database is locked' });
    expect(told).toContain(`Sales are refused since ${since}: ${words}`);
  });
});
