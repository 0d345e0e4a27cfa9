import { createHash } from 'node:crypto';

/** Who may open the screen: one one-time token, and the sessions it was exchanged for. */
export interface Sessions {
  /** For the address that is printed; works once. */
  readonly oneTimeToken: string;
  readonly cookieName: string;
  /** @returns the `Set-Cookie` value of a new session; null when the token is wrong or was used */
  exchange(token: string): string | null;
  isValid(cookieHeader: string | undefined): boolean;
}

/**
 * Sessions live as long as the agent. Cookies do not tell ports of one machine apart, so the name carries this one.
 *
 * @param newSecret unguessable text, safe in an address
 */
export function createSessions(port: number, newSecret: () => string): Sessions {
  const cookieName = `tillbridge_session_${port}`;
  const oneTimeToken = newSecret();
  const sessionDigests = new Set<string>();
  let isTokenUsed = false;
  return {
    oneTimeToken,
    cookieName,
    exchange(token) {
      if (isTokenUsed || digest(token) !== digest(oneTimeToken)) return null;
      isTokenUsed = true;
      const session = newSecret();
      sessionDigests.add(digest(session));
      return `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
    },
    isValid(cookieHeader) {
      return (cookieHeader ?? '').split(';').some((pair) => {
        const [name, value = ''] = pair.trim().split('=', 2);
        return name === cookieName && sessionDigests.has(digest(value));
      });
    },
  };
}

// Digests are compared, so that the time a comparison takes tells nothing of the secret.
function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
