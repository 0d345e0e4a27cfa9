import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { endsWithUs } from './child-programs.ts';

/** The longest takes about two. */
const longestRunMs = 10 * 60_000;
const folder = join(import.meta.dirname, 'contenders');
/** So that starting one does not take longer than what it does. */
const contenderCompileCache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'bench', 'contenders');

interface ContenderRun<Result> {
  /** A module of `contenders/`, without `.ts`. */
  readonly name: string;
  readonly input: object;
  readonly result: z.ZodType<Result>;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly nodeFlags?: readonly string[] | undefined;
}

/** Runs a contender in a process of its own and reads the one JSON line that it answers with. */
export async function runContender<Result>(run: ContenderRun<Result>): Promise<Result> {
  const child = spawnContender(run, ['ignore', 'pipe', 'inherit']);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  // One that waits for what does not come must not hold up all the others.
  const limit = setTimeout(() => child.kill('SIGKILL'), longestRunMs);
  const [exitCode, signal] = await once(child, 'close').finally(() => clearTimeout(limit));
  if (signal === 'SIGKILL') throw new Error(`${run.name} was not done after ${longestRunMs / 60_000} minutes`);
  if (exitCode !== 0) throw new Error(`${run.name} ended with exit code ${String(exitCode)}`);
  return run.result.parse(JSON.parse(output));
}

/** A contender that serves until it is stopped. */
interface RunningServer {
  /** What it prints when it is ready. */
  readonly firstLine: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startServer(run: Pick<ContenderRun<unknown>, 'name' | 'input'>): Promise<RunningServer> {
  const child = spawnContender(run, ['pipe', 'pipe', 'inherit']);
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error(`${run.name} has no output to read`);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then((): never => {
      throw new Error(`${run.name} ended with exit code ${child.exitCode} before it was ready`);
    }),
  ]);
  return {
    firstLine: String(line),
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

export interface BenchService {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

export interface BenchServiceOptions {
  /** How long it takes for each answer; none when absent. */
  readonly delayMs?: number;
  /** How long until an earn is applied; it stays pending when absent. */
  readonly applyAfterMs?: number;
  /** Says nothing of its clock, for an agent on a clock that is moved. */
  readonly hidesTime?: boolean;
}

/** Starts the service that sales are sent to, in a process of its own. */
export async function startBenchService(options: BenchServiceOptions = {}): Promise<BenchService> {
  const server = await startServer({ name: 'service', input: options });
  return { baseUrl: server.firstLine, stop: () => server.stop() };
}

function spawnContender(
  run: Pick<ContenderRun<unknown>, 'name' | 'input' | 'environment' | 'nodeFlags'>,
  stdio: ['ignore' | 'pipe', 'pipe', 'inherit'],
) {
  const module = join(folder, `${run.name}.ts`);
  const child = spawn(process.execPath, [...(run.nodeFlags ?? []), module, JSON.stringify(run.input)], {
    stdio,
    env: { ...process.env, NODE_COMPILE_CACHE: contenderCompileCache, ...run.environment },
  });
  return endsWithUs(child);
}

/** In a contender: what it was asked to do. */
export function contenderInput<Input>(schema: z.ZodType<Input>): Input {
  return schema.parse(JSON.parse(process.argv[2] ?? '{}'));
}

/**
 * In a contender: its answer. To be awaited: what is still in the pipe when a process exits is lost.
 */
export function answer(result: object): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(result)}\n`, () => resolve());
  });
}
