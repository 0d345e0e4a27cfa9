import { spawnSync } from 'node:child_process';
import { unreachableService } from './bench-core.ts';
import { type BuiltProgram, startBuiltProgram } from './built-program.ts';

export type AgentMode = 'sandbox' | 'production';

/** The agent as it is shipped, in a process of its own. */
export function startBuiltAgent(dataDir: string, mode: AgentMode): Promise<BuiltProgram> {
  const service = mode === 'production' ? ['--mode', mode, '--base-url', unreachableService] : ['--mode', mode];
  return startBuiltProgram(['agent', '--json', '--port', '0', '--data-dir', dataDir, ...service], {
    environment: mode === 'production' ? { TILLBRIDGE_API_KEY: 'loyalty_pk_live_bench_0123456789' } : {},
  });
}

/** How long a Node process takes that does nothing at all. */
export function bareNodeMs(): number {
  const startMs = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  return performance.now() - startMs;
}
