import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { leastFreeBytes } from '../../app/machine/disk-watch.ts';
import { silentLog } from '../../app/machine/log.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { openStore } from '../../app/store/store.ts';
import type { Feed } from '../../app/updates/feed.ts';
import type { TillUse } from '../../app/updates/quiet-time.ts';
import {
  changeUpdateMemory,
  noteNotInstalled,
  readTrial,
  readUpdateMemory,
  writeTrial,
} from '../../app/updates/update-files.ts';
import type { Installation } from '../../app/updates/update-host.ts';
import { Updates } from '../../app/updates/updates.ts';
import { newRow, temporaryFolder } from '../support/core-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { smallDisk } from '../support/small-disk.ts';
import { type FeedServer, makeUpdateKey, putFeed, serveFeed, signedFeed } from '../support/update-feed.ts';

const key = makeUpdateKey();
const minuteMs = 60_000;
const idle: TillUse = {
  sendingCount: 0,
  servedAtMs: null,
  screen: { isDialogOpen: false, isCustomerShown: false, touchedAtMs: null },
};

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let feed: FeedServer;
let updates: Updates;
let use: TillUse;
let screenUse: () => Promise<TillUse['screen']>;
/** Of real time, for an answer of the feed. */
let patienceMs: number;
let freeBytes: number;
let noted: AuditEvent[];
let installed: Installation[];
beforeEach(async () => {
  folder = temporaryFolder();
  mkdirSync(folder.file('data'));
  clock = new ManualClock();
  feed = await serveFeed();
  use = idle;
  screenUse = async () => use.screen;
  patienceMs = 30_000;
  freeBytes = 100_000_000_000;
  noted = [];
  installed = [];
});
afterEach(async () => {
  await updates.close();
  await feed.close();
  folder.remove();
});

function start(
  settings: Partial<ReturnType<typeof settingsSchema.parse>['update']> = {},
  part: { readonly dataDir?: string; readonly version?: string } = {},
): void {
  updates = new Updates({
    dataDir: part.dataDir ?? folder.file('data'),
    settings: { ...settingsSchema.parse({}).update, feed: feed.url, ...settings },
    tillId: 'till_1',
    tillKey: Buffer.alloc(32, 1),
    clock,
    log: silentLog,
    audit: { note: (event) => void noted.push(event) },
    use: () => use,
    onChanged: () => undefined,
    ...(part.dataDir === undefined ? { freeBytesAt: () => freeBytes } : {}),
    host: {
      version: part.version ?? '0.1.0',
      platform: 'linux-x64',
      packageKind: 'deb',
      feedKeys: [key.publicKey],
      fetch: async (url, { maxBytes, timeoutMs }) =>
        bytesOf(url, { maxBytes, timeoutMs: Math.min(timeoutMs, patienceMs) }),
      // As electron-updater does: what comes is compared with the sum of the feed.
      async download(release, url) {
        const bytes = await bytesOf(new URL(release.package.name, url), { maxBytes: 10_000, timeoutMs: patienceMs });
        const sum = createHash('sha512').update(bytes).digest('base64');
        if (sum !== release.package.sha512) throw new Error('sha512 checksum mismatch');
        writeFileSync(folder.file('package.deb'), bytes);
        return folder.file('package.deb');
      },
      screenUse: () => screenUse(),
      async install(installation) {
        installed.push(installation);
      },
      keptVersion: () => null,
    },
  });
}

async function bytesOf(
  url: URL,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${url.pathname} answers ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > maxBytes) throw new Error('too large');
  return bytes;
}

function offer(version: string, changes: Partial<Feed> = {}, by = key): void {
  const name = `tillbridge-${version}-linux-amd64.deb`;
  const content = Buffer.from(`the package of ${version}`);
  writeFileSync(join(feed.folder, name), content);
  const sha512 = createHash('sha512').update(content).digest('base64');
  putFeed(feed.folder, signedFeed(by, { version, files: [{ url: name, sha512, size: content.length }], ...changes }));
}

function notInstalled({ isPassing }: { readonly isPassing: boolean }): void {
  const failed = { version: '0.2.0', reason: 'dpkg ended with 1', isPassing, nowMs: clock.now() };
  noteNotInstalled(folder.file('data'), failed);
}

