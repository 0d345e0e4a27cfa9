import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freeBytesAt } from '../../app/machine/disk-watch.ts';
import { OpenMarker, openMarkerPath } from '../../app/store/files/open-marker.ts';
import { countsIn } from '../../app/store/tables/counts.ts';
import { temporaryFolder } from '../support/core-rows.ts';
import { Shop } from '../support/core-shop.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';

const mountable = smallDisk();
mountable?.unmount();
if (mountable === null) console.warn('A full disk was not tried: this user may not mount one.');

describe.runIf(mountable !== null)('a full disk', () => {
  let shop: Shop;
  let small: SmallDisk;
  afterEach(async () => {
    await shop.end();
    small.unmount();
  });

  async function openOnSmallDisk(): Promise<void> {
    const made = smallDisk();
    if (made === null) throw new Error('The small disk could not be made twice');
    small = made;
    shop = new Shop();
    shop.dataDir = small.path;
    await shop.service.start();
    await shop.service.stop();
    shop.start();
  }

  it('is a loud failure of the save, leaves nothing half-saved, and is over when there is room again', async () => {
    await openOnSmallDisk();
    await shop.saved('BEFORE');
    small.fill();
    const outcomes: string[] = [];
    const metadata = { filler: 'x'.repeat(3_000) };
    for (let index = 0; index < 60; index += 1)
      outcomes.push((await shop.saveEarn(`FULL-${index}`, { metadata })).kind);
    expect(outcomes).toContain('not_saved');
    const refused = outcomes.flatMap((kind, index) => (kind === 'not_saved' ? [`FULL-${index}`] : []));
    expect(shop.errors.some((line) => line.includes('could not be saved'))).toBe(true);
    for (const [index, kind] of outcomes.entries()) {
      expect(shop.core.operationsByReference(`FULL-${index}`)).toHaveLength(kind === 'saved' ? 1 : 0);
    }
    // At once, and not with the next look at the disk.
    expect(shop.core.status().notices).toMatchObject([{ code: 'not_saving', why: 'disk_full' }]);
    small.empty();
    expect(await shop.saveEarn('AFTER')).toMatchObject({ kind: 'saved' });
    expect(shop.core.status().notices).toMatchObject([
      { code: 'disk_nearly_full', free_bytes: freeBytesAt(small.path) },
    ]);
    const [again = ''] = refused;
    expect(await shop.saveEarn(again)).toMatchObject({ kind: 'saved', duplicate: false });
    const saved = outcomes.filter((kind) => kind === 'saved').length + 3;
    const counted = shop.inspect((database) => ({
      rows: database.prepare('SELECT count(*) FROM operations').pluck().get(),
      lines: database.prepare('SELECT count(*) FROM operation_history').pluck().get(),
      counts: countsIn(database).reduce((sum, { count }) => sum + count, 0),
      check: database.pragma('integrity_check', { simple: true }),
    }));
    expect(counted).toEqual({ rows: saved, lines: saved, counts: saved, check: 'ok' });
    await shop.service.start();
    await shop.passUntil(() => shop.state('AFTER') === 'applied' && shop.state('BEFORE') === 'applied');
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    expect(shop.service.recorded.size).toBe(saved);
  });

  it('sends nothing that could not be marked, loses no answer, and goes on by itself when there is room', async () => {
    await openOnSmallDisk();
    const metadata = { filler: 'x'.repeat(2_000) };
    for (let index = 0; index < 40; index += 1) await shop.saved(`R-${index}`, { metadata });
    small.fill();
    await shop.service.start();
    await shop.pass(120_000, 2_000);
    const sentUnmarked = shop.service.earns.filter(({ externalRef }) => {
      const history = shop.core.history(shop.operation(externalRef ?? '').rowId);
      return !history.some(({ to }) => to === 'sending');
    });
    expect(sentUnmarked).toEqual([]);
    small.empty();
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    expect(shop.service.recorded.size).toBe(40);
    for (let index = 0; index < 40; index += 1)
      expect(shop.service.earnsOf(`R-${index}`).length).toBeLessThanOrEqual(2);
  });
});

it.runIf(mountable !== null)('a marker that a full disk does not take is not counted on', () => {
  const made = smallDisk();
  if (made === null) throw new Error('The small disk could not be made twice');
  const folder = temporaryFolder();
  const path = folder.file('agent.sqlite');
  made.fill();
  symlinkSync(join(made.path, 'marker'), openMarkerPath(path));
  const isKept = () => {
    const marker = new OpenMarker(path, { generation: 1, deviceId: 'till' });
    marker.close({ generation: null });
    return marker.isKept;
  };
  expect(isKept()).toBe(false);
  made.empty();
  expect(isKept()).toBe(true);
  folder.remove();
  made.unmount();
});
