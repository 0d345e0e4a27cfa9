import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../app/config/settings.ts';
import { leastFreeBytes } from '../../app/machine/disk-watch.ts';
import { systemRandom } from '../../app/machine/random.ts';
import { openStore } from '../../app/store/store.ts';
import type { TillUse } from '../../app/updates/quiet-time.ts';
import { changeUpdateMemory, readTrial, readUpdateMemory, writeTrial } from '../../app/updates/update-files.ts';
import { newRow } from '../support/core-rows.ts';
import { makeUpdateKey } from '../support/update-feed.ts';
import { idle, updateTill } from '../support/update-till.ts';

const till = updateTill();
const { start, offer, notInstalled, state, packagesAsked, settled, look } = till;
const minuteMs = 60_000;

describe('an update', () => {
  it('is fetched, waits for a quiet time, and is then installed by itself', async () => {
    start();
    offer('0.2.0');
    await look();
    expect(state()).toEqual({ kind: 'ready', version: '0.2.0', waits_for: null });
    expect(till.updates.notices()).toEqual([{ code: 'update_ready', version: '0.2.0' }]);

    till.use = { ...idle, sendingCount: 3 };
    till.clock.advance(minuteMs);
    await expect.poll(state).toMatchObject({ waits_for: 'sending' });
    expect(till.installed).toEqual([]);

    till.use = idle;
    await expect
      .poll(() => {
        till.clock.advance(20_000);
        return till.installed.length;
      })
      .toBe(1);
    expect(till.noted).toContainEqual({ event: 'update_begun', from: '0.1.0', to: '0.2.0', by: null });
  });

  it('is looked for by itself after the start, and asked for once when two look at the same time', async () => {
    start();
    offer('0.2.0');
    till.clock.advance(3 * minuteMs);
    const both = [till.updates.look(), till.updates.look()];
    await Promise.all(both);
    await settled();
    await till.updates.look();
    expect(state().kind).toBe('ready');
    expect(packagesAsked()).toBe(1);
  });

  it('whose feed nobody with the key has signed is refused, and its package is not asked for', async () => {
    start();
    offer('0.2.0', {}, makeUpdateKey());
    await look();
    expect(state()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('signature') });
    expect(packagesAsked()).toBe(0);
    expect(till.updates.notices()).toMatchObject([{ code: 'update_refused' }]);
    // Told once, however often it is looked for.
    await look();
    expect(till.noted.filter(({ event }) => event === 'update_refused')).toHaveLength(1);
  });

  it('that is older is refused, also as an old feed that comes again', async () => {
    start();
    offer('0.0.9');
    await look();
    expect(state()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('older than 0.1.0') });

    offer('0.3.0', { releaseDate: '2026-11-20T12:00:00.000Z', hold: true });
    await look();
    expect(state()).toEqual({ kind: 'held', version: '0.3.0', by: 'feed' });
    // The one of an hour before, in which it was not held.
    offer('0.3.0', { releaseDate: '2026-11-20T11:00:00.000Z' });
    await look();
    expect(state()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('signed before') });
    expect(packagesAsked()).toBe(0);
  });

  it('whose feed was signed by a clock that is far ahead is refused, and shuts out none that comes after it', async () => {
    start();
    offer('0.2.0', { releaseDate: '2027-11-20T12:00:00.000Z' });
    await look();
    expect(state()).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining("signed at 2027-11-20T12:00:00.000Z, and this till's clock says 2026-11-20T"),
    });
    offer('0.2.0', { releaseDate: '2026-11-20T12:00:00.000Z' });
    await look();
    expect(state().kind).toBe('ready');
  });

  it('is held by a setting at once, though it is ready, and taken when the hold ends', async () => {
    start();
    offer('0.2.0');
    await look();
    till.updates.useSettings({ ...settingsSchema.parse({}).update, feed: till.feed.url, hold: 'yes' });
    await look();
    expect(state()).toEqual({ kind: 'held', version: '0.2.0', by: 'settings' });
    expect(await till.updates.install({ isAsked: true, by: null })).toBe('nothing_ready');
    till.clock.advance(20 * minuteMs);
    expect(till.installed).toEqual([]);
    till.updates.useSettings({ ...settingsSchema.parse({}).update, feed: till.feed.url });
    await look();
    expect(state().kind).toBe('ready');
  });

  it('is held by a setting that is changed while the feed is asked', async () => {
    start();
    offer('0.2.0');
    till.feed.fail('.yml', 'late');
    const looking = till.updates.look();
    till.updates.useSettings({ ...settingsSchema.parse({}).update, feed: till.feed.url, hold: 'yes' });
    await looking;
    expect(state()).toEqual({ kind: 'held', version: '0.2.0', by: 'settings' });
    expect(packagesAsked()).toBe(0);
    expect(await till.updates.install({ isAsked: true, by: null })).toBe('nothing_ready');
  });

  it('is not taken from a feed whose answer comes after the till has closed', async () => {
    start();
    offer('0.2.0');
    till.feed.fail('.yml', 'late');
    const looking = till.updates.look();
    await till.updates.close();
    await looking;
    expect(state()).toEqual({ kind: 'not_looked' });
    expect(packagesAsked()).toBe(0);
  });

  it('is not installed when it is held, or a sale begins, while the screen is asked whether it is in use', async () => {
    const asked = Promise.withResolvers<TillUse['screen']>();
    start();
    offer('0.2.0');
    await look();
    till.screenUse = () => asked.promise;
    const installing = till.updates.install({ isAsked: true, by: null });
    till.updates.useSettings({ ...settingsSchema.parse({}).update, feed: till.feed.url, hold: 'yes' });
    asked.resolve(till.use.screen);
    expect(await installing).toBe('nothing_ready');
    expect(till.installed).toEqual([]);
  });

  it('is looked for in vain where nothing is configured', async () => {
    start({ feed: null });
    await look();
    expect(state()).toEqual({ kind: 'off', reason: 'update.feed is not set' });
    expect(till.feed.asked).toEqual([]);
    expect(till.clock.timerCount).toBe(0);
  });
});

