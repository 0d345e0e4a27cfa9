import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { unreachableService } from './bench-core.ts';
import { type BuiltProgram, compileCache, startBuiltProgram } from './built-program.ts';

/** The agent as it is shipped, ready. */
export interface BuiltAgent extends BuiltProgram {
  /** Of its bridge, up to and with `/v1`. */
  readonly baseUrl: string;
  /** The bridge's local token. */
  readonly token: string;
}

interface AgentProgramOptions {
  readonly mode: 'sandbox' | 'production';
  /** In production mode; nobody listens there when absent. */
  readonly baseUrl?: string;
  readonly nodeFlags?: readonly string[];
}

const readySchema = z.object({ base_url: z.url(), token: z.string() });

/** Starts the agent in a process of its own. */
export async function startBuiltAgent(
  dataDir: string,
  { mode, baseUrl = unreachableService, nodeFlags = [] }: AgentProgramOptions,
): Promise<BuiltAgent> {
  const service = mode === 'production' ? ['--mode', mode, '--base-url', baseUrl] : ['--mode', mode];
  const program = await startBuiltProgram(['agent', '--json', '--port', '0', '--data-dir', dataDir, ...service], {
    environment: mode === 'production' ? { TILLBRIDGE_API_KEY: 'loyalty_pk_live_bench_0123456789' } : {},
    nodeFlags,
  });
  const { base_url, token } = readySchema.parse(JSON.parse(program.readyLine));
  return { ...program, baseUrl: base_url, token };
}

/** How long a Node process takes that does nothing at all. */
export function bareNodeMs(): number {
  const startMs = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  return performance.now() - startMs;
}

const startFloor = join(import.meta.dirname, 'contenders', 'start-floor.cjs');

/** How long a Node process takes that opens a database, writes to it once, and listens: no agent can do with less. */
export function startFloorMs(databaseFile: string): number {
  const startMs = performance.now();
  const { status } = spawnSync(process.execPath, [startFloor, databaseFile], {
    stdio: 'ignore',
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  if (status !== 0) throw new Error(`${startFloor} ended with exit code ${status}`);
  return performance.now() - startMs;
}
