import { join } from 'node:path';
import { type BuiltAgent, startBuiltAgent } from '../agent-program.ts';
import { milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { comparedCalls, startBareHttp } from '../http-services.ts';
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
  const floors: (readonly number[])[] = [];
  const dutiful: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    runs.push(await tookMs());
    floors.push(await floorMs(work.folder('first-sale-floor'), 'alone'));
    dutiful.push(await floorMs(work.folder('first-sale-floor'), 'dutifully'));
  }
  const [first, second, tenth] = [of(runs, 0), of(runs, 1), of(runs, sales - 1)];
  const figures = [
    `${milliseconds(first)}, the second ${milliseconds(second)}, the tenth ${milliseconds(tenth)}`,
    `of a bare HTTP server that inserts a row it is ${milliseconds(longer(floors))} longer`,
    `of one with all that nobody can leave out, whose code nobody keeps compiled, ${milliseconds(longer(dutiful))}`,
  ];
  return [measuredLine(limits.first, differences(first, tenth), figures.join('; '), spreadOf(longer(floors)))];
}

/** By how much the first sale took longer than the tenth, in each round. */
function longer(runs: readonly (readonly number[])[]): readonly number[] {
  return runs.map((times) => (times[0] ?? Number.NaN) - (times[sales - 1] ?? Number.NaN));
}

/**
 * What no agent can do without, for the first time in a process: HTTP and a durable insert; and with all that nobody can
 * leave out who serves POS programs.
 */
async function floorMs(folder: string, how: 'alone' | 'dutifully'): Promise<readonly number[]> {
  const answer = JSON.stringify({ transaction_id: 'txn_1', status: 'pending', duplicate: false });
  const file = join(folder, 'floor.sqlite');
  const saves = how === 'alone' ? { how, file, rows: sales } : { how, file };
  const server = await startBareHttp(comparedCalls.earn, answer, saves);
  try {
    const baseUrl = `http://127.0.0.1:${server.port}${server.prefix}`;
    return await salesOf({ baseUrl, token: server.apiKey }, countUp());
  } finally {
    await server.stop();
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
