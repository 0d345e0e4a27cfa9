import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { productInFlight } from './bench-core.ts';
import { runContender } from './contender.ts';
import type { DrainDuty } from './drain-duties.ts';
import { times } from './figures.ts';
import { type Curve, ratios } from './measure.ts';
import { type Progress, progressSchema } from './progress.ts';
import { shimEnvironment } from './sync-shim.ts';
import type { WorkFolder } from './work-folder.ts';

/** What one way of sending a backlog took. */
export interface Drained {
  readonly rowsPerSecond: number;
  /** The greatest resident memory of its process, in MB. */
  readonly peakMb: number;
  readonly progress: Progress;
}

/** A backlog, made by fillBacklog, and the service that it goes to. */
export interface Drain {
  readonly file: string;
  readonly rows: number;
  readonly baseUrl: string;
  /** How many may be in flight; the product's own number when absent. */
  readonly inFlight?: number;
  /** Makes each sync slower, for those who sync. */
  readonly slowDisk?: SlowDisk | undefined;
}

interface SlowDisk {
  readonly library: string;
  readonly delayMs: number;
}

const drained = z.object({ rowsPerSecond: z.number(), peakMb: z.number(), progress: progressSchema });

/** Sends a copy of the backlog with the agent's core. */
export async function drainWithAgent(
  work: WorkFolder,
  drain: Drain & { readonly nodeFlags?: readonly string[] },
): Promise<Drained> {
  const { file, rows, baseUrl, inFlight, nodeFlags, slowDisk } = drain;
  const dataDir = work.folder('drain');
  copyFileSync(file, join(dataDir, 'production.sqlite'));
  const result = await runContender({
    name: 'drain-agent',
    input: { dataDir, baseUrl, rows, inFlight },
    result: drained,
    nodeFlags,
    environment: environmentOf(slowDisk, dataDir),
  });
  rmSync(dataDir, { recursive: true });
  return result;
}

function environmentOf(slowDisk: SlowDisk | undefined, dataDir: string) {
  return slowDisk === undefined ? undefined : shimEnvironment({ ...slowDisk, counterFile: join(dataDir, 'syncs') });
}

/** Sends the same bodies with undici and nothing else. */
export function drainBare({ file, baseUrl, inFlight = productInFlight }: Drain): Promise<Drained> {
  return runContender({ name: 'drain-bare', input: { file, baseUrl, inFlight }, result: drained });
}

/** Sends a copy of the backlog with nothing but the duties that nobody can leave out, up to one of them. */
export async function drainWithDuties(
  work: WorkFolder,
  { file, baseUrl, inFlight = productInFlight, slowDisk }: Drain,
  upTo: DrainDuty,
): Promise<Drained> {
  const dataDir = work.folder('drain');
  const copy = join(dataDir, 'production.sqlite');
  copyFileSync(file, copy);
  const result = await runContender({
    name: 'drain-duties',
    input: { file: copy, baseUrl, inFlight, upTo },
    result: drained,
    environment: environmentOf(slowDisk, dataDir),
  });
  rmSync(dataDir, { recursive: true });
  return result;
}

/** Sends the same bodies as jobs of plainjob. */
export async function drainWithPlainjob(
  work: WorkFolder,
  { file, baseUrl }: Drain,
  { isDurable }: { readonly isDurable: boolean },
): Promise<Drained> {
  const dataDir = work.folder('plainjob');
  const input = { file, baseUrl, isDurable, dataDir, inFlight: productInFlight };
  const result = await runContender({ name: 'drain-plainjob', input, result: drained });
  rmSync(dataDir, { recursive: true });
  return result;
}

/** How near the agent comes to a program that does its duties and nothing else, for a line of the report. */
export function besideFloor(agent: readonly Drained[], floor: readonly Drained[]): string {
  return `${times(ratios(ratesOf(agent), ratesOf(floor)))} of it`;
}

/** Sales a second of each round. */
export function ratesOf(runs: readonly Drained[]): readonly number[] {
  return runs.map(({ rowsPerSecond }) => rowsPerSecond);
}

/** Rows over seconds, of the round whose rate is the middle one. */
export function drainCurve(name: string, runs: readonly Drained[]): Curve {
  const middle = runs.toSorted((a, b) => a.rowsPerSecond - b.rowsPerSecond)[(runs.length - 1) >> 1];
  if (middle === undefined) throw new Error('Nothing was measured');
  return { name, points: middle.progress };
}
