import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { settingsSchema } from '../../app/config/settings.ts';
import { silentLog } from '../../app/machine/log.ts';
import type { Feed } from '../../app/updates/feed.ts';
import type { TillUse } from '../../app/updates/quiet-time.ts';
import { noteNotInstalled } from '../../app/updates/update-files.ts';
import type { Installation } from '../../app/updates/update-host.ts';
import { Updates } from '../../app/updates/updates.ts';
import { temporaryFolder } from './core-rows.ts';
import { ManualClock } from './manual-clock.ts';
import { type FeedServer, makeUpdateKey, putFeed, serveFeed, signedFeed } from './update-feed.ts';

const key = makeUpdateKey();

/** A till that nobody uses. */
export const idle: TillUse = {
  sendingCount: 0,
  servedAtMs: null,
  screen: { isDialogOpen: false, isCustomerShown: false, touchedAtMs: null },
};

/** Filled before each test. */
class Parts {
  declare folder: ReturnType<typeof temporaryFolder>;
  declare clock: ManualClock;
  declare feed: FeedServer;
  declare updates: Updates;
  declare use: TillUse;
  declare screenUse: () => Promise<TillUse['screen']>;
  /** Of real time, for an answer of the feed. */
  declare patienceMs: number;
  declare freeBytes: number;
  declare noted: AuditEvent[];
  declare installed: Installation[];
}

/** The updates of one till beside a feed over real sockets, anew for each test. The clock stands until it is moved. */
export function updateTill() {
  const till = new Parts();
  beforeEach(async () => {
    const folder = temporaryFolder();
    mkdirSync(folder.file('data'));
    Object.assign(till, {
      folder,
      clock: new ManualClock(),
      feed: await serveFeed(),
      use: idle,
      screenUse: async () => till.use.screen,
      patienceMs: 30_000,
      freeBytes: 100_000_000_000,
      noted: [],
      installed: [],
    });
  });
  afterEach(async () => {
    await till.updates.close();
    await till.feed.close();
    till.folder.remove();
  });
  function start(
    settings: Partial<ReturnType<typeof settingsSchema.parse>['update']> = {},
    part: { readonly dataDir?: string; readonly version?: string } = {},
  ): void {
    till.updates = new Updates({
      dataDir: part.dataDir ?? till.folder.file('data'),
      settings: { ...settingsSchema.parse({}).update, feed: till.feed.url, ...settings },
      tillId: 'till_1',
      tillKey: Buffer.alloc(32, 1),
      clock: till.clock,
      log: silentLog,
      audit: { note: (event) => void till.noted.push(event) },
      use: () => till.use,
      onChanged: () => undefined,
      ...(part.dataDir === undefined ? { freeBytesAt: () => till.freeBytes } : {}),
      host: {
        version: part.version ?? '0.1.0',
        platform: 'linux-x64',
        packageKind: 'deb',
        feedKeys: [key.publicKey],
        fetch: async (url, { maxBytes, timeoutMs }) =>
          bytesOf(url, { maxBytes, timeoutMs: Math.min(timeoutMs, till.patienceMs) }),
        // As electron-updater does: what comes is compared with the sum of the feed.
        async download(release, url) {
          const bytes = await bytesOf(new URL(release.package.name, url), {
            maxBytes: 10_000,
            timeoutMs: till.patienceMs,
          });
          const sum = createHash('sha512').update(bytes).digest('base64');
          if (sum !== release.package.sha512) throw new Error('sha512 checksum mismatch');
          writeFileSync(till.folder.file('package.deb'), bytes);
          return till.folder.file('package.deb');
        },
        screenUse: () => till.screenUse(),
        async install(installation) {
          till.installed.push(installation);
        },
        keptVersion: () => null,
      },
    });
  }

  function offer(version: string, changes: Partial<Feed> = {}, by: ReturnType<typeof makeUpdateKey> = key): void {
    const name = `tillbridge-${version}-linux-amd64.deb`;
    const content = Buffer.from(`the package of ${version}`);
    writeFileSync(join(till.feed.folder, name), content);
    const sha512 = createHash('sha512').update(content).digest('base64');
    putFeed(
      till.feed.folder,
      signedFeed(by, { version, files: [{ url: name, sha512, size: content.length }], ...changes }),
    );
  }

  function notInstalled({ isPassing }: { readonly isPassing: boolean }): void {
    const failed = { version: '0.2.0', reason: 'dpkg ended with 1', isPassing, nowMs: till.clock.now() };
    noteNotInstalled(till.folder.file('data'), failed);
  }

  const state = () => till.updates.view().state;
  const settled = () => expect.poll(() => state().kind).not.toBe('fetching');
  return Object.assign(till, {
    start,
    offer,
    notInstalled,
    state,
    packagesAsked: () => till.feed.asked.filter((name) => name.endsWith('.deb')).length,
    settled,
    look: async (): Promise<void> => {
      await till.updates.look();
      await settled();
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
