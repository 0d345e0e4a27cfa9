import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../app/service/store/migrations.ts';
import { openServiceDatabase } from '../../app/service/store/open.ts';
import { type FaceKind, faces } from '../support/service-faces.ts';

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
  it('keeps every transaction, its place and what points to it, when the table is made again', () => {
    makeFile(2, rowsBefore);
    const old = new Database(path);
    const before = old.prepare('SELECT * FROM transactions ORDER BY position').all();
    old.close();

    const database = openServiceDatabase({ kind: 'file', path });
    expect(before).toHaveLength(2);
    expect(database.prepare('SELECT * FROM transactions ORDER BY position').all()).toMatchObject(before);
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

  const stampRowsBefore = `
    INSERT INTO state VALUES ('starts', '1');
    INSERT INTO customers VALUES ('cus_1', 1, 'Sarah', '+12025550143', NULL, 1, 5);
    INSERT INTO cards (card_id, customer_id, template_id, loyalty_id, points, stamps, rewards_available) VALUES
      ('card_tens', 'cus_1', 'tpl_stamp', 'L-1', NULL, 7, 2),
      ('card_owing', 'cus_1', 'tpl_stamp', 'L-2', NULL, 2, -1),
      ('card_undone', 'cus_1', 'tpl_stamp', 'L-3', NULL, 11, 0),
      ('card_coupon', 'cus_1', 'tpl_coupon', 'L-4', NULL, NULL, 1),
      ('card_points', 'cus_1', 'tpl_reward', 'L-5', 9000, NULL, NULL);
    INSERT INTO transactions (transaction_id, source, natural_key, intent, status, external_ref, customer_id, card_id,
      operation, stamps, request, request_id, occurred_at_ms, created_at_ms, completed_at_ms, apply_at_ms, deltas, new_balances)
    VALUES
      ('txn_made', 'demo', 'earn:R-1', 'earn', 'success', 'R-1', 'cus_1', 'card_tens', 'earn_stamp', 5, '{}', 'req_1', 1, 2, 3,
        NULL, '{"stamps":-5,"rewards_available":1}', '{"stamps":7,"rewards_available":2}'),
      ('txn_earned', 'demo', 'earn:R-2', 'earn', 'success', 'R-2', 'cus_1', 'card_tens', 'earn_stamp', 4, '{}', 'req_2', 1, 2, 3,
        NULL, '{"stamps":4}', '{"stamps":7,"rewards_available":2}'),
      ('txn_claimed', 'demo', 'redeem:R-3', 'redeem', 'success', 'R-3', 'cus_1', 'card_tens', 'redeem_reward', NULL, '{}',
        'req_3', 1, 2, 3, NULL, '{"rewards_available":-1}', '{"stamps":7,"rewards_available":2}'),
      ('txn_pending', 'demo', 'earn:R-4', 'earn', 'pending', 'R-4', 'cus_1', 'card_tens', 'earn_stamp', 1, '{}', 'req_4', 1, 2,
        NULL, 1005, NULL, NULL),
      ('txn_enrolled', 'demo', 'enroll:E-1', 'enroll', 'success', 'E-1', 'cus_1', 'card_tens', NULL, NULL, '{}', 'req_5', 1, 2, 3,
        NULL, '{}', '{"stamps":0,"rewards_available":0}'),
      ('txn_coupon', 'demo', 'redeem:R-5', 'redeem', 'success', 'R-5', 'cus_1', 'card_coupon', 'redeem_coupon', NULL, '{}',
        'req_6', 1, 2, 3, NULL, '{"rewards_available":-1}', '{"rewards_available":0}');
  `;

  it('counts a stamp card as one, with what each transaction changed on it, and lets every other card be', () => {
    makeFile(5, stampRowsBefore);
    const database = openServiceDatabase({ kind: 'file', path });
    expect(database.prepare('SELECT card_id, stamps, rewards_available, points FROM cards').raw().all()).toEqual([
      ['card_tens', 27, null, null],
      ['card_owing', -8, null, null],
      ['card_undone', 11, null, null],
      ['card_coupon', null, 1, null],
      ['card_points', null, null, 9000],
    ]);
    expect(database.prepare('SELECT transaction_id, deltas FROM transactions').raw().all()).toEqual([
      ['txn_made', '{"stamps":5}'],
      ['txn_earned', '{"stamps":4}'],
      ['txn_claimed', '{"stamps":-10}'],
      ['txn_pending', null],
      ['txn_enrolled', '{}'],
      ['txn_coupon', '{"rewards_available":-1}'],
    ]);
    // What was answered then stays what was answered.
    const [made] = database.prepare('SELECT new_balances FROM transactions').pluck().all();
    expect(made).toBe('{"stamps":7,"rewards_available":2}');
    database.close();
  });

  it('is served as if it had always kept one count: a reversal takes what its earn gave', async () => {
    makeFile(5, stampRowsBefore);
    const face = await (faces[0] as FaceKind).start({ data: { kind: 'file', path } });
    const stampsOf = async (place: number) => {
      const { cards } = (await face.post('/customers/identify', { customer_id: 'cus_1' })).body;
      const { stamps, rewards_available: rewards } = cards[place].balances;
      return { stamps, rewards };
    };
    // The pending earn of one stamp is applied at the start.
    expect(await stampsOf(0)).toEqual({ stamps: 8, rewards: 2 });
    expect(await stampsOf(1)).toEqual({ stamps: -8, rewards: 0 });
    expect(await stampsOf(2)).toEqual({ stamps: 1, rewards: 1 });
    expect((await face.post('/transactions/txn_made/reverse', {})).status).toBe(202);
    await face.advance(1000);
    expect(await stampsOf(0)).toEqual({ stamps: 3, rewards: 2 });
    await face.close();
  });

  it('tells the same histories, of customers who came in turns, and goes on from there', async () => {
    const customers = [1, 2, 3].map((n) => `('cus_${n}', ${n}, 'C', '+9655000000${n}', NULL, 1, 5)`);
    const cards = [1, 2, 3].map((n) => `('card_${n}', 'cus_${n}', 'tpl_reward', 'L-${n}', 0)`);
    // The third customer never came.
    const turns = [1, 2, 2, 1, 2, 1, 1];
    const row = (n: number, at: number) =>
      `('txn_${at}', 'demo', 'earn:R-${at}', 'earn', 'success', 'R-${at}', 'cus_${n}', 'card_${n}', 'earn_points',
        1000, '{}', 'req_1', 1, 2, 3, NULL, '{"points":1000}', '{"points":1}')`;
    makeFile(
      8,
      `INSERT INTO customers VALUES ${customers.join(',')};
       INSERT INTO cards (card_id, customer_id, template_id, loyalty_id, points) VALUES ${cards.join(',')};
       INSERT INTO transactions (transaction_id, source, natural_key, intent, status, external_ref, customer_id, card_id,
         operation, points, request, request_id, occurred_at_ms, created_at_ms, completed_at_ms, apply_at_ms, deltas,
         new_balances)
       VALUES ${turns.map(row).join(',')};`,
    );
    const face = await (faces[0] as FaceKind).start({ data: { kind: 'file', path } });
    const historyOf = async (n: number) => {
      const { data } = (await face.get(`/customers/cus_${n}/transactions`)).body;
      return data.map(({ external_ref: reference }: { external_ref: string }) => reference);
    };
    expect(await historyOf(1)).toEqual(['R-6', 'R-5', 'R-3', 'R-0']);
    expect(await historyOf(2)).toEqual(['R-4', 'R-2', 'R-1']);
    expect(await historyOf(3)).toEqual([]);
    for (const n of [2, 3]) {
      const earn = {
        identifier: { loyalty_id: `L-${n}` },
        external_ref: `new-${n}`,
        amount_minor: 5000,
        currency: 'KWD',
      };
      expect((await face.post('/transactions/earn', earn)).status).toBe(202);
    }
    expect(await historyOf(2)).toEqual(['new-2', 'R-4', 'R-2', 'R-1']);
    expect(await historyOf(3)).toEqual(['new-3']);
    await face.close();
  });

  it("takes an enrollment's reference as the customer's external_id, where the partner had given none", () => {
    const enrollment = (number: number, source: string, reference: string, customer: string) =>
      `('enr_${number}', '${source}', '${reference}', 'enrolled', '+9655000000${number}', 'tpl_reward', '{}', '1', 1, 2, 1, 0,
        '${customer}', 'card_1')`;
    makeFile(
      6,
      `INSERT INTO customers VALUES ('cus_1', 1, 'One', NULL, NULL, 1, 5), ('cus_2', 2, 'Two', NULL, NULL, 1, 5),
         ('cus_3', 3, 'Three', NULL, NULL, 1, 5);
       INSERT INTO cards (card_id, customer_id, template_id, loyalty_id) VALUES ('card_1', 'cus_1', 'tpl_reward', 'L-1');
       INSERT INTO external_ids VALUES ('demo', 'crm-2', 'cus_2'), ('demo', 'E-3', 'cus_2');
       INSERT INTO enrollments (enrollment_id, source, external_ref, state, phone, template_id, request, otp, otp_sent_at_ms,
         otp_expires_at_ms, sends, attempts, customer_id, card_id)
       VALUES ${enrollment(1, 'demo', 'E-1', 'cus_1')}, ${enrollment(2, 'demo', 'E-2', 'cus_2')},
         ${enrollment(3, 'demo', 'E-3', 'cus_3')}, ${enrollment(4, 'web', 'E-1', 'cus_2')};`,
    );
    const database = openServiceDatabase({ kind: 'file', path });
    expect(database.prepare('SELECT * FROM external_ids ORDER BY source, external_id').raw().all()).toEqual([
      ['demo', 'E-1', 'cus_1'],
      ['demo', 'E-3', 'cus_2'],
      ['demo', 'crm-2', 'cus_2'],
      ['web', 'E-1', 'cus_2'],
    ]);
    database.close();
  });
});
