import { createHash } from 'node:crypto';

/** Tells keys apart without holding one: the first 12 hex digits of its SHA-256. */
export function keyFingerprint(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 12);
}
