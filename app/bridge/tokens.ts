import { timingSafeEqual } from 'node:crypto';
import type { ReferencePrefixes } from '../store/tables/reference-prefixes.ts';

/** A POS program that may call the bridge. */
export interface Caller {
  readonly name: string;
  /** Put before its references in requests, and removed in answers; empty for the first token. */
  readonly referencePrefix: string;
  /** The prefixes of its references before `reference_prefix` was changed. */
  readonly olderPrefixes?: readonly string[];
  /**
   * Whose operations it sees. `own`: its own; `own_and_screen`: the till's screen's, too; `all`: those of everybody,
   * which it may also undo.
   */
  readonly reach: 'own' | 'own_and_screen' | 'all';
}

export interface PosToken extends Caller {
  readonly token: string;
}

/** The tokens with the till's own prefix before theirs. */
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

/** Compares two texts. The time does not show how much of the text is right. Its length is no secret. */
export function isSameText(presented: string, known: string): boolean {
  if (presented.length !== known.length) return false;
  const [given, kept] = [Buffer.from(presented), Buffer.from(known)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** Finds the caller of a token. The time does not show how much of the token is right. Null: unknown token. */
export type TokenCheck = (presented: string) => Caller | null;

/**
 * @param tokens returns the valid local tokens, read for each call because tokens are made and revoked
 * @param onKnown called for each call with a valid token
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
