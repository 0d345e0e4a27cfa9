import { afterAll, describe, expect, it } from 'vitest';
import { countSyncs } from '../bench/goals/durability.ts';
import { buildSyncShim } from '../bench/sync-shim.ts';
import { createWorkFolder } from '../bench/work-folder.ts';

// On a real disk and in a process of its own: the syncs are counted where they leave the process.
const work = createWorkFolder();
const shim = buildSyncShim(work.path);
afterAll(() => work.remove());

if (shim.kind === 'missing') process.stderr.write(`NOT RUN: the test that counts syncs; ${shim.reason}.\n`);

describe.skipIf(shim.kind === 'missing')('saved means synced', () => {
  it('200 sales one after another make at least 200 syncs, and synchronous stays FULL', async () => {
    if (shim.kind === 'missing') throw new Error(shim.reason);
    const { syncs, synchronous } = await countSyncs(work.folder('syncs'), shim.library);
    expect(syncs).toBeGreaterThanOrEqual(200);
    expect(synchronous).toBe(2);
  });
});
