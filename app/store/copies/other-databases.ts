import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { connect } from '../database/connect.ts';
import { hasStrayLog } from '../database/stray-log.ts';
import { examineLog, sizeOf } from '../files/database-files.ts';
import { emptyLog } from '../files/empty-log.ts';
import { forgetLog } from '../files/open-marker.ts';
import { cashierPinFailuresName, cashierPinsName } from '../people/cashier-pins.ts';
import type { PeopleProof } from '../people/people-roll.ts';
import { failuresSealName, PeopleStore, rollName } from '../people/people-store.ts';
import { keptProfileErasure } from '../statements/kept-profiles.ts';
import { peopleErasure } from '../statements/people.ts';
import type { ErasedProfiles } from '../tables/kept-profile-store.ts';
import { removeMeta } from '../versions/meta.ts';
import { hasTable } from '../versions/table-columns.ts';

/** `production.sqlite`, and `sandbox.before-restore-20261120T181300.sqlite`, which was put aside. */
const ofAnAgent = /^(production|sandbox)(\..+)?\.sqlite$/;

/**
 * Erases the saved customers from the databases that lie beside one: the other mode's, whether an agent sends from it or
 * not, and those that were put aside.
 */
export function eraseProfilesBeside(path: string): ErasedProfiles {
  const folder = dirname(path);
  const names = readdirSync(folder).filter((name) => ofAnAgent.test(name) && name !== basename(path));
  const notReached = logsAlone(folder).filter((name) => name !== `${basename(path)}-wal`);
  let erased = 0;
  for (const name of names) {
    const count = eraseProfilesIn(join(folder, name));
    if (count === null) notReached.push(name);
    else erased += count;
  }
  return { erased, notReached };
}

/** Databases that were put aside in a data folder: their paths. */
export function databasesAside(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => ofAnAgent.exec(name)?.[2] !== undefined)
    .map((name) => join(folder, name));
}

/**
 * Logs whose database is not beside them, and that hold something: one that was put aside where the database was gone, or
 * was not its own. Nothing can be erased in one. @returns their names, without the folder
 */
export function logsAlone(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const database = name.replace(/-wal$/, '');
    const isLog = database !== name && ofAnAgent.test(database);
    return isLog && !existsSync(join(folder, database)) && sizeOf(join(folder, name)) > 0;
  });
}

/** @returns null when something of them may be left: the file or its log is damaged, or another program reads it */
function eraseProfilesIn(path: string): number | null {
  try {
    // SQLite would take a damaged log for a shorter one, and write that down.
    examineLog(path);
    if (hasStrayLog(path)) return null;
    const database = connect(path, { fileMustExist: true, timeout: 2_000 });
    try {
      const count = deleteProfiles(database);
      return emptyLog(database) ? count : null;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/**
 * Seals the people of a database that lies beside one that is about to be opened, once (see PeopleStore.sealFirst).
 *
 * @param path which nobody has open; there may be none
 * @returns their names, and the version of the list; null when it cannot be read or written
 */
export function beginPeopleBeside(
  path: string,
  proof: PeopleProof,
): { readonly names: readonly string[]; readonly version: number } | null {
  try {
    if (!existsSync(path)) return { names: [], version: 0 };
    examineLog(path);
    if (hasStrayLog(path)) return null;
    const database = connect(path, { fileMustExist: true, timeout: 2_000 });
    try {
      // SQLite deletes the log with the end of the only one who has it open.
      forgetLog(path);
      if (!hasTable(database, 'people')) return { names: [], version: 0 };
      const people = new PeopleStore(database, proof);
      const names = database.transaction(() => people.sealFirst())();
      const version = people.versionSaved();
      return version === null ? null : { names, version };
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** Deletes managers and cashiers of any database of an agent, over what they stood in. */
export function deletePeople(database: BetterSqlite3.Database): void {
  database.pragma('secure_delete = ON');
  if (hasTable(database, 'people')) prepareAll(database, peopleErasure).all.run();
  // It has their names.
  if (hasTable(database, 'meta')) {
    const keys = [rollName, failuresSealName, cashierPinsName, cashierPinFailuresName];
    for (const key of keys) removeMeta(database, key);
  }
}

/** Deletes the saved customers of any database of an agent, over what they stood in. @returns how many there were */
export function deleteProfiles(database: BetterSqlite3.Database): number {
  database.pragma('secure_delete = ON');
  if (!hasTable(database, 'kept_profiles')) return 0;
  const { names, profiles } = prepareAll(database, keptProfileErasure);
  names.run();
  return profiles.run();
}
