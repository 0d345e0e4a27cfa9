import { asc, desc, eq, getTableColumns, or, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { people, pinFailures } from '../schema/people-schema.ts';

const isTheOneLine = eq(pinFailures.one, 1);

interface NewManager {
  readonly name: string;
  readonly pinSalt: Buffer;
  readonly pinHash: Buffer;
  readonly pinCost: number;
  readonly madeAtMs: number;
}

interface NewCashier {
  readonly name: string;
  readonly employeeRef: string;
  readonly badge: Buffer;
  readonly madeAtMs: number;
}

/** Everybody of a database that another program may have open. */
export const peopleReading = {
  all: read(() => select(getTableColumns(people)).from(people).orderBy(desc(people.role), asc(people.name))),
};

/** Everybody, for good. */
export const peopleErasure = { all: write(() => query.delete(people)) };

export const peopleStatements = {
  addManager: write(($: Placeholders<NewManager>) =>
    query
      .insert(people)
      .values({ role: 'manager', ...given(pick(people, 'name', 'pinSalt', 'pinHash', 'pinCost', 'madeAtMs'), $) }),
  ),
  addCashier: write(($: Placeholders<NewCashier>) =>
    query
      .insert(people)
      .values({ role: 'cashier', ...given(pick(people, 'name', 'employeeRef', 'badge', 'madeAtMs'), $) }),
  ),
  remove: write(($: Placeholders<{ name: string }>) => query.delete(people).where(eq(people.name, $.name))),
  // Nobody else may have the name or the badge.
  removeDoubted: write(($: Placeholders<{ name: string; badge: Buffer | null }>) =>
    query.delete(people).where(or(eq(people.name, $.name), eq(people.badge, $.badge))),
  ),
  failures: read(() => select(pick(pinFailures, 'count')).from(pinFailures).where(isTheOneLine)),
  setFailures: write(($: Placeholders<{ count: number }>) =>
    query
      .insert(pinFailures)
      .values({ one: 1, ...given(pick(pinFailures, 'count'), $) })
      // drizzle knows no EXCLUDED.
      .onConflictDoUpdate({ target: pinFailures.one, set: { count: sql`excluded.count` } }),
  ),
};
