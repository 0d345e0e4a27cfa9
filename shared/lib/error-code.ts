/** How the system, Node or SQLite calls what went wrong (`ENOENT`, `SQLITE_BUSY`); empty where an error does not say. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What an error says in words; also of what was thrown and is no error. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
