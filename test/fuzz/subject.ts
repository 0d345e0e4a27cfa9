import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { builtCli } from '../support/built-cli.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';

const heapReporter = join(import.meta.dirname, 'heap-reporter.cjs');
const memorySchema = z.object({ heapBytes: z.number(), rssBytes: z.number() });
export type Memory = z.output<typeof memorySchema>;

/** A program of ours under attack. */
export interface Subject<Ready> {
  readonly ready: Ready;
  readonly dataDir: string;
  /** After two collections of garbage. */
  memory(): Promise<Memory>;
  /** What it says of faults of its own: on standard error, and as errors in its log. */
  faults(): readonly string[];
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** @param args with `{dir}` for a folder of its own */
export async function startSubject<Ready>(
  args: readonly string[],
  readySchema: z.ZodType<Ready>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Subject<Ready>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const given = args.map((one) => one.replace('{dir}', dataDir));
  const child: ChildProcess = spawn(
    process.execPath,
    ['--expose-gc', '--require', heapReporter, builtCli(), ...given, '--json'],
    { env: { ...cleanEnvironment(), ...environment }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'exit');
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const lines = createInterface(child.stdout ?? process.stdin);
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), ended.then(() => null)]);
  if (line === null) throw new Error(`It did not start: ${stderr}`);
  return {
    ready: readySchema.parse(JSON.parse(line)),
    dataDir,
    async memory() {
      child.send('memory');
      const [told] = await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
      return memorySchema.parse(told);
    },
    faults: () => [...stderr.split('\n').filter((text) => text !== ''), ...errorsIn(dataDir)],
    isAlive,
    async stop() {
      if (isAlive()) child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function errorsIn(dataDir: string): readonly string[] {
  try {
    return readFileSync(join(dataDir, 'logs', 'agent.log'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"level":50'));
  } catch {
    return []; // A program without a log, or one that has nothing to tell yet.
  }
}
