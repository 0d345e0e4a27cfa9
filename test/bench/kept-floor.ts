import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { bundles, nodeBundle, root } from '../../tools/bundles.ts';
import { endsWithUs } from './child-programs.ts';
import { comparedCalls } from './http-services.ts';
import { openPosProgram } from './pos-program.ts';

/** A server on this machine that serves POS programs dutifully (`contenders/bare-http.ts`). */
interface RunningFloor {
  /** From the spawn to the line that says that it listens. */
  readonly readyMs: number;
  readonly baseUrl: string;
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * The least program that serves POS programs and may lose no sale, built as the agent is: bundled, with the compiled code of
 * what a start and some sales run (docs/decisions/0040). Its start, and its first sale, are what is left to an agent
 * that has no settings, no people, no service, no screen and no history.
 */
export interface KeptFloor {
  start(): Promise<RunningFloor>;
  /** The same with what every till has before its first sale (`open-till.ts`). */
  startTill(): Promise<RunningFloor>;
  /** That with a loyalty service in it (`service-floor.ts`). */
  startSandbox(): Promise<RunningFloor>;
}

const token = 'bench';
/** As many as the build's own rehearsal makes. */
const rehearsedSales = 8;
/** Far from the numbers of the sales that are measured: to the floor a number that comes twice is a fault. */
const firstRehearsedNumber = 1_000_000;
const rehearsed = join(root, 'tools', 'rehearsed.ts');

/** @param folder an empty one, for the program and its database */
export async function buildKeptFloor(folder: string): Promise<KeptFloor> {
  const program = join(folder, 'app');
  const server = nodeBundle({
    name: 'floor',
    entry: 'test/bench/contenders/bare-http.ts',
    output: 'app/package.json',
    target: 'node24',
  });
  const begin = bundles.find(({ name }) => name === 'begin');
  if (begin === undefined) throw new Error('The build has no first file any more');
  for (const bundle of [server, begin]) await build(bundle.config(folder));

  const inputOf = (more: { readonly dataDir?: string; readonly serviceFile?: string } = {}) =>
    JSON.stringify({
      status: comparedCalls.earn.status,
      answer: '{}',
      apiKey: token,
      savesTo: { how: 'dutifully', file: join(folder, 'floor.sqlite'), ...more },
    });
  const dataDir = join(folder, 'till');
  const sandboxInput = inputOf({ dataDir, serviceFile: join(folder, 'service.sqlite') });
  // The first start makes the database, and keeps nothing.
  for (const [round, what] of ['run', 'keep'].entries()) {
    const floor = await startFloor([rehearsed, program, what, sandboxInput]);
    const posProgram = await openPosProgram(floor);
    const first = firstRehearsedNumber + round * rehearsedSales;
    for (let sale = 0; sale < rehearsedSales; sale += 1) await posProgram.earn(first + sale);
    posProgram.close();
    await floor.stop();
  }
  const cli = join(program, 'cli.js');
  return {
    start: () => startFloor([cli, inputOf()]),
    startTill: () => startFloor([cli, inputOf({ dataDir })]),
    startSandbox: () => startFloor([cli, sandboxInput]),
  };
}

async function startFloor(args: readonly string[]): Promise<RunningFloor> {
  const startMs = performance.now();
  const child = endsWithUs(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then((): never => {
      throw new Error(`The floor ended with exit code ${child.exitCode} before it listened`);
    }),
  ]);
  return {
    readyMs: performance.now() - startMs,
    baseUrl: `http://127.0.0.1:${String(line)}/v1`,
    token,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
