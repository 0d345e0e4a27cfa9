import type { Database } from 'better-sqlite3';
import type { RandomSource } from '../../shared/lib/random.ts';
import { readMeta, writeMeta } from './meta.ts';

/** Who this database is. */
export interface DatabaseIdentity {
  /** `till_` and 16 hex digits, made with the database. */
  readonly deviceId: string;
  /** Part of references that are made from a receipt's number; another one after a copy or a clone. */
  readonly epoch: string;
  /**
   * Part of references that are made from a sequence; another one at each start. A database that was put back in its
   * own place cannot be told from one that only rested, and would give out the same numbers once more.
   */
  readonly runEpoch: string;
}

const epochLength = 5;
/** No vowels and nothing that is mistaken when read aloud. */
const epochAlphabet = 'bcdfghjkmnpqrstvwxz23456789';

/** Whether the database was made, or used last, in another place: a copy of it was put here. */
export function cameFromElsewhere(database: Database, place: string): boolean {
  const kept = readMeta(database, 'place');
  return kept !== null && kept !== place;
}

/**
 * Reads who the database is, making it up the first time. A database that finds itself in another place (a restored
 * or copied file, a cloned machine) takes a new epoch, so that two tills never make the same reference.
 *
 * @param about.place tells this place from any other: machine, folder, file
 * @param about.onKnown told before a new identity stands in the database: a kill between the two leaves it without one
 */
export function readIdentity(
  database: Database,
  {
    place,
    random,
    onKnown,
  }: { readonly place: string; readonly random: RandomSource; readonly onKnown: (deviceId: string) => void },
): DatabaseIdentity {
  return database.transaction((): DatabaseIdentity => {
    const keptDeviceId = readMeta(database, 'device_id');
    const keptEpoch = readMeta(database, 'epoch');
    const deviceId = keptDeviceId ?? `till_${Buffer.from(random.bytes(8)).toString('hex')}`;
    const isSamePlace = readMeta(database, 'place') === place;
    const epoch = keptEpoch === null || !isSamePlace ? newEpoch(random) : keptEpoch;
    if (keptDeviceId === null) writeMeta(database, 'device_id', deviceId);
    if (epoch !== keptEpoch) writeMeta(database, 'epoch', epoch);
    if (!isSamePlace) writeMeta(database, 'place', place);
    onKnown(deviceId);
    return { deviceId, epoch, runEpoch: newEpoch(random) };
  })();
}

function newEpoch(random: RandomSource): string {
  const bytes = [...random.bytes(epochLength)];
  return bytes.map((byte) => epochAlphabet[byte % epochAlphabet.length]).join('');
}
