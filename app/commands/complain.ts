/** Tells problems on standard error, a line each. @returns the exit code, for the command to end with */
export function complain(problems: readonly string[], exitCode: number): number {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return exitCode;
}
