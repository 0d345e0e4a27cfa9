import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { cashierPinFailuresName, cashierPinsName } from '../people/cashier-pins.ts';
import { rollVersion } from '../people/people-roll.ts';
import { failuresSealName, rollName } from '../people/people-store.ts';
import { peopleErasure, peopleStatements } from '../statements/people.ts';
import { readMeta, writeMeta } from '../versions/meta.ts';
import { commonColumns } from '../versions/table-columns.ts';
import { readableRows } from './readable-rows.ts';

/**
 * Who may decide comes along: a till without managers would let everybody. The list and the roll that proves it (see
 * people-roll.ts) go together: the newer of the two databases has the word.
 */
export function carryPeople(from: Database, into: Database): void {
  try {
    const roll = readMeta(from, rollName);
    if (roll !== null) {
      const here = readMeta(into, rollName);
      if (here !== null && rollVersion(roll) <= rollVersion(here)) return;
      prepareAll(into, peopleErasure).all.run();
      writeMeta(into, rollName, roll);
      for (const key of [cashierPinsName, cashierPinFailuresName]) {
        const kept = readMeta(from, key);
        if (kept !== null) writeMeta(into, key, kept);
      }
    }
    const columns = commonColumns(from, into, 'people').filter((name) => name !== 'person_id');
    const insert = into.prepare(
      `INSERT OR IGNORE INTO people (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of readableRows(from, { table: 'people', key: 'person_id' })) {
      insert.run(...columns.map((name) => row[name] ?? null));
    }
  } catch {
    // A database from before there were any, or one whose page with them is lost.
  }
  try {
    carryFailures(from, into);
  } catch {
    // As above.
  }
}

/** Wrong PINs are not forgiven by a restore. */
function carryFailures(from: Database, into: Database): void {
  const { failures } = prepareAll(from, { failures: peopleStatements.failures });
  const kept = failures.get();
  const seal = readMeta(from, failuresSealName);
  if (kept === null || readMeta(into, failuresSealName) !== null) return;
  prepareAll(into, { set: peopleStatements.setFailures }).set.run(kept);
  if (seal !== null) writeMeta(into, failuresSealName, seal);
}
