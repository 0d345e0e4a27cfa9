import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of a command on PATH, or null. */
export function onPath(command: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = join(folder, command);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** How a command ended, and what it said. */
interface Ended {
  /** Null when it was killed, or could not be started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Both streams, in the order in which they came. */
  readonly output: string;
}

/** Runs a command to its end, beside whatever else goes on. */
export function run(
  command: string,
  args: readonly string[],
  { cwd = process.cwd(), env = process.env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    let stdout = '';
    let output = '';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', (error) =>
      resolve({ exitCode: null, stdout, output: `${output}${command}: ${error.message}\n` }),
    );
    child.on('close', (exitCode) => resolve({ exitCode, stdout, output }));
  });
}

/** Runs a command whose output matters only when it fails (it then goes to stderr). Returns whether it went well. */
export async function runQuietly(command: string, args: readonly string[]): Promise<boolean> {
  const { exitCode, output } = await run(command, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  if (exitCode === 0) return true;
  process.stderr.write(`${command} ${args.join(' ')} failed.\n${output}\n`);
  return false;
}
