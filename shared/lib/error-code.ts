/** How the system, Node or SQLite calls what went wrong (`ENOENT`, `SQLITE_BUSY`); empty where an error does not say. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
