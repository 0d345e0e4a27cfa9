import { timingSafeEqual } from 'node:crypto';
import type { ReferencePrefixes } from '../store/reference-prefixes.ts';

/** The name of the first token, which is made with the agent. */
export const mainName = 'main';

/** A POS program that may call the bridge. */
export interface Caller {
  readonly name: string;
  /** Put in front of its references on their way in, and taken off on their way out; empty for the first one. */
  readonly referencePrefix: string;
  /** Under which its references stood before `reference_prefix` was changed. */
  readonly olderPrefixes?: readonly string[];
  /** Whose operations it sees; `own`: what it took itself, `all`: what anybody took, and may take it back. */
  readonly reach: 'own' | 'own_and_screen' | 'all';
}

export interface PosToken extends Caller {
  readonly token: string;
}

/** Tokens with the till's own prefix before theirs. */
export function underPrefixes(
  tokens: () => readonly PosToken[],
  { current, older }: ReferencePrefixes,
): () => readonly PosToken[] {
  let read: readonly PosToken[] = [];
  let prefixed: readonly PosToken[] = [];
  return () => {
    const now = tokens();
    if (now !== read) {
      read = now;
      prefixed = now.map((token) => {
        const own = token.referencePrefix;
        return { ...token, referencePrefix: current + own, olderPrefixes: older.map((prefix) => prefix + own) };
      });
    }
    return prefixed;
  };
}

/** In time that does not depend on how much of it is right. Their length is no secret. */
export function isSameText(presented: string, known: string): boolean {
  if (presented.length !== known.length) return false;
  const [given, kept] = [Buffer.from(presented), Buffer.from(known)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** Tells whose token it is; in time that does not depend on how much of it is right. Null: nobody's. */
export type TokenCheck = (presented: string) => Caller | null;

/**
 * @param tokens the valid local tokens, as they are at each call: another list once one was made or revoked
 * @param onKnown told of each call with one of them
 */
export function checkAgainst(
  tokens: () => readonly PosToken[],
  onKnown: (caller: Caller) => void = () => undefined,
): TokenCheck {
  let read: readonly PosToken[] = [];
  let known: readonly { readonly token: string; readonly caller: Caller }[] = [];
  return (presented) => {
    const now = tokens();
    if (now !== read) {
      read = now;
      known = now.map(({ token, ...caller }) => ({ token, caller }));
    }
    let found: Caller | null = null;
    for (const { token, caller } of known) if (isSameText(presented, token)) found = caller;
    if (found !== null) onKnown(found);
    return found;
  };
}
