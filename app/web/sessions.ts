import { createHash } from 'node:crypto';

/** Who may open the screen: one one-time token, and the sessions that such tokens were exchanged for. */
export interface Sessions {
  /** For the address that is printed; works once. */
  readonly oneTimeToken: string;
  /** @returns the `Set-Cookie` value of a new session; null when the token is wrong or was used */
  exchange(token: string): string | null;
  isValid(cookieHeader: string | undefined): boolean;
}

export interface SessionsOptions {
  /** Cookies do not tell ports of one machine apart, so their name carries this one. */
  readonly port: number;
  /** Unguessable text, safe in an address. */
  readonly newSecret: () => string;
  /** Digests of the sessions that are still good. */
  readonly keptDigests: readonly string[];
  /** Told of all of them after each new one. */
  readonly keep: (digests: readonly string[]) => void;
}

/** A kiosk's session outlives the agent's restarts; the browser keeps it this long. */
const sessionSeconds = 365 * 24 * 3600;

export function createSessions({ port, newSecret, keptDigests, keep }: SessionsOptions): Sessions {
  const cookieName = `tillbridge_session_${port}`;
  const oneTimeToken = newSecret();
  const digests = new Set(keptDigests);
  let isTokenUsed = false;
  return {
    oneTimeToken,
    exchange(token) {
      if (isTokenUsed || digest(token) !== digest(oneTimeToken)) return null;
      isTokenUsed = true;
      const session = newSecret();
      digests.add(digest(session));
      keep([...digests]);
      return `${cookieName}=${session}; Path=/; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Strict`;
    },
    isValid(cookieHeader) {
      return (cookieHeader ?? '').split(';').some((pair) => {
        const [name, value = ''] = pair.trim().split('=', 2);
        return name === cookieName && digests.has(digest(value));
      });
    },
  };
}

// Digests are compared, so that the time a comparison takes tells nothing of the secret.
function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
