import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'vitest';
import { readSoundBooks } from '../crash/agent-books.ts';
import { endOf, pointsAtEnd } from './ends.ts';
import { type FrozenRow, keyOf } from './frozen-rows.ts';
import type { FrozenSet } from './frozen-set.ts';
import type { Home } from './home.ts';
import type { Program } from './program.ts';
import { ProgramShop, type SeenCall, serviceFile, tillFile } from './shop.ts';

/**
 * The newest program starts on the files and delivers what is open to its sandbox service: each row once, none lost,
 * and none sent again without a look where nobody can know whether it was done.
 */
export async function deliverAndCompare(
  home: Home,
  {
    set,
    rows,
    program,
    where,
  }: {
    readonly set: FrozenSet;
    readonly rows: readonly FrozenRow[];
    readonly program: Program;
    readonly where: string;
  },
): Promise<void> {
  const startsAtMs = set.frozenAtMs + 60_000;
  const shop = new ProgramShop(program, { folder: home.path, startsAtMs, starts: set.serviceStarts });
  shop.start();
  try {
    await shop.pass(900_000, 1_000);
    // Codes and holds of which no answer came have run out after this.
    await shop.pass(4 * 3_600_000, 60_000);
    const ends = rows.map((row) => ({ key: keyOf(row), state: shop.core.operation(row.row_id)?.state }));
    expect(ends, where).toEqual(rows.map((row) => ({ key: keyOf(row), state: endOf(row).state })));
    expect(shop.core.status().operations, where).toMatchObject({ queued: 0, sending: 0, unknown: 0, accepted: 0 });
    expect(await pointsOf(shop), where).toBe(pointsAtEnd(set.schema));
    expect(shop.errors, where).toEqual([]);
    for (const { operation, history } of set.told) {
      const now = shop.core.history(Number(operation.rowId));
      expect(now.slice(0, history.length), `${where}: ${String(operation.externalRef)}`).toMatchObject(history);
    }
    nothingIsSentBlindly(rows, shop.seen, where);
  } finally {
    await shop.stop();
  }
  expect(heldIn(join(home.path, serviceFile)), where).toEqual(expectedBooks(rows));
  readSoundBooks(join(home.path, tillFile), where);
}

async function pointsOf(shop: ProgramShop): Promise<number> {
  return (await shop.call('POST', '/v1/customers/identify', { loyalty_id: 'LC-1001' })).cards[0].balances.points;
}

function nothingIsSentBlindly(rows: readonly FrozenRow[], seen: readonly SeenCall[], where: string): void {
  const looked = new Set<string>();
  const sent = new Map<string, number>();
  for (const { method, path, body } of seen) {
    if (method === 'GET') looked.add(new URLSearchParams(path.split('?')[1]).get('external_ref') ?? '');
    if (method !== 'POST' || path === '/customers/identify') continue;
    // The same bytes under the same reference, and nothing that nobody has asked for.
    const row = rows.find((each) => each.path === path && each.body === body);
    if (row === undefined) {
      expect({ path, body: JSON.parse(body) }, where).toMatchObject(reversalOfPaidInFull);
      continue;
    }
    const { sends } = endOf(row);
    expect(sends, `${where}: ${keyOf(row)} was ${row.state} and is sent`).not.toBe('never');
    if (sends === 'once_after_a_look') expect(looked, `${where}: ${keyOf(row)}`).toContain(row.external_ref);
    sent.set(keyOf(row), (sent.get(keyOf(row)) ?? 0) + 1);
  }
  const once = rows.filter((row) => endOf(row).sends !== 'never').map((row) => [keyOf(row), 1]);
  expect(Object.fromEntries(sent), where).toEqual(Object.fromEntries(once));
}

const reversalOfPaidInFull = {
  path: '/transactions/reverse',
  body: { external_ref: 'R-pay-arrived', intent: 'redeem' },
};

/** Everything in the service's books, each as often as it is there. */
function heldIn(path: string): readonly string[] {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return database
      .prepare<[], { held: string }>(`SELECT intent || ' ' || external_ref || ' ' || status AS held FROM transactions`)
      .all()
      .map(({ held }) => held)
      .toSorted();
  } finally {
    database.close();
  }
}

function expectedBooks(rows: readonly FrozenRow[]): readonly string[] {
  return rows.flatMap((row) => endOf(row).held).toSorted();
}
