import { spawnSync } from 'node:child_process';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program of Windows by its whole path: what a search path finds may be anybody's. */
export function windowsProgram(name: string, environment: Environment = process.env): string {
  return `${environment.SystemRoot ?? 'C:\\Windows'}\\System32\\${name}`;
}

/** The PowerShell that every Windows has. */
export function windowsPowerShell(environment: Environment = process.env): string {
  return windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment);
}

const endsWithinMs = 20_000;

/** @returns what it wrote to standard output; null when it could not be started, or ended with another code than 0 */
export function outputOf(
  program: string,
  args: readonly string[],
  { input = '', environment }: { readonly input?: string; readonly environment: Environment },
): string | null {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    env: { ...environment },
    timeout: endsWithinMs,
    windowsHide: true,
  });
  return status === 0 ? stdout : null;
}
