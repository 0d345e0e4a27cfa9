import { operationsMigration } from './0001-operations.ts';
import { immediateMigration } from './0002-immediate.ts';
import { keptProfilesMigration } from './0003-kept-profiles.ts';
import { peopleMigration } from './0004-people.ts';
import { posNameMigration } from './0005-pos-name.ts';
import { holdsMigration } from './0006-holds.ts';
import { dayClosesMigration } from './0007-day-closes.ts';
import { watchesMigration } from './0008-watches.ts';
import { givenNameMigration } from './0009-given-name.ts';
import { normalLifeMigration } from './0010-normal-life.ts';
import { sealsMigration } from './0011-seals.ts';

/** One step of the schema. Steps are only ever added, and only ever add: an older app can go on with a newer file. */
export interface Migration {
  /** `PRAGMA user_version` after the step. */
  readonly version: number;
  readonly sql: string;
  /** The oldest schema version whose app may still open a database that has this step. */
  readonly oldestReader: number;
}

export const migrations: readonly Migration[] = [
  { version: 1, sql: operationsMigration, oldestReader: 1 },
  // A program that knows only deferred writes would send an immediate one hours later.
  { version: 2, sql: immediateMigration, oldestReader: 2 },
  { version: 3, sql: keptProfilesMigration, oldestReader: 2 },
  { version: 4, sql: peopleMigration, oldestReader: 2 },
  { version: 5, sql: posNameMigration, oldestReader: 2 },
  { version: 6, sql: holdsMigration, oldestReader: 2 },
  { version: 7, sql: dayClosesMigration, oldestReader: 2 },
  // An older program looks nothing up and loses no sale by that; what it leaves is looked up by the next newer one.
  { version: 8, sql: watchesMigration, oldestReader: 2 },
  { version: 9, sql: givenNameMigration, oldestReader: 2 },
  // An older program would miss that a sale was sent, and so take the service's record of it for another's; and it would
  // take the counters for whole, and so send nothing of what was saved last.
  { version: 10, sql: normalLifeMigration, oldestReader: 10 },
  // What an older program saves or corrects has no seal: a newer one would hold it for a person.
  { version: 11, sql: sealsMigration, oldestReader: 11 },
];
