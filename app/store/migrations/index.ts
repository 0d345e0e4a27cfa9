import { operationsMigration } from './0001-operations.ts';
import { immediateMigration } from './0002-immediate.ts';
import { keptProfilesMigration } from './0003-kept-profiles.ts';
import { peopleMigration } from './0004-people.ts';
import { dayClosesMigration } from './0007-day-closes.ts';
import { watchesMigration } from './0008-watches.ts';
import { normalLifeMigration } from './0010-normal-life.ts';
import { cashiersMigration } from './0013-cashiers.ts';
import { givenKindMigration } from './0014-given-kind.ts';
import { lateRequestsMigration } from './0016-late-requests.ts';

/**
 * One step of the schema. Steps are only ever added, and take no row or column away: an older app can go on with a newer
 * file.
 */
export interface Migration {
  /** `PRAGMA user_version` after the step. */
  readonly version: number;
  readonly sql: string;
  /** The oldest schema version whose app may still open a database that has this step. */
  readonly oldestReader: number;
  /**
   * What `schemaDigest` says of a database that the steps up to this one have made: the texts of its tables, indexes,
   * views and triggers. A test holds the two alike. It stands here and not in the database alone, whose own note changes
   * with whoever changes the schema.
   */
  readonly digest: string;
}

/** A released step is never changed. A long one has a file of its own; a short one stands in its row. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: operationsMigration,
    oldestReader: 1,
    digest: '5f3a45926f664a1058d5139125fc16efcfc8e14a0074cdbac939177ea072f20b',
  },
  {
    version: 2,
    sql: immediateMigration,
    // A program that knows only deferred writes would send an immediate one hours later.
    oldestReader: 2,
    digest: '4edb5c70fb7441251fae90b1b777518fcc39a4493bd67992a984964bf2f46a90',
  },
  {
    version: 3,
    sql: keptProfilesMigration,
    oldestReader: 2,
    digest: '8ad0d2f945f076028f28ab21cfe91878ca6f361ddce0023d305256ed608b7760',
  },
  {
    version: 4,
    sql: peopleMigration,
    oldestReader: 2,
    digest: 'da1a4bf4bb05de1503c7f7c69337cc771791fa247758f5d0268d85c0aed066d9',
  },
  {
    version: 5,
    // Which POS program an operation came from.
    sql: `
-- The name of its token; null for the till's own screen, and for what was saved before there was this column.
ALTER TABLE operations ADD COLUMN pos_name TEXT CHECK (length(pos_name) > 0);
`,
    oldestReader: 2,
    digest: '3505eb26e2fdf278ee43bca03cad5adb134b6325ee46c2f2e73f46dd35fc4786',
  },
  {
    version: 6,
    // Finds the till's holds among a million sales.
    sql: `
CREATE INDEX operations_holds ON operations (saved_at)
WHERE intent IN ('reserve', 'commit', 'release') AND origin = 'till';
`,
    oldestReader: 2,
    digest: 'f69c9679fac4090efd63ab4d3698c994442b2a09a2d246e13938351365d5bc24',
  },
  {
    version: 7,
    sql: dayClosesMigration,
    oldestReader: 2,
    digest: '8a96ef1d5df02b31719398b47ace976235f48b2196ebc1789b03f2d22319fd7e',
  },
  {
    version: 8,
    sql: watchesMigration,
    // An older program looks nothing up and loses no sale by that; what it leaves is looked up by the next newer one.
    oldestReader: 2,
    digest: '96aab32bc9c58f8edbaa617134bb6c4a1e65bcdfd10b8227b48318e682fcf749',
  },
  {
    version: 9,
    // What a reward or a coupon is called.
    sql: `
-- In the card's own words; null for everything else, and for what was saved before there was this column.
ALTER TABLE operations ADD COLUMN given_name TEXT CHECK (length(given_name) > 0);
`,
    oldestReader: 2,
    digest: '047427e21c5d54452a63097465805915cc34f160d067492842579857eb25ca15',
  },
  {
    version: 10,
    sql: normalLifeMigration,
    // An older program would miss that a sale was sent, and so take the service's record of it for another's; and it would
    // take the counters for whole, and so send nothing of what was saved last.
    oldestReader: 10,
    digest: 'ec09ea455bab45740ff9e4c233208134a46db27f6195ec0f23bef819f66da8b1',
  },
  {
    version: 11,
    // The seal over a frozen request.
    sql: `
-- A MAC under a key that is not in this file; null for what was saved before there were seals.
ALTER TABLE operations ADD COLUMN seal BLOB;
`,
    // What an older program saves or corrects has no seal: a newer one would hold it for a person.
    oldestReader: 11,
    digest: '6964723b7f9b322d57c500eae4816afc0ae07485b13c2991e0914e50444a7e43',
  },
  {
    version: 12,
    // What a customer seen here did last, as the service told it.
    sql: `
-- Sealed as the profile is; null where it was not asked for yet.
ALTER TABLE kept_profiles ADD COLUMN history BLOB;
`,
    oldestReader: 11,
    digest: 'd17491cafe98a3f8d7bd575779f3d714e9a462aaabc9354213a5740066336683',
  },
  {
    version: 13,
    sql: cashiersMigration,
    // An older program saves without the cashier's name: those operations are nobody's in the newer one.
    oldestReader: 11,
    digest: 'c7a99032c5d3bed81e603965192a8aa716dcc69de6a89c33e8d466a18dd6dc11',
  },
  {
    version: 14,
    sql: givenKindMigration,
    // An older program saves without it: its coupons read as rewards in the newer one.
    oldestReader: 11,
    digest: '21c4e2f3cd3a34c248446a537f1cbcabb2ce585e06162f8a1ec2d98feaa827b6',
  },
  {
    version: 15,
    // SQLite builds a list of three names anew for each new row, to know whether it belongs into the index: a sixth of an
    // insert. Of most rows the origin alone says that they do not. Making the index reads all rows, once.
    sql: `
DROP INDEX operations_holds;
CREATE INDEX operations_holds ON operations (saved_at)
WHERE origin = 'till' AND (intent = 'reserve' OR intent = 'commit' OR intent = 'release');
`,
    // An older program finds the till's holds without the index, more slowly.
    oldestReader: 11,
    digest: 'bd780a3b45124c70f213f2f8694dc2c35b4567f649074903b398ab922b5731a9',
  },
  {
    version: 16,
    sql: lateRequestsMigration,
    // An older program notes none of them: it counts them on no day, and so does the newer one after it.
    oldestReader: 11,
    digest: '1a46f2c51488b94e7bbf7a68d9488e69c03ff398379bc57902211fd2676f46ad',
  },
];
