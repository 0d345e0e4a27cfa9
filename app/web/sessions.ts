import { createHmac } from 'node:crypto';
import { dropOldest } from '../../shared/lib/drop-oldest.ts';
import { dayMs, hourMs } from '../../shared/lib/durations.ts';
import type { KeptSession } from './screen-memory.ts';

/** A session as the office sees it. Times in milliseconds since 1970, by the machine's clock. */
export interface SessionFacts {
  readonly id: string;
  readonly kiosk: string | null;
  readonly madeAtMs: number;
  readonly seenAtMs: number;
  readonly endsAtMs: number;
}

/** Who may open the screen: browsers that opened a one-time address. */
export interface Sessions {
  /** A token for an address that works once. @param kiosk the name of the kiosk that will have the session, or null */
  newToken(kiosk: string | null): string;
  /** A browser has opened the address. @returns false when it is wrong or was opened before */
  open(token: string): boolean;
  /** The page behind that address asks for its session: once, and soon. */
  exchange(token: string): { readonly id: string; readonly kiosk: string | null; readonly secret: string } | null;
  /** In hexadecimal digits; null when there is no such session, or no longer. */
  secretOf(id: string): string | null;
  /** A page has proven that it has the session. */
  seen(id: string): void;
  /** That page is still open. @returns false when its session is over, so that the page has to go */
  stays(id: string): boolean;
  list(): readonly SessionFacts[];
  /**
   * @returns whether there was one, for this run or on the disk
   * @throws when it is ended for this run alone: that could not be kept
   */
  end(id: string): boolean;
}

interface SessionsOptions {
  /** Of this data folder: what secrets are made with. */
  readonly key: string;
  /** Unguessable text, safe in an address. */
  readonly newSecret: () => string;
  /** The machine's time, which no test clock moves and no setting of the wall clock while the agent runs. */
  readonly nowMs: () => number;
  readonly kept: readonly KeptSession[];
  /** Told of all of them after each change. May throw. */
  readonly keep: (sessions: readonly KeptSession[]) => void;
  /** Told why a session that was begun or seen is not kept: it is good until the agent ends, and no page is kept out. */
  readonly onUnkept: (error: unknown) => void;
  /** Told of one that somebody has ended, or whose kiosk has another now: its pages have to go. */
  readonly onEnded: (id: string) => void;
}

/** How long a session is good: since a page was last open with it, and as a whole. */
const lives = {
  unnamed: { unseenMs: dayMs, wholeMs: 30 * dayMs },
  kiosk: { unseenMs: 365 * dayMs, wholeMs: 365 * dayMs },
} as const;
/** A page that was led to its address by it asks at once. */
const exchangeWithinMs = 60_000;
/** More addresses than anybody leaves unopened: the oldest works no longer, the one of the start among them. */
const mostTokens = 64;
/** The file is not written again for less: when a page comes, and while it stays. A till at rest must leave its disk alone. */
const seenGrainMs = 60_000;
const staysGrainMs = 6 * hourMs;

interface Token {
  readonly kiosk: string | null;
  readonly openedAtMs: number | null;
}

export function createSessions({ key, newSecret, nowMs, kept, keep, onUnkept, onEnded }: SessionsOptions): Sessions {
  /** By digest: the time that a look-up takes tells nothing of the token. */
  const tokens = new Map<string, Token>();
  let sessions = kept;
  /** Ended for this run, and still on the disk. */
  const unkeptEnds = new Set<string>();
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
  const find = (id: string) => sessions.find((session) => session.id === id && endsAtMs(session) > nowMs()) ?? null;
  const change = (next: readonly KeptSession[]): void => {
    // One that was seen too long ago may have a page all the same: the machine has slept, and that page tells of it soon.
    sessions = next.filter((session) => wholeEndsAtMs(session) > nowMs());
    keep(sessions);
    unkeptEnds.clear();
  };
  const changeIfOnlyForNow = (next: readonly KeptSession[]): void => {
    try {
      change(next);
    } catch (error) {
      onUnkept(error);
    }
  };
  const see = (session: KeptSession, grainMs: number): void => {
    if (nowMs() - session.seen_at_ms < grainMs) return;
    changeIfOnlyForNow(sessions.map((other) => (other === session ? { ...session, seen_at_ms: nowMs() } : other)));
  };
  return {
    newToken(kiosk) {
      const token = newSecret();
      tokens.set(digest(`token ${token}`), { kiosk, openedAtMs: null });
      dropOldest(tokens, mostTokens);
      return token;
    },
    open(token) {
      const name = digest(`token ${token}`);
      const known = tokens.get(name);
      if (known === undefined || known.openedAtMs !== null) return false;
      tokens.set(name, { ...known, openedAtMs: nowMs() });
      return true;
    },
    exchange(token) {
      const name = digest(`token ${token}`);
      const known = tokens.get(name);
      if (known === undefined || known.openedAtMs === null) return null;
      tokens.delete(name);
      if (nowMs() - known.openedAtMs > exchangeWithinMs) return null;
      const { kiosk } = known;
      const made: KeptSession = { id: newSecret(), kiosk, made_at_ms: nowMs(), seen_at_ms: nowMs() };
      // A kiosk has one.
      const replaced = sessions.filter((session) => kiosk !== null && session.kiosk === kiosk);
      changeIfOnlyForNow([...sessions.filter((session) => !replaced.includes(session)), made]);
      for (const { id } of replaced) onEnded(id);
      return { id: made.id, kiosk, secret: digest(`session ${made.id}`) };
    },
    secretOf: (id) => (find(id) === null ? null : digest(`session ${id}`)),
    seen(id) {
      const session = find(id);
      if (session !== null) see(session, seenGrainMs);
    },
    stays(id) {
      // Its page was there all the time: only the whole life counts.
      const session = sessions.find((other) => other.id === id && wholeEndsAtMs(other) > nowMs());
      if (session !== undefined) see(session, staysGrainMs);
      return session !== undefined;
    },
    list: () => sessions.filter(({ id }) => find(id) !== null).map(factsOf),
    end(id) {
      if (!unkeptEnds.has(id) && !sessions.some((session) => session.id === id)) return false;
      unkeptEnds.add(id);
      try {
        change(sessions.filter((session) => session.id !== id));
      } finally {
        onEnded(id);
      }
      return true;
    },
  };
}

export function factsOf(session: KeptSession): SessionFacts {
  const { id, kiosk, made_at_ms: madeAtMs, seen_at_ms: seenAtMs } = session;
  return { id, kiosk, madeAtMs, seenAtMs, endsAtMs: endsAtMs(session) };
}

function endsAtMs(session: KeptSession): number {
  return Math.min(wholeEndsAtMs(session), session.seen_at_ms + livesOf(session).unseenMs);
}

function wholeEndsAtMs(session: KeptSession): number {
  return session.made_at_ms + livesOf(session).wholeMs;
}

function livesOf({ kiosk }: KeptSession): (typeof lives)[keyof typeof lives] {
  return kiosk === null ? lives.unnamed : lives.kiosk;
}