const state = () => updates.view().state;
const packagesAsked = () => feed.asked.filter((name) => name.endsWith('.deb')).length;
const settled = () => expect.poll(() => state().kind).not.toBe('fetching');

async function look(): Promise<void> {
  await updates.look();
  await settled();
}

describe('an update', () => {
  it('is fetched, waits for a quiet time, and is then installed by itself', async () => {
    start();
    offer('0.2.0');
    await look();
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waits_for: null });
    expect(updates.notices()).toEqual([{ code: 'update_ready', version: '0.2.0' }]);

    use = { ...idle, sendingCount: 3 };
    clock.advance(minuteMs);
    await expect.poll(state).toMatchObject({ waits_for: 'sending' });
    expect(installed).toEqual([]);

    use = idle;
    await expect
      .poll(() => {
        clock.advance(20_000);
        return installed.length;
      })
      .toBe(1);
    expect(noted).toContainEqual({ event: 'update_begun', from: '0.1.0', to: '0.2.0', by: null });
  });

  it('is looked for by itself after the start, and asked for once when two look at the same time', async () => {
    start();
    offer('0.2.0');
    clock.advance(3 * minuteMs);
    const both = [updates.look(), updates.look()];
    await Promise.all(both);
    await settled();
    await updates.look();
    expect(state().kind).toBe('ready');
    expect(packagesAsked()).toBe(1);
  });

  it('whose feed nobody with the key has signed is refused, and its package is not asked for', async () => {
    start();
    offer('0.2.0', {}, makeUpdateKey());
    await look();
    expect(state()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('signature') });
    expect(packagesAsked()).toBe(0);
    expect(updates.notices()).toMatchObject([{ code: 'update_refused' }]);
    // Told once, however often it is looked for.
    await look();
    expect(noted.filter(({ event }) => event === 'update_refused')).toHaveLength(1);
  });

  it('that is older is refused, also as an old feed that comes again', async () => {
    start();
    offer('0.0.9');
    await look();
    expect(state()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('older than 0.1.0') });

    offer('0.3.0', { releaseDate: '2026-11-22T12:00:00.000Z', hold: true });
    await look();
    expect(state()).toEqual({ kind: 'held', version: '0.3.0', by: 'feed' });
    // The one of an hour before, in which it was not held.
    offer('0.3.0', { releaseDate: '2026-11-22T11:00:00.000Z' });
    await look();
    expect(state()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('signed before') });
    expect(packagesAsked()).toBe(0);
  });

  it('is held by a setting at once, though it is ready, and taken when the hold ends', async () => {
    start();
    offer('0.2.0');
    await look();
    updates.useSettings({ ...settingsSchema.parse({}).update, feed: feed.url, hold: 'yes' });
    await look();
    expect(state()).toEqual({ kind: 'held', version: '0.2.0', by: 'settings' });
    expect(await updates.install({ isAsked: true, by: null })).toBe('nothing_ready');
    clock.advance(20 * minuteMs);
    expect(installed).toEqual([]);
    updates.useSettings({ ...settingsSchema.parse({}).update, feed: feed.url });
    await look();
    expect(state().kind).toBe('ready');
  });

  it('is held by a setting that is changed while the feed is asked', async () => {
    start();
    offer('0.2.0');
    feed.fail('.yml', 'late');
    const looking = updates.look();
    updates.useSettings({ ...settingsSchema.parse({}).update, feed: feed.url, hold: 'yes' });
    await looking;
    expect(state()).toEqual({ kind: 'held', version: '0.2.0', by: 'settings' });
    expect(packagesAsked()).toBe(0);
    expect(await updates.install({ isAsked: true, by: null })).toBe('nothing_ready');
  });

  it('is not taken from a feed whose answer comes after the till has closed', async () => {
    start();
    offer('0.2.0');
    feed.fail('.yml', 'late');
    const looking = updates.look();
    await updates.close();
    await looking;
    expect(state()).toEqual({ kind: 'not_looked' });
    expect(packagesAsked()).toBe(0);
  });

  it('is not installed when it is held, or a sale begins, while the screen is asked whether it is in use', async () => {
    const asked = Promise.withResolvers<TillUse['screen']>();
    start();
    offer('0.2.0');
    await look();
    screenUse = () => asked.promise;
    const installing = updates.install({ isAsked: true, by: null });
    updates.useSettings({ ...settingsSchema.parse({}).update, feed: feed.url, hold: 'yes' });
    asked.resolve(use.screen);
    expect(await installing).toBe('nothing_ready');
    expect(installed).toEqual([]);
  });

  it('is looked for in vain where nothing is configured', async () => {
    start({ feed: null });
    await look();
    expect(state()).toEqual({ kind: 'off', reason: 'update.feed is not set' });
    expect(feed.asked).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });
});

