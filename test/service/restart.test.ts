import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRepeatableIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { migrations } from '../../app/service/store/migrations.ts';
import { DataFileError, openServiceDatabase } from '../../app/service/store/open.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { cardsOf, makeCustomer } from '../support/service-customers.ts';
import { type FaceKind, faces, type TestFace, testStartMs } from '../support/service-faces.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-service-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entropyOf = (seed: number) => (start: number) => {
  const random = seededRandom(seed * 1000 + start);
  return { random, ids: createRepeatableIds(random, start) };
};

describe.each(faces)('a data file, $name', ({ start }: FaceKind) => {
  let face: TestFace;
  afterEach(() => face.close());

  const open = async (host = new ManualClock(testStartMs)) => {
    face = await start({ data: { kind: 'file', path: join(folder, 'sandbox.sqlite') }, host });
    return host;
  };
  const earn = async (externalRef: string) =>
    (
      await face.post('/transactions/earn', {
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: externalRef,
        points: 1,
      })
    ).body;

  test('keeps customers, balances, transactions, keys and settings', async () => {
    const host = await open();
    const customer = await makeCustomer(face, [{ template_id: 'tpl_stamp', balances: { stamps: 4 } }]);
    const { body: key } = await face.control('POST', '/keys', { source: 'web-shop' });
    await face.control('PATCH', '/settings', { apply_delay_ms: 2000, rate_limit: { requests: 99, per_seconds: 1 } });
    const accepted = await earn('R-1');
    await face.advance(2000);
    const before = (await face.get(`/transactions/${accepted.transaction_id}`)).body;
    const settings = (await face.control('GET', '/settings')).body;
    await face.close();

    await open(host);
    expect((await face.get(`/transactions/${accepted.transaction_id}`, { key: key.key })).body).toEqual(before);
    expect((await cardsOf(face, customer))[0].balances.stamps).toBe(4);
    expect((await face.control('GET', '/settings')).body).toEqual(settings);
    expect(await earn('R-1')).toMatchObject({ transaction_id: accepted.transaction_id, duplicate: true });
  });

  test('applies what was pending, by itself', async () => {
    const host = await open();
    const accepted = await earn('R-1');
    await face.close();
    host.advance(500);
    await open(host);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.status).toBe('pending');
    host.advance(500);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.status).toBe('success');
  });

  test('applies what became due while it was down', async () => {
    const host = await open();
    const accepted = await earn('R-1');
    await face.close();
    host.advance(60_000);
    await open(host);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.status).toBe('success');
  });

  test('keeps a manual clock where it stood, and the offset of a real one', async () => {
    const host = await open();
    await face.control('POST', '/clock', { mode: 'manual' });
    await face.advance(86_400_000);
    await face.close();
    host.advance(5000);
    await open(host);
    expect((await face.control('GET', '/')).body).toMatchObject({ now: '2026-11-21T18:13:00.000Z', clock: 'manual' });
    await face.control('POST', '/clock', { mode: 'real' });
    await face.close();
    host.advance(5000);
    await open(host);
    expect((await face.control('GET', '/')).body).toMatchObject({ now: '2026-11-21T18:13:10.000Z', clock: 'real' });
  });

  test('keeps every setting', async () => {
    const host = await open();
    const changed = {
      currency: 'USD',
      default_region: 'US',
      apply_delay_ms: 7,
      offline_window_hours: 5,
      future_tolerance_seconds: 9,
      reservation_ttl_minutes: 3,
      otp: { ttl_seconds: 11, max_attempts: 2, cooling_off_seconds: 4, send_budget: 6 },
      rate_limit: { requests: 99, per_seconds: 1 },
      conversion: { minor_per_point: 12.5 },
      default_template_id: null,
      suspended: true,
    };
    await face.control('PATCH', '/settings', changed);
    await face.close();
    await open(host);
    expect((await face.control('GET', '/settings')).body).toEqual(changed);
  });

  test('a planned failure of an earn or a reversal still comes, also while it is down', async () => {
    const host = await open();
    const redeemed = await face.post('/transactions/redeem', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'D-1',
      points: 5,
    });
    const plan = async (id: string) => {
      const failure = { code: 'CARD_NOT_ELIGIBLE', message: 'Planned.' };
      expect((await face.control('POST', `/transactions/${id}/fail`, failure)).status).toBe(200);
    };
    const reversal = await face.post('/transactions/reverse', { external_ref: 'D-1', intent: 'redeem' });
    await plan(reversal.body.transaction_id);
    const soon = (await earn('R-1')).transaction_id;
    await plan(soon);
    await face.close();
    await open(host);
    host.advance(1000);
    const failed = { status: 'failed', error: { code: 'CARD_NOT_ELIGIBLE', message: 'Planned.' } };
    expect((await face.get(`/transactions/${soon}`)).body).toMatchObject(failed);
    expect((await face.get(`/transactions/${reversal.body.transaction_id}`)).body).toMatchObject(failed);
    expect((await face.get(`/transactions/${redeemed.body.transaction_id}`)).body.status).toBe('success');

    const later = (await earn('R-2')).transaction_id;
    await plan(later);
    await face.close();
    host.advance(1000);
    await open(host);
    expect((await face.get(`/transactions/${later}`)).body).toMatchObject(failed);
    const [card] = (await face.post('/customers/identify', { loyalty_id: 'LC-1001' })).body.cards;
    expect(card.balances.points).toBe(240.5);
  });

  test('applies all that became due while it was down, however much', async () => {
    const host = await open();
    const count = 600;
    await Promise.all(Array.from({ length: count }, (_, index) => earn(`R-${index}`)));
    await face.close();
    host.advance(60_000);
    await open(host);
    const [card] = (await face.post('/customers/identify', { loyalty_id: 'LC-1001' })).body.cards;
    expect(card.balances.points).toBe(245.5 + count);
  });

  test('a held clock holds what is pending over a restart, until it is moved', async () => {
    const host = await open();
    await face.control('POST', '/clock', { mode: 'manual' });
    const accepted = await earn('R-1');
    await face.close();
    host.advance(3_600_000);
    await open(host);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.status).toBe('pending');
    await face.advance(999);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body.completed_at).toBeNull();
    await face.advance(1);
    expect((await face.get(`/transactions/${accepted.transaction_id}`)).body).toMatchObject({
      status: 'success',
      completed_at: '2026-11-20T18:13:01.000Z',
    });
  });

  test('keeps keys with their partner, their addresses and their end; a revoked one stays revoked', async () => {
    const host = await open();
    const make = async (fields: object): Promise<string> => (await face.control('POST', '/keys', fields)).body.key;
    const expiring = await make({ expires_at: '2026-11-20T19:13:00Z' });
    const elsewhere = await make({ allowed_addresses: ['192.0.2.7'] });
    const revoked = await make({});
    const other = await make({ source: 'web-shop' });
    await face.control('DELETE', `/keys/${revoked}`);
    const earnAs = (key: string) =>
      face.post(
        '/transactions/earn',
        { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-1', points: 1 },
        { key },
      );
    const own = await earn('R-1');
    const theirs = await earnAs(other);
    const statuses = () =>
      Promise.all(
        [expiring, elsewhere, revoked].map(
          async (key) => (await face.get('/transactions?external_ref=R-1', { key })).status,
        ),
      );
    await face.close();
    await open(host);
    expect(await statuses()).toEqual([200, 401, 401]);
    expect(await earn('R-1')).toMatchObject({ transaction_id: own.transaction_id, duplicate: true });
    expect((await earnAs(other)).body).toMatchObject({ transaction_id: theirs.body.transaction_id, duplicate: true });
    await face.close();
    host.advance(3_600_000);
    await open(host);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test('with its own key revoked it has another one of the same partner, and the same one at every start', async () => {
    const host = await open();
    const first = face.service.apiKey;
    const { body: elsewhere } = await face.control('POST', '/keys', { allowed_addresses: ['192.0.2.7'] });
    const { body: expiring } = await face.control('POST', '/keys', { expires_at: '2026-12-20T19:13:00Z' });
    const own = await earn('R-1');
    await face.control('DELETE', `/keys/${first}`);
    const keys: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      await face.close();
      await open(host);
      keys.push(face.service.apiKey);
      expect((await face.get('/transactions?external_ref=R-1', { key: first })).status).toBe(401);
      expect((await face.control('GET', '/', undefined, { key: first })).status).toBe(200);
      expect(await earn('R-1')).toMatchObject({ transaction_id: own.transaction_id, duplicate: true });
      expect((await face.control('GET', '/')).status).toBe(200);
    }
    expect(new Set(keys).size).toBe(1);
    for (const other of [first, elsewhere.key, expiring.key]) expect(keys).not.toContain(other);
    expect(keys[0]).toMatch(/^loyalty_pk_test_[a-z0-9]+$/i);
  });

  test.each([{ expires_at: '2026-11-20T18:13:00Z' }, { allowed_addresses: ['192.0.2.7'] }])(
    'with its own key limited by %o it has another one that opens the service',
    async (limits) => {
      const host = await open();
      const first = face.service.apiKey;
      const own = await earn('R-1');
      await face.control('PATCH', `/keys/${first}`, limits);
      await face.close();
      await open(host);
      expect((await face.get('/transactions?external_ref=R-1', { key: first })).status).toBe(401);
      expect(face.service.apiKey).not.toBe(first);
      expect(await earn('R-1')).toMatchObject({ transaction_id: own.transaction_id, duplicate: true });
    },
  );

  test('keeps suspended cards and the names that partners give', async () => {
    const host = await open();
    const customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }], { external_id: 'crm-77' });
    const cardId = customer.cards[0]?.card_id;
    await face.control('POST', `/cards/${cardId}/suspend`);
    await face.close();
    await open(host);
    const found = (await face.post('/customers/identify', { external_id: 'crm-77' })).body;
    expect(found).toMatchObject({ customer_id: customer.customer_id, cards: [{ allowed_operations: [] }] });
    await face.control('POST', `/cards/${cardId}/resume`);
    await face.close();
    await open(host);
    expect((await cardsOf(face, customer))[0].allowed_operations).toContain('earn_points');
  });

  test('its own key stays its own, however many others there are', async () => {
    const host = await open();
    const first = face.service.apiKey;
    for (let index = 0; index < 20; index += 1) await face.control('POST', '/keys', {});
    await face.close();
    await open(host);
    expect(face.service.apiKey).toBe(first);
  });

  test('a seed repeats ids from run to run, and never those of an earlier start of the same file', async () => {
    const ids = async (file: string): Promise<string[]> => {
      face = await start({ data: { kind: 'file', path: join(folder, file) }, entropyOfStart: entropyOf(7) });
      const made: string[] = [];
      for (let index = 0; index < 3; index += 1) {
        const customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
        made.push(customer.customer_id, customer.cards[0]?.loyalty_id ?? '');
        made.push((await earn(`R-${file}-${made.length}-${Math.random()}`)).transaction_id);
      }
      await face.close();
      return made;
    };
    const first = await ids('a.sqlite');
    expect(await ids('b.sqlite')).toEqual(first);
    const again = await ids('a.sqlite');
    expect(again.filter((id) => first.includes(id))).toEqual([]);
    face = await start();
  });
});

