import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { type CustomerProfile, customerProfileSchema } from '../../shared/contract/profile.ts';
import type { NewSealedProfile, SealedProfile } from '../store/tables/kept-profile-store.ts';
import { type LastTransactions, lastTransactionsSchema } from './last-transactions.ts';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Makes profiles unreadable to whoever has the database and not the key: AES-256-GCM for the content, a keyed hash for
 * the names that it is found by. A profile opens only in the row that it was sealed for.
 */
export class ProfileSeal {
  readonly #contentKey: Buffer;
  readonly #nameKey: Buffer;
  readonly #randomBytes: (length: number) => Uint8Array;

  /** @param key from the secret store (`keptProfileKey`) */
  constructor(key: Uint8Array, randomBytes: (length: number) => Uint8Array) {
    this.#contentKey = derived(key, 'tillbridge kept profiles: content');
    this.#nameKey = derived(key, 'tillbridge kept profiles: names');
    this.#randomBytes = randomBytes;
  }

  /** Stands for a name in the database: `loyalty_id`, `LC-1001`. */
  hashOf(kind: string, value: string): Buffer {
    return createHmac('sha256', this.#nameKey).update(`${kind}\n${value}`).digest();
  }

  seal(profile: CustomerProfile, seenAtMs: number): NewSealedProfile {
    const customer = this.hashOf('customer_id', profile.customer_id);
    const { nonce, sealed } = this.#sealed(JSON.stringify(profile), customer);
    return { customer, nonce, sealed, seenAtMs };
  }

  /** @returns null for what was sealed with another key, for another row, or is damaged */
  open({ customer, nonce, sealed }: NewSealedProfile): CustomerProfile | null {
    return this.#opened({ nonce, sealed }, customer, (value) => customerProfileSchema.parse(value));
  }

  /** Opens in the row of this customer alone, and not in a profile's place. */
  sealHistory(customer: Buffer, history: LastTransactions): Buffer {
    const { nonce, sealed } = this.#sealed(JSON.stringify(history), placeOfHistory(customer));
    return Buffer.concat([nonce, sealed]);
  }

  /** @returns null as `open` does, and where there is none */
  openHistory({ customer, history }: SealedProfile): LastTransactions | null {
    if (history === null) return null;
    const parts = { nonce: history.subarray(0, nonceBytes), sealed: history.subarray(nonceBytes) };
    return this.#opened(parts, placeOfHistory(customer), (value) => lastTransactionsSchema.parse(value));
  }

  #sealed(text: string, place: Buffer): Sealed {
    const nonce = Buffer.from(this.#randomBytes(nonceBytes));
    const cipher = createCipheriv('aes-256-gcm', this.#contentKey, nonce);
    cipher.setAAD(place);
    return { nonce, sealed: Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]) };
  }

  #opened<Value>({ nonce, sealed }: Sealed, place: Buffer, read: (value: unknown) => Value): Value | null {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#contentKey, nonce, { authTagLength: tagBytes });
      decipher.setAAD(place);
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
      return read(JSON.parse(text));
    } catch {
      return null;
    }
  }
}

interface Sealed {
  readonly nonce: Buffer;
  readonly sealed: Buffer;
}

function placeOfHistory(customer: Buffer): Buffer {
  return Buffer.concat([customer, Buffer.from('history')]);
}

function derived(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, 32));
}
