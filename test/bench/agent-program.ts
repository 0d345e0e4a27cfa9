import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { unreachableService } from './bench-core.ts';
import { type BuiltProgram, startBuiltProgram } from './built-program.ts';

/** The agent as it is shipped, ready. */
export interface BuiltAgent extends BuiltProgram {
  /** Of its bridge, up to and with `/v1`. */
  readonly baseUrl: string;
  /** The bridge's local token. */
  readonly token: string;
}

export interface AgentProgramOptions {
  readonly mode: 'sandbox' | 'production';
  /** In production mode; nobody listens there when absent. */
  readonly baseUrl?: string;
}

const readySchema = z.object({ base_url: z.url(), token: z.string() });

/** Starts the agent in a process of its own. */
export async function startBuiltAgent(
  dataDir: string,
  { mode, baseUrl = unreachableService }: AgentProgramOptions,
): Promise<BuiltAgent> {
  const service = mode === 'production' ? ['--mode', mode, '--base-url', baseUrl] : ['--mode', mode];
  const program = await startBuiltProgram(['agent', '--json', '--port', '0', '--data-dir', dataDir, ...service], {
    environment: mode === 'production' ? { TILLBRIDGE_API_KEY: 'loyalty_pk_live_bench_0123456789' } : {},
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
