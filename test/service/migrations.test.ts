import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../app/service/store/migrations.ts';
import { openServiceDatabase } from '../../app/service/store/open.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-migrations-'));
  path = join(folder, 'sandbox.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file as the program left it when it had only so many steps. */
function makeFile(steps: number, rows: string): void {
  const database = new Database(path);
  for (const step of migrations.slice(0, steps)) database.exec(step);
  database.pragma('application_id = 0x54427376');
  database.pragma(`user_version = ${steps}`);
  database.exec(rows);
  database.close();
}

const rowsBefore = `
  INSERT INTO customers VALUES ('cus_1', 1, 'Fatima', '+96599887766', NULL, 1, 5);
  INSERT INTO cards (card_id, customer_id, template_id, loyalty_id, points) VALUES ('card_1', 'cus_1', 'tpl_reward', 'L-1', 9000);
  INSERT INTO transactions (transaction_id, source, natural_key, intent, status, external_ref, customer_id, card_id,
    operation, points, request, request_id, occurred_at_ms, created_at_ms, completed_at_ms, apply_at_ms, deltas, new_balances)
  VALUES
    ('txn_1', 'demo', 'redeem:R-1', 'redeem', 'success', 'R-1', 'cus_1', 'card_1', 'redeem_points', 1000, '{}', 'req_1', 1, 2,
      3, NULL, '{"points":-1000}', '{"points":9}'),
    ('txn_2', 'demo', 'earn:R-2', 'earn', 'pending', 'R-2', 'cus_1', 'card_1', 'earn_points', 2000, '{}', 'req_2', 4, 5, NULL,
      1005, NULL, NULL);
  INSERT INTO reservations (reservation_id, source, external_ref, state, customer_id, card_id, points, request, created_at_ms,
    expires_at_ms, committed_transaction_id)
  VALUES ('res_1', 'demo', 'cart-1', 'committed', 'cus_1', 'card_1', 1000, '{}', 1, 9, 'txn_1');
`;

describe('a data file of an earlier version', () => {
  it('keeps every transaction, its place and what points to it, when the table is made anew', () => {
    makeFile(2, rowsBefore);
    const old = new Database(path);
    const before = old.prepare('SELECT * FROM transactions ORDER BY position').all();
    old.close();

    const database = openServiceDatabase({ kind: 'file', path });
    expect(before).toHaveLength(2);
    expect(database.prepare('SELECT * FROM transactions ORDER BY position').all()).toEqual(before);
    expect(database.pragma('foreign_key_check')).toEqual([]);
    expect(() => database.exec(`DELETE FROM transactions WHERE transaction_id = 'txn_1'`)).toThrow(/FOREIGN KEY/);
    expect(() => database.exec(`UPDATE transactions SET status = 'lost' WHERE position = 1`)).toThrow(/CHECK/);
    expect(() => database.exec(`UPDATE transactions SET intent = 'gift' WHERE position = 1`)).toThrow(/CHECK/);
    expect(() => database.exec('UPDATE transactions SET apply_at_ms = NULL WHERE position = 2')).toThrow(/CHECK/);
    database.close();
  });

  it('has the same schema in the end as a new one', () => {
    makeFile(1, '');
    const upgraded = openServiceDatabase({ kind: 'file', path });
    const fresh = openServiceDatabase({ kind: 'memory' });
    const schemaOf = (database: typeof fresh) =>
      database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();
    expect(schemaOf(upgraded)).toEqual(schemaOf(fresh));
    expect(schemaOf(fresh).length).toBeGreaterThan(15);
    upgraded.close();
    fresh.close();
  });
});
