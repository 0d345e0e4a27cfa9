import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { prepareAll } from '../../sql/prepare.ts';
import { metaStatements } from '../statements/meta.ts';
import type { PeopleSeal } from './people-roll.ts';

// The PINs of cashiers stand beside the roll and not in the table of people, so that an older program goes on with the
// database. They carry the roll's version: an older copy of them, put back, is not believed.

/** Under these names in `meta`. */
export const cashierPinsName = 'cashier_pins';
export const cashierPinFailuresName = 'cashier_pin_failures';

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const pinsSchema = z.lazy(() =>
  z.object({
    roll_version: z.int(),
    pins: z.array(z.object({ name: z.string(), made_at: z.int(), salt: bytes, hash: bytes, cost: z.int() })),
  }),
);
const failuresSchema = z.lazy(() => z.record(z.string(), z.int().min(0)));

/** A cashier's PIN, of the cashier who was added at that moment. */
export interface KeptPin {
  readonly name: string;
  readonly madeAtMs: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** Of scrypt: N. */
  readonly cost: number;
}

/** The PINs of cashiers in SQLite. Methods that write run inside a transaction of the Writer. */
export class KeptCashierPins {
  readonly #meta;
  readonly #seal: PeopleSeal | null;

  constructor(database: Database, seal: PeopleSeal | null) {
    this.#meta = prepareAll(database, metaStatements);
    this.#seal = seal;
  }

  /** @returns none where they are not as this till wrote them with that version of the roll */
  read(rollVersion: number): readonly KeptPin[] {
    const read = pinsSchema.safeParse(this.#opened(cashierPinsName));
    if (!read.success || read.data.roll_version !== rollVersion) return [];
    return read.data.pins.map(({ made_at: madeAtMs, ...pin }) => ({ ...pin, madeAtMs }));
  }

  write(rollVersion: number, pins: readonly KeptPin[]): void {
    // A till whose cashiers have no PIN keeps nothing of them.
    if (pins.length === 0 && this.#meta.find.get({ key: cashierPinsName }) === null) return;
    this.#put(cashierPinsName, {
      roll_version: rollVersion,
      pins: pins.map(({ name, madeAtMs, salt, hash, cost }) => ({
        name,
        made_at: madeAtMs,
        salt: salt.toString('base64'),
        hash: hash.toString('base64'),
        cost,
      })),
    });
  }

  /** Wrong PINs of each since the right one before; null when the counts are not as this till wrote them. */
  get failures(): ReadonlyMap<string, number> | null {
    const isAbsent = this.#meta.find.get({ key: cashierPinFailuresName }) === null;
    // The counts are written with the first PIN. Where they are missing later, somebody took them out to try again.
    if (isAbsent) return this.#meta.find.get({ key: cashierPinsName }) === null ? new Map() : null;
    const read = failuresSchema.safeParse(this.#opened(cashierPinFailuresName));
    return read.success ? new Map(Object.entries(read.data)) : null;
  }

  writeFailures(failures: ReadonlyMap<string, number>): void {
    this.#put(cashierPinFailuresName, Object.fromEntries(failures));
  }

  #opened(key: string): unknown {
    const text = this.#meta.find.get({ key })?.value ?? null;
    if (text === null) return null;
    if (this.#seal !== null) return this.#seal.unwrapped(key, text);
    return z.object({ content: z.unknown() }).parse(JSON.parse(text)).content;
  }

  #put(key: string, content: object): void {
    const value = this.#seal === null ? JSON.stringify({ content }) : this.#seal.wrapped(key, content);
    this.#meta.put.run({ key, value });
  }
}