describe('a feed that answers badly', () => {
  it.each(['half', 'cut', 'never'] as const)('%s is no reason to refuse: it is asked for again', async (fault) => {
    start();
    offer('0.2.0');
    feed.fail('.yml', fault);
    if (fault === 'never') patienceMs = 1_000;
    // A feed that is half there has no valid signature: it is read twice before it is refused.
    if (fault === 'half') feed.fail('.yml', fault);
    await look();
    patienceMs = 30_000;
    expect(['failed', 'refused']).toContain(state().kind);
    expect(packagesAsked()).toBe(0);
    clock.advance(13 * minuteMs);
    await expect.poll(() => state().kind).toBe('ready');
  });

  it('late is waited for', async () => {
    start();
    offer('0.2.0');
    feed.fail('.yml', 'late');
    await look();
    expect(state().kind).toBe('ready');
  });

  it('that was replaced between its two files is read once more', async () => {
    start();
    offer('0.2.0');
    feed.fail('.yml', 'half');
    await look();
    expect(state().kind).toBe('ready');
  });

  it('and is too large is not read to its end', async () => {
    start();
    offer('0.2.0');
    writeFileSync(join(feed.folder, 'latest-linux.yml'), Buffer.alloc(70_000, 32));
    await look();
    expect(state()).toMatchObject({ kind: 'failed', needs_it: false });
    expect(updates.notices()).toEqual([]);
  });
});

describe('a package', () => {
  it.each(['half', 'cut', 'never'] as const)('that comes %s begins anew at the next look', async (fault) => {
    start();
    offer('0.2.0');
    feed.fail('.deb', fault);
    if (fault === 'never') patienceMs = 1_000;
    await look();
    patienceMs = 30_000;
    expect(state()).toMatchObject({ kind: 'failed' });
    expect(installed).toEqual([]);
    await look();
    expect(state().kind).toBe('ready');
    expect(readFileSync(folder.file('package.deb'), 'utf8')).toBe('the package of 0.2.0');
  });

  it('that is another than the feed says is never installed', async () => {
    start();
    offer('0.2.0');
    writeFileSync(join(feed.folder, 'tillbridge-0.2.0-linux-amd64.deb'), 'the package of 0.2.X');
    await look();
    expect(state()).toMatchObject({ kind: 'failed', reason: expect.stringContaining('sha512') });
    expect(await updates.install({ isAsked: true, by: null })).toBe('nothing_ready');
  });

  it('for which the disk has no room is told, and not begun', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('this user may not mount a disk');
    try {
      start({}, { dataDir: disk.path });
      offer('0.2.0');
      await look();
      expect(state()).toMatchObject({ kind: 'failed', needs_it: true });
      expect(state()).toMatchObject({
        reason: expect.stringMatching(/has 1[12] MB free, and version 0\.2\.0 needs \d+ MB/),
      });
      expect(updates.notices()).toMatchObject([{ code: 'update_refused' }]);
      expect(packagesAsked()).toBe(0);
    } finally {
      disk.unmount();
    }
  });
});

