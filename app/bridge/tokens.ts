import { timingSafeEqual } from 'node:crypto';

/** Tells a valid local token; in time that does not depend on how much of it is right. */
export type TokenCheck = (presented: string) => boolean;

/** @param tokens the valid local tokens, one per POS program; their length is no secret */
export function checkAgainst(tokens: readonly string[]): TokenCheck {
  const known = tokens.map((token) => Buffer.from(token));
  return (presented) => {
    const bytes = Buffer.from(presented);
    let found = false;
    for (const token of known) {
      found = (token.length === bytes.length && timingSafeEqual(token, bytes)) || found;
    }
    return found;
  };
}
