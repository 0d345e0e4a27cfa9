import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCustomer, type TestCustomer } from '../support/service-customers.ts';
import { type FaceKind, faces, type TestFace } from '../support/service-faces.ts';

const mostPages = 20;

let folder: string;
let path: string;
let face: TestFace;
let first: TestCustomer;
let second: TestCustomer;
/** The references of the first customer, newest first. */
const own = ['R-8', 'R-6', 'R-4', 'R-2', 'R-0'];

async function start(): Promise<TestFace> {
  return await (faces[0] as FaceKind).start({ data: { kind: 'file', path } });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-history-'));
  path = join(folder, 'sandbox.sqlite');
  face = await start();
  first = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
  second = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
  for (let number = 0; number < 10; number += 1) await earn(number % 2 === 0 ? first : second, `R-${number}`);
});
afterEach(async () => {
  await face.close();
  rmSync(folder, { recursive: true });
});

async function earn({ customer_id }: TestCustomer, externalRef: string): Promise<number> {
  return (await face.post('/transactions/earn', { identifier: { customer_id }, external_ref: externalRef, points: 1 }))
    .status;
}

/** What the pages tell, and the status of the last one. */
async function walk({ customer_id }: TestCustomer, limit: number) {
  const references: string[] = [];
  let cursor: string | null = '';
  let status = 0;
  for (let pages = 0; cursor !== null && pages < mostPages; pages += 1) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await face.get(`/customers/${customer_id}/transactions?limit=${limit}${from}`);
    status = answer.status;
    if (status !== 200) break;
    references.push(...answer.body.data.map((row: { external_ref: string }) => row.external_ref));
    cursor = answer.body.next_cursor;
  }
  return { references, status };
}

async function damage(sql: string): Promise<void> {
  await face.close();
  const database = new BetterSqlite3(path);
  expect(database.prepare(sql).run().changes).toBe(1);
  database.close();
  face = await start();
}

const placeOf = (externalRef: string) => `(SELECT position FROM transactions WHERE external_ref = '${externalRef}')`;
const link = (from: string, to: string) =>
  `UPDATE transactions SET previous_position = ${to} WHERE external_ref = '${from}'`;

describe('a data file in which the link from one transaction to the one before it is damaged', () => {
  it.each([
    ['itself', link('R-4', placeOf('R-4'))],
    ['a later one', link('R-4', placeOf('R-8'))],
    ["another customer's", link('R-4', placeOf('R-3'))],
    ['none that there is', link('R-4', '999')],
  ])('that leads to %s tells the newer ones and says that something is wrong', async (_, sql) => {
    await damage(sql);
    for (const limit of [1, 2, 3, 4, 25]) {
      const { references, status } = await walk(first, limit);
      expect(status).toBe(500);
      expect(own.slice(0, 3)).toEqual(expect.arrayContaining(references));
      expect(await walk(second, limit)).toEqual({ references: ['R-9', 'R-7', 'R-5', 'R-3', 'R-1'], status: 200 });
    }
    expect(await earn(first, 'new')).toBe(202);
  });

  it.each([
    ["another customer's", placeOf('R-9')],
    ['none that there is', '999'],
  ])('of the newest that leads to %s is no history either', async (_, to) => {
    await damage(`UPDATE customers SET last_position = ${to} WHERE customer_id = '${first.customer_id}'`);
    expect(await walk(first, 25)).toEqual({ references: [], status: 500 });
  });

  it('is not called damaged when nothing is', async () => {
    for (const limit of [1, 2, 3, 4, 5, 25]) expect(await walk(first, limit)).toEqual({ references: own, status: 200 });
  });
});
