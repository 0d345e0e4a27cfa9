import { type BuiltAgent, startBuiltAgent } from '../agent-program.ts';
import { milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { differences, type GoalLine, measuredLine } from '../measure.ts';
import { openPosProgram } from '../pos-program.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[18];
const sales = 10;

/** Goal 18: nobody pays for what is loaded or compiled late. The sale comes as soon as the agent says that it is ready. */
export async function measureFirstSale({ work, rounds }: GoalContext): Promise<readonly GoalLine[]> {
  const dataDir = work.folder('first-sale');
  let number = 0;
  const tookMs = async (): Promise<readonly number[]> => {
    const agent = await startBuiltAgent(dataDir, { mode: 'production' });
    try {
      return await salesOf(agent, () => (number += 1));
    } finally {
      await agent.stop();
    }
  };
  // The first starts make the database, fill the compile cache and warm up the one who measures.
  for (let start = 0; start < 3; start += 1) await tookMs();
  const runs: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await tookMs());
  const at = (sale: number) => runs.map((times) => times[sale] ?? Number.NaN);
  const [first, second, tenth] = [at(0), at(1), at(sales - 1)];
  const figures = `${milliseconds(first)}, the second ${milliseconds(second)}, the tenth ${milliseconds(tenth)}`;
  return [measuredLine(limits.first, differences(first, tenth), figures)];
}

async function salesOf(agent: BuiltAgent, nextNumber: () => number): Promise<readonly number[]> {
  const program = await openPosProgram(agent);
  try {
    const times: number[] = [];
    for (let sale = 0; sale < sales; sale += 1) times.push(await program.earn(nextNumber()));
    return times;
  } finally {
    program.close();
  }
}
