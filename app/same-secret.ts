import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in time that tells nothing of either: their digests are compared. */
export function isSameSecret(presented: string, known: string): boolean {
  return timingSafeEqual(digest(presented), digest(known));
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