describe('opening a data file', () => {
  const path = () => join(folder, 'sandbox.sqlite');

  test('it is durable: WAL, and synchronous FULL even after the first write', () => {
    const database = openServiceDatabase({ kind: 'file', path: path() });
    database.exec("INSERT INTO state (name, value) VALUES ('starts', '1')");
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    database.close();
  });

  test('every table is STRICT', () => {
    const database = openServiceDatabase({ kind: 'memory' });
    const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all() as {
      name: string;
      strict: number;
    }[];
    const own = tables.filter((table) => !table.name.startsWith('sqlite_'));
    expect(own.length).toBeGreaterThan(6);
    expect(own.filter((table) => table.strict !== 1)).toEqual([]);
    database.close();
  });

  test.each([
    ['a folder', () => folder, /cannot be used/],
    ['a path in no folder', () => join(folder, 'no', 'where.sqlite'), /cannot be used/],
  ])('%s is refused', (_, target, words) => {
    expect(() => openServiceDatabase({ kind: 'file', path: target() })).toThrow(words);
  });

  test("another program's database is refused and left as it was", () => {
    const other = new Database(path());
    other.exec('CREATE TABLE notes (text TEXT)');
    other.close();
    expect(() => openServiceDatabase({ kind: 'file', path: path() })).toThrow(/another program's database/);
    const after = new Database(path());
    expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['notes']);
    after.close();
  });

  test('a file of a newer version is refused', () => {
    const database = openServiceDatabase({ kind: 'file', path: path() });
    database.pragma(`user_version = ${migrations.length + 1}`);
    database.close();
    expect(() => openServiceDatabase({ kind: 'file', path: path() })).toThrow(/newer version/);
  });

  test('a file that another process holds is refused', () => {
    const first = openServiceDatabase({ kind: 'file', path: path() });
    expect(() => openServiceDatabase({ kind: 'file', path: path() })).toThrow(DataFileError);
    first.close();
  });
});
