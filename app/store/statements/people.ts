import { asc, desc, eq, sql } from 'drizzle-orm';
import { given, type Placeholders, pick, query, read, select, write } from '../../sql/compile.ts';
import { people, pinFailures } from '../people-schema.ts';

const person = () => select(pick(people, 'personId', 'role', 'name', 'employeeRef')).from(people);
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

export const managerStatements = {
  list: read(() =>
    select({
      ...pick(people, 'personId', 'name'),
      // A CHECK sees to it that a manager has them.
      salt: sql<Buffer>`${people.pinSalt}`,
      hash: sql<Buffer>`${people.pinHash}`,
      cost: sql<number>`${people.pinCost}`,
    })
      .from(people)
      .where(eq(people.role, 'manager'))
      .orderBy(asc(people.personId)),
  ),
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
  list: read(() => person().orderBy(desc(people.role), asc(people.name))),
  byName: read(($: Placeholders<{ name: string }>) => person().where(eq(people.name, $.name))),
  byBadge: read(($: Placeholders<{ badge: Buffer }>) => person().where(eq(people.badge, $.badge))),
  failures: read(() => select(pick(pinFailures, 'count')).from(pinFailures).where(isTheOneLine)),
  setFailures: write(($: Placeholders<{ count: number }>) =>
    query
      .update(pinFailures)
      .set(given(pick(pinFailures, 'count'), $))
      .where(isTheOneLine),
  ),
};
