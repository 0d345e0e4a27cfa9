import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, type Result } from '../../app/service/answer.ts';
import { createWriteGroup, type WriteGroup } from '../../app/service/calls/write-group.ts';
import { demoSource } from '../../app/service/fixtures.ts';
import { openStore, type Store } from '../../app/service/store/store.ts';

let store: Store;
let due: (() => void)[];
let spoiled: number;
let soon: (() => void)[];
let group: WriteGroup;

beforeEach(() => {
  store = openStore({ kind: 'memory' });
  due = [];
  spoiled = 0;
  soon = [];
  group = createWriteGroup({
    store,
    beforeGroup() {
      for (const happen of due) happen();
    },
    afterSpoiled() {
      spoiled += 1;
    },
    soon: (callback) => soon.push(callback),
  });
});
afterEach(() => store.close());

/** The events that are already here are taken in. */
function arrive(): void {
  for (const callback of soon.splice(0)) callback();
}

/** Resolves with the result of a write, and rejects with what it throws. */
const itself = {
  committed: (result: Result) => result,
  failed(error: unknown): Result {
    throw error;
  },
};
const run = (rules: () => Result) => group.run(rules, itself);

/** Nothing more comes. */
function settle(): void {
  while (soon.length > 0) arrive();
}

/** Rules that write one row, so that a test sees what was kept. */
function keep(key: string): () => Result {
  return () => {
    store.idempotency.insert(demoSource, key, { endpoint: 'earn', naturalKey: `earn:${key}` });
    return done(202, { key });
  };
}

function isKept(key: string): boolean {
  return store.idempotency.find(demoSource, key) !== null;
}

describe('writes that arrive together', () => {
  it('are answered only when all of them are committed, in the order they came', async () => {
    const answered: string[] = [];
    const writes = ['a', 'b', 'c'].map((key) => run(keep(key)).then(() => answered.push(key)));
    expect(soon).toHaveLength(1);
    await Promise.resolve();
    expect(answered).toEqual([]);
    expect(isKept('a')).toBe(false);
    settle();
    await Promise.all(writes);
    expect(answered).toEqual(['a', 'b', 'c']);
    expect(['a', 'b', 'c'].map(isKept)).toEqual([true, true, true]);
  });

  it('wait for one another as long as each turn brings another one, and no longer', async () => {
    const writes = [run(keep('a')), run(keep('b'))];
    arrive();
    expect(isKept('a')).toBe(false);
    writes.push(run(keep('c')));
    arrive();
    expect(isKept('a')).toBe(false);
    arrive();
    await Promise.all(writes);
    expect(['a', 'b', 'c'].map(isKept)).toEqual([true, true, true]);
    const alone = run(keep('d'));
    arrive();
    await alone;
    expect(soon).toEqual([]);
  });

  it('see what those before them wrote', async () => {
    const first = run(keep('a'));
    const second = run(() => done(200, { seen: isKept('a') }));
    settle();
    await first;
    expect(await second).toEqual(done(200, { seen: true }));
  });

  it('lose no neighbour when one throws, and keep nothing of that one', async () => {
    const before = run(keep('before'));
    const broken = run(() => {
      keep('broken')();
      throw new Error('a defect');
    });
    const after = run(keep('after'));
    const outcome = Promise.allSettled([before, broken, after]);
    settle();
    expect((await outcome).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(['before', 'broken', 'after'].map(isKept)).toEqual([true, false, true]);
    expect(spoiled).toBe(1);
  });

  it('come after what has become due, which is kept with them', async () => {
    due.push(() => store.write(keep('due')));
    const write = run(() => done(200, { seen: isKept('due') }));
    settle();
    expect(await write).toEqual(done(200, { seen: true }));
    expect(isKept('due')).toBe(true);
  });

  it('keep no half of what has become due when that fails, though its failure is caught', async () => {
    due.push(() => {
      try {
        store.write(() => {
          keep('half')();
          throw new Error('the disk is full');
        });
      } catch {
        // As the agenda does: it tries again later.
      }
    });
    const write = run(keep('a'));
    settle();
    await write;
    expect(isKept('a')).toBe(true);
    expect(isKept('half')).toBe(false);
    expect(spoiled).toBe(1);
  });

  it('are committed at once by a flush, and not a second time later', async () => {
    const write = run(keep('a'));
    group.flush();
    expect(isKept('a')).toBe(true);
    settle();
    expect((await write).status).toBe(202);
  });

  it('fail each by itself when the store is closed', async () => {
    const other = openStore({ kind: 'memory' });
    const closed = createWriteGroup({ store: other, beforeGroup() {}, afterSpoiled() {}, soon: (cb) => soon.push(cb) });
    other.close();
    const writes = Promise.allSettled([closed.run(keep('a'), itself), closed.run(keep('b'), itself)]);
    settle();
    expect((await writes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
