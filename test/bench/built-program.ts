import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endsWithUs } from './child-programs.ts';

const root = join(import.meta.dirname, '..', '..');
export const cli = join(root, 'dist', 'app', 'cli.js');
/** What `npm run` turns on too, in a folder of its own: the first start fills it. */
export const compileCache = join(root, 'node_modules', '.cache', 'bench', 'compile');

/** A command as it is shipped, in a process of its own. */
export interface BuiltProgram {
  /** From the spawn to the whole ready line. */
  readonly readyMs: number;
  readonly readyLine: string;
  readonly pid: number;
  /** Resident memory now, in MB; null where the system does not tell. */
  residentMb(): number | null;
  /** The greatest resident memory so far, in MB; null where the system does not tell. */
  peakMb(): number | null;
  stop(): Promise<void>;
  /** At once, as by `kill -9`. */
  kill(): Promise<void>;
}

/**
 * Starts `cli.js` with these arguments and waits for its ready line.
 *
 * @throws when dist/ is not built or the program ends before it is ready
 */
export async function startBuiltProgram(
  args: readonly string[],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly nodeFlags?: readonly string[] } = {},
): Promise<BuiltProgram> {
  if (!existsSync(cli)) throw new Error(`${cli} is missing: run \`npm run build\`.`);
  const startMs = performance.now();
  const child = endsWithUs(
    spawn(process.execPath, [...(options.nodeFlags ?? []), cli, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...installedEnvironment(), NODE_COMPILE_CACHE: compileCache, ...options.environment },
    }),
  );
  const exited = once(child, 'exit');
  const readyLine = await Promise.race([
    firstLine(child),
    exited.then((): never => {
      throw new Error(`${args[0]} ended with exit code ${child.exitCode} before it was ready`);
    }),
  ]);
  const readyMs = performance.now() - startMs;
  return {
    readyMs,
    readyLine,
    pid: child.pid ?? 0,
    residentMb: () => residentMb(child.pid ?? 0),
    peakMb: () => memoryFieldMb(child.pid ?? 0, 'VmHWM'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** As on an installed till, which no npm has started: an agent under npm looks every two seconds for its end. */
function installedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, npm_lifecycle_event: undefined };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The program has no output to read');
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text;
}

/** Resident memory of a process, in MB; null where the system does not tell. */
function residentMb(pid: number): number | null {
  if (process.platform === 'linux') return memoryFieldMb(pid, 'VmRSS');
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  const kilobytes = Number.parseInt(stdout ?? '', 10);
  return Number.isNaN(kilobytes) ? null : kilobytes / 1_024;
}

function memoryFieldMb(pid: number, name: 'VmRSS' | 'VmHWM'): number | null {
  if (process.platform !== 'linux') return null;
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
}
