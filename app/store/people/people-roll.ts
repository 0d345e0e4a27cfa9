import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Mode } from '../../../shared/till/modes.ts';

// Who is on the list of people stands in the database, where whoever can write to the file could add a manager. The roll
// names each of them with a seal over the row, and is sealed as a whole: so nobody is added, changed or taken out unseen.

/** Everything that a row says of somebody; its number changes when it is carried into another database. */
export interface PersonRow {
  readonly role: 'manager' | 'cashier';
  readonly name: string;
  readonly employeeRef: string | null;
  readonly pinSalt: Buffer | null;
  readonly pinHash: Buffer | null;
  readonly pinCost: number | null;
  readonly badge: Buffer | null;
  readonly madeAtMs: number;
}

/** How a till proves the people of one mode. */
export interface PeopleProof {
  /** Of the till: it is not in the database. */
  readonly key: Uint8Array;
  /** The sandbox's people are not production's. */
  readonly mode: Mode;
  /** The newest roll that this till knows of, from outside of the database: an older one was put back. Null: it has none yet. */
  readonly knownVersion: number | null;
}

const rollSchema = z.lazy(() =>
  z.object({
    /** Grows with each change. */
    version: z.int().min(0),
    people: z.array(z.object({ name: z.string(), role: z.enum(['manager', 'cashier']), seal: z.string() })),
  }),
);
export type Roll = z.infer<typeof rollSchema>;
const wrappedSchema = z.lazy(() => z.object({ content: z.unknown(), seal: z.string() }));
const sealedRollSchema = z.lazy(() => rollSchema.unwrap().extend({ seal: z.string() }));

export const emptyRoll: Roll = { version: 0, people: [] };

/** As the text says, whoever wrote it: 0 for what is no roll. */
export function rollVersion(text: string): number {
  const read = rollSchema.unwrap().pick({ version: true }).safeParse(parsedOrNull(text));
  return read.success ? read.data.version : 0;
}

const sealBytes = 16;

/** Seals people with the key of the till, each mode's apart. */
export class PeopleSeal {
  readonly #key: KeyObject;
  readonly #mode: Mode;

  constructor({ key, mode }: Pick<PeopleProof, 'key' | 'mode'>) {
    this.#key = createSecretKey(key);
    this.#mode = mode;
  }

  ofPerson({ role, name, employeeRef, pinSalt, pinHash, pinCost, badge, madeAtMs }: PersonRow): string {
    const bytes = [pinSalt, pinHash, badge].map((each) => each?.toString('base64') ?? null);
    return this.#of('person', [role, name, employeeRef, pinCost, madeAtMs, ...bytes]);
  }

  isOfPerson(row: PersonRow, seal: string): boolean {
    return isSame(this.ofPerson(row), seal);
  }

  /** As it is kept in the database. */
  sealed(roll: Roll): string {
    return JSON.stringify({ ...roll, seal: this.#of('people', roll) });
  }

  /** @returns null when it is not as this till wrote it */
  opened(text: string): Roll | null {
    const read = sealedRollSchema.safeParse(parsedOrNull(text));
    if (!read.success) return null;
    const { seal, ...roll } = read.data;
    return isSame(this.#of('people', roll), seal) ? roll : null;
  }

  /** Something else of people, as it is kept: under another label it is not believed. */
  wrapped(label: string, content: object): string {
    return JSON.stringify({ content, seal: this.#of(label, content) });
  }

  /** @returns null when it is not as this till wrote it */
  unwrapped(label: string, text: string): unknown {
    const read = wrappedSchema.safeParse(parsedOrNull(text));
    return read.success && isSame(this.#of(label, read.data.content), read.data.seal) ? read.data.content : null;
  }

  ofFailures(count: number): string {
    return this.#of('wrong PINs', count);
  }

  isOfFailures(count: number, seal: string): boolean {
    return isSame(this.ofFailures(count), seal);
  }

  #of(label: string, content: unknown): string {
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([label, this.#mode, content]))
      .digest();
    return digest.subarray(0, sealBytes).toString('base64url');
  }
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What of the list is not as this till wrote it: names. */
export interface PeopleDoubts {
  /** On the list, and not as this till has added them: they cannot sign in. */
  readonly changed: readonly string[];
  /** This till has added them, and nobody has taken them off the list by command. */
  readonly missing: readonly string[];
  /** False: the roll itself is gone, changed or an older one. Then nobody is believed. */
  readonly isRollWhole: boolean;
}

export const noDoubts: PeopleDoubts = { changed: [], missing: [], isRollWhole: true };

export function areDoubted({ changed, missing, isRollWhole }: PeopleDoubts): boolean {
  return changed.length > 0 || missing.length > 0 || !isRollWhole;
}

/** Who is believed, and for which roles somebody is asked for though nobody is there. */
export interface PeopleReading<Row extends PersonRow = PersonRow> {
  readonly believed: readonly Row[];
  readonly doubts: PeopleDoubts;
  readonly roll: Roll;
  /** Whether this till has somebody of that role. Where they were taken out of the database, a PIN or badge is still asked for. */
  readonly asksFor: (role: PersonRow['role']) => boolean;
}

/**
 * @param seal null: this till seals nothing, and believes what stands there
 * @param rollText null: there is no roll
 */
export function readPeople<Row extends PersonRow>(
  rows: readonly Row[],
  {
    seal,
    rollText,
    knownVersion,
  }: { readonly seal: PeopleSeal | null; readonly rollText: string | null; readonly knownVersion: number | null },
): PeopleReading<Row> {
  // From before there were rolls.
  if (seal === null || (rollText === null && knownVersion === null)) {
    const asksFor = (role: PersonRow['role']) => rows.some((row) => row.role === role);
    return { believed: rows, doubts: noDoubts, roll: emptyRoll, asksFor };
  }
  const roll = rollText === null ? emptyRoll : seal.opened(rollText);
  if (roll === null || roll.version < (knownVersion ?? 0)) {
    const doubts = { changed: rows.map(({ name }) => name), missing: [], isRollWhole: false };
    return { believed: [], doubts, roll: { version: knownVersion ?? 0, people: [] }, asksFor: () => true };
  }
  const kept = new Map(roll.people.map((entry) => [entry.name, entry.seal]));
  const believed = rows.filter((row) => seal.isOfPerson(row, kept.get(row.name) ?? ''));
  const known = new Set(believed.map(({ name }) => name));
  const standing = new Set(rows.map(({ name }) => name));
  return {
    believed,
    roll,
    doubts: {
      changed: [...standing].filter((name) => !known.has(name)),
      missing: [...kept.keys()].filter((name) => !standing.has(name)),
      isRollWhole: true,
    },
    asksFor: (role) => roll.people.some((entry) => entry.role === role),
  };
}
