import type { Database } from 'better-sqlite3';
import type { RandomSource } from '../../../shared/lib/random.ts';
import { readMeta, writeMeta } from '../versions/meta.ts';

/** Who this database is. */
export interface DatabaseIdentity {
  /** `till_` and 16 hex digits, made with the database; another one on another machine. */
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

/** Where a database is: which place of which machine. */
interface Whereabouts {
  /** Tells this place from any other: machine, folder, file. */
  readonly place: string;
  /** Tells this machine from any other (machine-identity.ts); null when it cannot be told now. */
  readonly machine: string | null;
}

/** What is another one than when the database was used last; null when nothing is, or it is new. */
export type Elsewhere = 'place' | 'machine';

/**
 * Whether the database was used last in another place, of which it may be a copy: then the original may have gone on. On
 * another machine the original may go on to this day.
 */
export function cameFromElsewhere(database: Database, { place, machine }: Whereabouts): Elsewhere | null {
  const kept = { place: readMeta(database, 'place'), machine: readMeta(database, 'machine') };
  if (kept.machine !== null && machine !== null && kept.machine !== machine) return 'machine';
  return kept.place !== null && kept.place !== place ? 'place' : null;
}

/**
 * Reads who the database is, making it up the first time. A database that finds itself in another place (a restored
 * or copied file, a cloned machine) takes a new epoch, so that two tills never make the same reference. On another machine
 * it is another till, too, so that its backups do not count as those of the original.
 *
 * @param about.whereabouts of the database now
 * @param about.onKnown told before a new identity stands in the database: a kill between the two leaves it without one
 * @param about.onCopied told before one on another machine gets its own identity; false: it keeps the one that it has until
 *   the next start
 */
export function readIdentity(
  database: Database,
  {
    whereabouts,
    random,
    onKnown,
    onCopied,
  }: {
    readonly whereabouts: Whereabouts;
    readonly random: RandomSource;
    readonly onKnown: (deviceId: string) => void;
    readonly onCopied: (identities: { readonly from: string; readonly to: string }) => boolean;
  },
): DatabaseIdentity {
  return database.transaction((): DatabaseIdentity => {
    const keptDeviceId = readMeta(database, 'device_id');
    const keptEpoch = readMeta(database, 'epoch');
    const { place, machine } = whereabouts;
    const elsewhere = cameFromElsewhere(database, whereabouts);
    const ownDeviceId = keptDeviceId === null || elsewhere === 'machine' ? newDeviceId(random) : keptDeviceId;
    const isKept =
      keptDeviceId !== null && (ownDeviceId === keptDeviceId || !onCopied({ from: keptDeviceId, to: ownDeviceId }));
    const deviceId = isKept ? keptDeviceId : ownDeviceId;
    const isSamePlace = readMeta(database, 'place') === place;
    const epoch = keptEpoch === null || elsewhere !== null || !isSamePlace ? newEpoch(random) : keptEpoch;
    if (!isKept) writeMeta(database, 'device_id', deviceId);
    if (epoch !== keptEpoch) writeMeta(database, 'epoch', epoch);
    if (!isSamePlace) writeMeta(database, 'place', place);
    // Where it is not another till yet, the next start has to notice the machine again.
    const isStillOriginal = elsewhere === 'machine' && isKept;
    const isNoted = machine === null || isStillOriginal || readMeta(database, 'machine') === machine;
    if (!isNoted) writeMeta(database, 'machine', machine);
    onKnown(deviceId);
    return { deviceId, epoch, runEpoch: newEpoch(random) };
  })();
}

function newDeviceId(random: RandomSource): string {
  return `till_${Buffer.from(random.bytes(8)).toString('hex')}`;
}

function newEpoch(random: RandomSource): string {
  const bytes = [...random.bytes(epochLength)];
  return bytes.map((byte) => epochAlphabet[byte % epochAlphabet.length]).join('');
}
