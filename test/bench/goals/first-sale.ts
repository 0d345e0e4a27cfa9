import { join } from 'node:path';
import { type BuiltAgent, startBuiltAgent } from '../agent-program.ts';
import { milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { comparedCalls, startBareHttp } from '../http-services.ts';
import { buildKeptFloor, type KeptFloor } from '../kept-floor.ts';
import { differences, type GoalLine, measuredLine, spreadOf } from '../measure.ts';
import { openPosProgram } from '../pos-program.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[18];
const sales = 10;

/** Goal 18: nobody pays for what is loaded or compiled late. The sale comes as soon as the agent says that it is ready. */
export async function measureFirstSale({ work, rounds }: GoalContext): Promise<readonly GoalLine[]> {
  const dataDir = work.folder('first-sale');
  const next = countUp();
  const tookMs = async (): Promise<readonly number[]> => {
    const agent = await startBuiltAgent(dataDir, { mode: 'production' });
    try {
      return await salesOf(agent, next);
    } finally {
      await agent.stop();
    }
  };
  // The first starts make the database, fill the compile cache and warm up the one who measures.
  for (let start = 0; start < 3; start += 1) await tookMs();
  const runs: (readonly number[])[] = [];
  const bare: (readonly number[])[] = [];
  const kept: (readonly number[])[] = [];
  const keptFloor = await buildKeptFloor(work.folder('kept-floor'));
  for (let round = 0; round < rounds; round += 1) {
    runs.push(await tookMs());
    bare.push(await bareMs(work.folder('first-sale-bare')));
    kept.push(await salesOfKept(keptFloor, next));
  }
  const [first, second, tenth] = [of(runs, 0), of(runs, 1), of(runs, sales - 1)];
  const figures = [
    `${milliseconds(first)}, the second ${milliseconds(second)}, the tenth ${milliseconds(tenth)}`,
    `of a bare HTTP server that inserts a row it is ${milliseconds(longer(bare))} longer`,
    `of one with all that nobody can leave out, built as the agent is, ${milliseconds(longer(kept))}`,
  ];
  return [measuredLine(limits.first, differences(first, tenth), figures.join('; '), spreadOf(longer(kept)))];
}

/** By how much the first sale took longer than the tenth, in each round. */
function longer(runs: readonly (readonly number[])[]): readonly number[] {
  return runs.map((times) => (times[0] ?? Number.NaN) - (times[sales - 1] ?? Number.NaN));
}

/** HTTP and a durable insert for the first time in a process, and nothing of ours. */
async function bareMs(folder: string): Promise<readonly number[]> {
  const answer = JSON.stringify({ transaction_id: 'txn_1', status: 'pending', duplicate: false });
  const savesTo = { how: 'alone', file: join(folder, 'bare.sqlite'), rows: sales } as const;
  const server = await startBareHttp(comparedCalls.earn, answer, savesTo);
  try {
    const baseUrl = `http://127.0.0.1:${server.port}${server.prefix}`;
    return await salesOf({ baseUrl, token: server.apiKey }, countUp());
  } finally {
    await server.stop();
  }
}

async function salesOfKept(keptFloor: KeptFloor, next: () => number): Promise<readonly number[]> {
  const floor = await keptFloor.start();
  try {
    return await salesOf(floor, next);
  } finally {
    await floor.stop();
  }
}

function of(runs: readonly (readonly number[])[], sale: number): readonly number[] {
  return runs.map((times) => times[sale] ?? Number.NaN);
}

function countUp(): () => number {
  let number = 0;
  return () => (number += 1);
}

async function salesOf(
  bridge: Pick<BuiltAgent, 'baseUrl' | 'token'>,
  nextNumber: () => number,
): Promise<readonly number[]> {
  const program = await openPosProgram(bridge);
  try {
    const times: number[] = [];
    for (let sale = 0; sale < sales; sale += 1) times.push(await program.earn(nextNumber()));
    return times;
  } finally {
    program.close();
  }
}