describe('an installation', () => {
  it('begins with a copy of the database, and then says that the next start is a trial', async () => {
    const store = openStore(till.folder.file('data/production.sqlite'), {
      random: systemRandom(),
      nowMs: till.clock.now(),
    });
    await store.writer.urgent(() => store.operations.insert(newRow(1)));
    store.close();
    start();
    offer('0.2.0');
    await look();
    expect(await till.updates.install({ isAsked: true, by: 'store IT (kim)' })).toBe('begins');
    await till.installed[0]?.prepare();
    expect(readTrial(till.folder.file('data'))).toEqual({ from: '0.1.0', to: '0.2.0' });
    expect(readFileSync(till.folder.file('data/updates/before/production.backup')).subarray(0, 15).toString()).toBe(
      'SQLite format 3',
    );
  });

  it('does not close the till when the disk has filled up since the package came, and is had once there is room', async () => {
    start();
    offer('0.2.0');
    await look();
    till.freeBytes = 0;
    expect(await till.updates.install({ isAsked: false, by: null })).toBe('not_now');
    expect(till.installed).toEqual([]);
    expect(state()).toMatchObject({ kind: 'failed', reason: expect.stringContaining('0 MB free'), needs_it: true });
    expect(till.updates.notices()).toMatchObject([{ code: 'update_refused' }]);
    expect(till.noted).toEqual([]);

    till.freeBytes = 100_000_000_000;
    till.clock.advance(13 * minuteMs);
    await expect.poll(() => state().kind).toBe('ready');
    expect(await till.updates.install({ isAsked: false, by: null })).toBe('begins');
  });

  it('needs room for the package no more once that has come', async () => {
    start();
    offer('0.2.0');
    await look();
    // What the check before the download asked for, without the package that is there now.
    till.freeBytes = leastFreeBytes + 3 * Buffer.byteLength('the package of 0.2.0');
    expect(await till.updates.install({ isAsked: false, by: null })).toBe('begins');
  });

  it('is over when the screen has its first answer', () => {
    writeTrial(till.folder.file('data'), { from: '0.1.0', to: '0.2.0' }, 1);
    mkdirSync(till.folder.file('data/updates/before'), { recursive: true });
    writeFileSync(till.folder.file('data/updates/before/production.backup'), 'customers');
    start({}, { version: '0.2.0' });
    expect(readTrial(till.folder.file('data'))).not.toBe(null);
    till.updates.started();
    expect(readTrial(till.folder.file('data'))).toBe(null);
    // What the copy knows of customers would outlast them.
    expect(readdirSync(till.folder.file('data/updates/before'))).toEqual([]);
    expect(till.noted).toEqual([{ event: 'updated', from: '0.1.0', to: '0.2.0' }]);
  });

  it('that did not come about is told, and closes the till again only when a person asks', async () => {
    notInstalled({ isPassing: false });
    start();
    offer('0.2.0');
    const told = { code: 'update_refused', reason: 'version 0.2.0: dpkg ended with 1' };
    expect(till.updates.notices()).toEqual([told]);
    await look();
    expect(state()).toMatchObject({ kind: 'ready', waits_for: 'person' });
    expect(till.updates.notices()).toEqual([told]);
    till.clock.advance(30 * minuteMs);
    await Promise.resolve();
    expect(till.installed).toEqual([]);
    expect(await till.updates.install({ isAsked: true, by: null })).toBe('begins');
  });

  it('that another program was in the way of is tried again by itself, an hour later', async () => {
    notInstalled({ isPassing: true });
    start();
    offer('0.2.0');
    await look();
    expect(state()).toMatchObject({ kind: 'ready', waits_for: 'person' });
    const quarterHour = async (): Promise<void> => {
      till.clock.advance(15 * minuteMs);
      await settled();
    };
    for (const _ of [1, 2, 3]) await quarterHour();
    expect(till.installed).toEqual([]);
    await quarterHour();
    await expect.poll(() => till.clock.advance(minuteMs) ?? till.installed.length).toBe(1);
  });

  it('that was taken back is told for a week, and noted once', () => {
    const went_back = {
      from: '0.2.0',
      to: '0.1.0',
      why: 'died',
      at_ms: till.clock.now(),
      restored: false,
      noted: false,
    } as const;
    changeUpdateMemory(till.folder.file('data'), { went_back, failed_versions: ['0.2.0'] });
    start();
    start();
    expect(till.noted).toHaveLength(1);
    expect(till.updates.notices()).toEqual([{ code: 'update_went_back', from: '0.2.0', to: '0.1.0' }]);
    till.clock.advance(7 * 86_400_000);
    expect(till.updates.notices()).toEqual([]);
    expect(till.updates.view().went_back).toBe(null);
    expect(readUpdateMemory(till.folder.file('data')).failed_versions).toEqual(['0.2.0']);
  });

  it('that was taken back, or did not come about, is past once another version was installed by hand', () => {
    const went_back = { from: '0.2.0', to: '0.1.0', why: 'died', at_ms: till.clock.now(), restored: false } as const;
    changeUpdateMemory(till.folder.file('data'), { went_back: { ...went_back, noted: true } });
    notInstalled({ isPassing: false });
    start();
    till.updates.started();
    expect(till.updates.view().went_back).toMatchObject({ from: '0.2.0', to: '0.1.0' });
    expect(state()).toMatchObject({ kind: 'failed' });
    start({}, { version: '0.3.0' });
    till.updates.started();
    expect(till.updates.view().went_back).toBe(null);
    start({}, { version: '0.2.0' });
    till.updates.started();
    expect(till.updates.view()).toMatchObject({ went_back: null, state: { kind: 'not_looked' } });
    expect(till.updates.notices()).toEqual([]);
  });
});
