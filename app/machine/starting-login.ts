import { homedir, userInfo } from 'node:os';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Looks at what belongs to the login that gives this command, as that login also where it has become the administrator by
 * sudo or pkexec: no link of its own leads the administrator elsewhere, its home on a share is open, and what SQLite lays
 * beside a database is the login's.
 *
 * @param environment SUDO_UID or PKEXEC_UID, by which sudo and pkexec tell whom they served
 * @param look is given the login's home; null when the machine does not know it
 */
export function asStartingLogin<T>(environment: Environment, look: (home: string | null) => T): T {
  const user = Number(environment.SUDO_UID ?? environment.PKEXEC_UID ?? '0');
  if (process.getuid?.() !== 0 || !Number.isInteger(user) || user === 0) return look(homedir());
  process.seteuid?.(user);
  try {
    return look(homeOfUser());
  } finally {
    process.seteuid?.(0);
  }
}

/** HOME may be the administrator's. */
function homeOfUser(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}
