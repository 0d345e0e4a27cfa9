import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What counts the syncs of a process and can slow each down (`sync-shim.c`). */
export type SyncShim =
  | { readonly kind: 'ready'; readonly library: string }
  /** One line: why there is none on this machine. */
  | { readonly kind: 'missing'; readonly reason: string };

/** Compiles the shim into `folder`. */
export function buildSyncShim(folder: string): SyncShim {
  if (process.platform !== 'linux') return { kind: 'missing', reason: 'counting syncs needs Linux (LD_PRELOAD)' };
  const library = join(folder, 'sync-shim.so');
  const source = join(import.meta.dirname, 'sync-shim.c');
  const compiled = spawnSync('cc', ['-O2', '-Wall', '-shared', '-fPIC', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (compiled.error !== undefined) return { kind: 'missing', reason: 'counting syncs needs a C compiler named cc' };
  if (compiled.status !== 0) return { kind: 'missing', reason: `cc refused sync-shim.c: ${compiled.stderr.trim()}` };
  return { kind: 'ready', library };
}

/** The environment that puts the shim into a process. */
export function shimEnvironment(options: {
  readonly library: string;
  readonly counterFile: string;
  readonly delayMs: number;
}): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: options.library,
    SYNC_SHIM_COUNTER: options.counterFile,
    SYNC_SHIM_DELAY_MS: String(options.delayMs),
  };
}

/** Syncs so far of the process that the shim is in. */
export function syncsSoFar(counterFile: string): number {
  return Number(readFileSync(counterFile).readBigUInt64LE());
}
