import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallDisk } from '../support/small-disk.ts';
import { updateTill } from '../support/update-till.ts';

const till = updateTill();
const { start, offer, state, packagesAsked, look } = till;
const minuteMs = 60_000;

describe('a feed that answers badly', () => {
  it.each(['half', 'cut', 'never'] as const)('%s is no reason to refuse: it is asked for again', async (fault) => {
    start();
    offer('0.2.0');
    till.feed.fail('.yml', fault);
    if (fault === 'never') till.patienceMs = 1_000;
    // A feed that is half there has no valid signature: it is read twice before it is refused.
    if (fault === 'half') till.feed.fail('.yml', fault);
    await look();
    till.patienceMs = 30_000;
    expect(['failed', 'refused']).toContain(state().kind);
    expect(packagesAsked()).toBe(0);
    till.clock.advance(13 * minuteMs);
    await expect.poll(() => state().kind).toBe('ready');
  });

  it('late is waited for', async () => {
    start();
    offer('0.2.0');
    till.feed.fail('.yml', 'late');
    await look();
    expect(state().kind).toBe('ready');
  });

  it('that was replaced between its two files is read once more', async () => {
    start();
    offer('0.2.0');
    till.feed.fail('.yml', 'half');
    await look();
    expect(state().kind).toBe('ready');
  });

  it('and is too large is not read to its end', async () => {
    start();
    offer('0.2.0');
    writeFileSync(join(till.feed.folder, 'latest-linux.yml'), Buffer.alloc(70_000, 32));
    await look();
    expect(state()).toMatchObject({ kind: 'failed', needs_it: false });
    expect(till.updates.notices()).toEqual([]);
  });
});

describe('a package', () => {
  it.each(['half', 'cut', 'never'] as const)('that comes %s begins anew at the next look', async (fault) => {
    start();
    offer('0.2.0');
    till.feed.fail('.deb', fault);
    if (fault === 'never') till.patienceMs = 1_000;
    await look();
    till.patienceMs = 30_000;
    expect(state()).toMatchObject({ kind: 'failed' });
    expect(till.installed).toEqual([]);
    await look();
    expect(state().kind).toBe('ready');
    expect(readFileSync(till.folder.file('package.deb'), 'utf8')).toBe('the package of 0.2.0');
  });

  it('that is another than the feed says is never installed', async () => {
    start();
    offer('0.2.0');
    writeFileSync(join(till.feed.folder, 'tillbridge-0.2.0-linux-amd64.deb'), 'the package of 0.2.X');
    await look();
    expect(state()).toMatchObject({ kind: 'failed', reason: expect.stringContaining('sha512') });
    expect(await till.updates.install({ isAsked: true, by: null })).toBe('nothing_ready');
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
      expect(till.updates.notices()).toMatchObject([{ code: 'update_refused' }]);
      expect(packagesAsked()).toBe(0);
    } finally {
      disk.unmount();
    }
  });
});
