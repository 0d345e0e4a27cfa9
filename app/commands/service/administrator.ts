/** Null when the administrator gives the command. On Windows nobody can tell by a number: what is not allowed fails there. */
export function whyNotAdministrator(): string | null {
  if (process.getuid === undefined || process.getuid() === 0) return null;
  return 'Only the administrator can do this: use sudo';
}
