import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { type CustomerProfile, customerProfileSchema } from '../../shared/contract/profile.ts';
import type { SealedProfile } from '../store/kept-profile-store.ts';

/** Bytes of the key that profiles are kept under. */
export const profileKeyBytes = 32;
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

  /** @param key profileKeyBytes of them, from the secret store */
  constructor(key: Uint8Array, randomBytes: (length: number) => Uint8Array) {
    this.#contentKey = derived(key, 'tillbridge kept profiles: content');
    this.#nameKey = derived(key, 'tillbridge kept profiles: names');
    this.#randomBytes = randomBytes;
  }

  /** Stands for a name in the database: `loyalty_id`, `LC-1001`. */
  hashOf(kind: string, value: string): Buffer {
    return createHmac('sha256', this.#nameKey).update(`${kind}\n${value}`).digest();
  }

  seal(profile: CustomerProfile, seenAtMs: number): SealedProfile {
    const customer = this.hashOf('customer_id', profile.customer_id);
    const nonce = Buffer.from(this.#randomBytes(nonceBytes));
    const cipher = createCipheriv('aes-256-gcm', this.#contentKey, nonce);
    cipher.setAAD(customer);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(profile), 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { customer, nonce, sealed, seenAtMs };
  }

  /** @returns null for what was sealed with another key, for another row, or is damaged */
  open({ customer, nonce, sealed }: SealedProfile): CustomerProfile | null {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#contentKey, nonce, { authTagLength: tagBytes });
      decipher.setAAD(customer);
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
      return customerProfileSchema.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }
}

function derived(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, 32));
}
