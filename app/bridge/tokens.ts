import { createHash, timingSafeEqual } from 'node:crypto';

/** Tells a valid local token; in time that does not depend on how much of it is right. */
export type TokenCheck = (presented: string) => boolean;

/** @param tokens the valid local tokens, one per POS program */
export function checkAgainst(tokens: readonly string[]): TokenCheck {
  const digests = tokens.map(digest);
  return (presented) => {
    const presentedDigest = digest(presented);
    let found = false;
    for (const known of digests) found = timingSafeEqual(known, presentedDigest) || found;
    return found;
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
