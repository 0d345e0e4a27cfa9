import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unreachableService } from './bench-core.ts';

const root = join(import.meta.dirname, '..', '..');
const cli = join(root, 'dist', 'app', 'cli.js');
/** What `npm run agent` turns on too, in a folder of its own: the first start fills it. */
const compileCache = join(root, 'node_modules', '.cache', 'bench', 'compile');

export type AgentMode = 'sandbox' | 'production';

/** The agent as it is shipped, in a process of its own. */
export interface AgentProgram {
  /** From the spawn to the whole ready line. */
  readonly readyMs: number;
  /** Resident memory now, in MB; null where the system does not tell. */
  residentMb(): number | null;
  stop(): Promise<void>;
}

/** @throws when dist/ is not built or the agent ends before it is ready */
export async function startBuiltAgent(dataDir: string, mode: AgentMode): Promise<AgentProgram> {
  if (!existsSync(cli)) throw new Error(`${cli} is missing: run \`npm run build\`.`);
  const service = mode === 'production' ? ['--mode', mode, '--base-url', unreachableService] : ['--mode', mode];
  const startMs = performance.now();
  const child = spawn(process.execPath, [cli, 'agent', '--json', '--port', '0', '--data-dir', dataDir, ...service], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      ...(mode === 'production' ? { TILLBRIDGE_API_KEY: 'loyalty_pk_live_bench_0123456789' } : {}),
    },
  });
  const exited = once(child, 'exit');
  await Promise.race([
    firstLine(child),
    exited.then((): never => {
      throw new Error(`The agent ended with exit code ${child.exitCode} before it was ready`);
    }),
  ]);
  const readyMs = performance.now() - startMs;
  return {
    readyMs,
    residentMb: () => residentMb(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** How long a Node process takes that does nothing at all. */
export function bareNodeMs(): number {
  const startMs = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  return performance.now() - startMs;
}

async function firstLine(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('The agent has no output to read');
  for await (const chunk of child.stdout) if (String(chunk).includes('\n')) return;
}

function residentMb(pid: number): number | null {
  if (process.platform === 'linux') {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  }
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  const kilobytes = Number.parseInt(stdout ?? '', 10);
  return Number.isNaN(kilobytes) ? null : kilobytes / 1_024;
}
