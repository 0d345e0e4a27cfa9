import { scrypt, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '../store/people/people-store.ts';

/** About a twentieth of a second on a till: nothing for a manager, too long for somebody who has the file. */
const cost = 2 ** 15;
const hashBytes = 32;
const saltBytes = 16;

export async function hashPin(pin: string, randomBytes: (length: number) => Uint8Array): Promise<PinHash> {
  const salt = Buffer.from(randomBytes(saltBytes));
  return { salt, hash: await derive(pin, salt, cost), cost };
}

export async function isPin(pin: string, kept: PinHash): Promise<boolean> {
  const hash = await derive(pin, kept.salt, kept.cost);
  return hash.length === kept.hash.length && timingSafeEqual(hash, kept.hash);
}

function derive(pin: string, salt: Buffer, N: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N, r: 8, p: 1, maxmem: 256 * N * 8 };
    scrypt(pin, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

/** Of nobody: to look at it takes as long as at somebody's. */
export const nobodysPin: PinHash = { salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes), cost };
