import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace } from '../support/service-faces.ts';

const identifier = { loyalty_id: 'LC-1001' };

describe.each(faces)('a store that takes nothing more, $name', ({ start }) => {
  let folder: string;
  let path: string;
  let face: TestFace;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillbridge-full-disk-'));
    path = join(folder, 'sandbox.sqlite');
    face = await start({ data: { kind: 'file', path } });
  });
  afterEach(async () => {
    await face.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * From now on this kind of write fails as on a full disk, SQLite's own rollback included, until there is a customer
   * of this name.
   */
  async function breakStore(write: string, which = 'true'): Promise<void> {
    await face.close();
    const database = new Database(path);
    database.exec(
      `CREATE TRIGGER no_room BEFORE ${write}
       WHEN ${which} AND NOT EXISTS (SELECT 1 FROM customers WHERE name = 'mended')
       BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`,
    );
    database.close();
    face = await start({ data: { kind: 'file', path }, host: face.host });
  }
  const mend = () => face.control('POST', '/customers', { name: 'mended' });
  const earn = (externalRef: string, options = {}) =>
    face.post('/transactions/earn', { identifier, external_ref: externalRef, points: 1 }, options);
  const now = async () => (await face.control('GET', '/')).body;
  const expectNothingChanged = (answer: { status: number; body: object }) => {
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      error: {
        code: 'INTERNAL',
        retryable: true,
        message: expect.stringMatching(/^Nothing was changed.*disk is full/),
      },
    });
  };

  test('the clock that cannot be kept stays where it was, with all that would have become due', async () => {
    const { body: accepted } = await earn('R-1');
    await breakStore('INSERT ON state', "NEW.name = 'clock'");
    const before = await now();
    for (const move of [{ advance_ms: 5000 }, { set: '2026-12-01T00:00:00Z' }, { mode: 'manual' }]) {
      expectNothingChanged(await face.control('POST', '/clock', move));
      expect(await now()).toEqual(before);
    }
    expectNothingChanged(await face.control('POST', '/reset'));
    expect(await now()).toEqual(before);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.status).toBe('pending');
    await mend();
    await face.advance(5000);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body).toMatchObject({
      status: 'success',
      completed_at: '2026-11-20T18:13:01.000Z',
    });
  });

  test('an advance ends with what cannot be applied on the way, at once, and can be made again', async () => {
    const ids = [];
    for (const ref of ['R-1', 'R-2']) ids.push((await earn(ref)).body.transaction_id);
    await breakStore('UPDATE ON cards');
    await face.control('POST', '/clock', { mode: 'manual' });
    const before = await now();
    const startedAt = performance.now();
    expectNothingChanged(await face.control('POST', '/clock', { advance_ms: 1e11 }));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(await now()).toEqual(before);
    await mend();
    await face.advance(1000);
    for (const id of ids) {
      expect((await face.get(`/transactions/${id}`)).body).toMatchObject({
        status: 'success',
        completed_at: '2026-11-20T18:13:01.000Z',
      });
    }
  });

  test('what has become due by itself is tried again; reads and other writes go on meanwhile', async () => {
    const { body: accepted } = await earn('R-1');
    await breakStore('UPDATE ON cards');
    face.host.advance(1500);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.status).toBe('processing');
    const other = await earn('R-2');
    expect(other.status).toBe(202);
    // Nothing of a write that was answered with an error may be there, and nothing is there twice.
    expect((await face.get('/transactions?external_ref=R-2')).body.data).toHaveLength(1);
    await mend();
    face.host.advance(3000);
    for (const id of [accepted.transaction_id, other.body.transaction_id]) {
      expect((await face.get(`/transactions/${id}`)).body.status).toBe('success');
    }
  });

  test('a write that cannot be kept is 500, keeps nothing and can be sent again', async () => {
    await breakStore('INSERT ON idempotency_keys');
    const refused = await earn('R-1', { idempotencyKey: 'k1' });
    expect(refused.status).toBe(500);
    expect(refused.body.error).toMatchObject({ code: 'INTERNAL', retryable: true });
    expect((await face.get('/transactions?external_ref=R-1')).body.data).toEqual([]);
    await mend();
    expect((await earn('R-1', { idempotencyKey: 'k1' })).body.duplicate).toBe(false);
  });
});