describe('an installation', () => {
  it('begins with a copy of the database, and then says that the next start is a trial', async () => {
    const store = openStore(folder.file('data/production.sqlite'), { random: systemRandom(), nowMs: clock.now() });
    await store.writer.urgent(() => store.operations.insert(newRow(1)));
    store.close();
    start();
    offer('0.2.0');
    await look();
    expect(await updates.install({ isAsked: true, by: 'store IT (kim)' })).toBe('begins');
    await installed[0]?.prepare();
    expect(readTrial(folder.file('data'))).toEqual({ from: '0.1.0', to: '0.2.0' });
    expect(readFileSync(folder.file('data/updates/before/production.backup')).subarray(0, 15).toString()).toBe(
      'SQLite format 3',
    );
  });

  it('does not close the till when the disk has filled up since the package came, and is had once there is room', async () => {
    start();
    offer('0.2.0');
    await look();
    freeBytes = 0;
    expect(await updates.install({ isAsked: false, by: null })).toBe('not_now');
    expect(installed).toEqual([]);
    expect(state()).toMatchObject({ kind: 'failed', reason: expect.stringContaining('0 MB free'), needs_it: true });
    expect(updates.notices()).toMatchObject([{ code: 'update_refused' }]);
    expect(noted).toEqual([]);

    freeBytes = 100_000_000_000;
    clock.advance(13 * minuteMs);
    await expect.poll(() => state().kind).toBe('ready');
    expect(await updates.install({ isAsked: false, by: null })).toBe('begins');
  });

  it('needs room for the package no more once that has come', async () => {
    start();
    offer('0.2.0');
    await look();
    // What the check before the download asked for, without the package that is there now.
    freeBytes = leastFreeBytes + 3 * Buffer.byteLength('the package of 0.2.0');
    expect(await updates.install({ isAsked: false, by: null })).toBe('begins');
  });

  it('is over when the screen has its first answer', () => {
    writeTrial(folder.file('data'), { from: '0.1.0', to: '0.2.0' }, 1);
    mkdirSync(folder.file('data/updates/before'), { recursive: true });
    writeFileSync(folder.file('data/updates/before/production.backup'), 'customers');
    start({}, { version: '0.2.0' });
    expect(readTrial(folder.file('data'))).not.toBe(null);
    updates.started();
    expect(readTrial(folder.file('data'))).toBe(null);
    // What the copy knows of customers would outlast them.
    expect(readdirSync(folder.file('data/updates/before'))).toEqual([]);
    expect(noted).toEqual([{ event: 'updated', from: '0.1.0', to: '0.2.0' }]);
  });

  it('that did not come about is told, and closes the till again only when a person asks', async () => {
    notInstalled({ isPassing: false });
    start();
    offer('0.2.0');
    const told = { code: 'update_refused', reason: 'version 0.2.0: dpkg ended with 1' };
    expect(updates.notices()).toEqual([told]);
    await look();
    expect(state()).toMatchObject({ kind: 'ready', waits_for: 'person' });
    expect(updates.notices()).toEqual([told]);
    clock.advance(30 * minuteMs);
    await Promise.resolve();
    expect(installed).toEqual([]);
    expect(await updates.install({ isAsked: true, by: null })).toBe('begins');
  });

  it('that another program was in the way of is tried again by itself, an hour later', async () => {
    notInstalled({ isPassing: true });
    start();
    offer('0.2.0');
    await look();
    expect(state()).toMatchObject({ kind: 'ready', waits_for: 'person' });
    const quarterHour = async (): Promise<void> => {
      clock.advance(15 * minuteMs);
      await settled();
    };
    for (const _ of [1, 2, 3]) await quarterHour();
    expect(installed).toEqual([]);
    await quarterHour();
    await expect.poll(() => clock.advance(minuteMs) ?? installed.length).toBe(1);
  });

  it('that was taken back is told for a week, and noted once', () => {
    const went_back = {
      from: '0.2.0',
      to: '0.1.0',
      why: 'died',
      at_ms: clock.now(),
      restored: false,
      noted: false,
    } as const;
    changeUpdateMemory(folder.file('data'), { went_back, failed_versions: ['0.2.0'] });
    start();
    start();
    expect(noted).toHaveLength(1);
    expect(updates.notices()).toEqual([{ code: 'update_went_back', from: '0.2.0', to: '0.1.0' }]);
    clock.advance(7 * 86_400_000);
    expect(updates.notices()).toEqual([]);
    expect(readUpdateMemory(folder.file('data')).failed_versions).toEqual(['0.2.0']);
  });
});
