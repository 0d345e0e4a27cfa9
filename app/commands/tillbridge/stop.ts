import { setTimeout as pause } from 'node:timers/promises';
import { isDataFolderInUse } from '../../machine/lock.ts';
import { isRunning } from '../../machine/running-process.ts';
import { exitCodes } from '../exit-codes.ts';
import { howToStopService } from '../service/manager-of-platform.ts';
import { callAgentWhenFree } from './call-agent.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print } from './print.ts';
import { readAnswer } from './reach-office.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

const about = `Stops the agent or the window of this data folder, in good order: requests under way end, the database is closed.
Sales that wait stay saved, and are sent after the next start. Where a service runs the agent, stop the service instead:
the service starts the agent again.

Exit codes:
  0  the agent has ended, or none was running
  2  the command or a flag is wrong
  3  the agent does not answer, or has not ended after 30 seconds`;

const endsWithinMs = 30_000;
const lookEveryMs = 100;

/** `stop`: ends a running agent, on every system. */
export const stopCommand: TillbridgeCommand = {
  summary: 'stop the agent',
  about,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  async run({ dataDir, json }) {
    const howToStop = howToStopService(dataDir);
    if (howToStop !== null) {
      throw new WrongUseError(`A service runs this agent and would start it again. Stop the service: ${howToStop}`);
    }
    const isStopped = await stopAgent(dataDir);
    print(json, { stopped: isStopped, data_dir: dataDir }, () =>
      isStopped ? `The agent of ${dataDir} has ended.\n` : `No agent runs on ${dataDir}.\n`,
    );
    return exitCodes.well;
  },
};

/**
 * Has the agent of a data folder end, and waits for that.
 *
 * @returns false when none runs
 * @throws OutOfReachError
 */
export async function stopAgent(dataDir: string): Promise<boolean> {
  const agent = await callAgentWhenFree(dataDir);
  if (agent === null) return false;
  const { pid } = readAnswer('stop', await agent.office('stop', { by: storeIt() }));
  const until = performance.now() + endsWithinMs;
  // Its files and its program are free when it is gone.
  while (isDataFolderInUse(dataDir) || (pid !== null && isRunning(pid))) {
    if (performance.now() > until) throw new OutOfReachError(`The agent of ${dataDir} has not ended after 30 seconds.`);
    await pause(lookEveryMs);
  }
  return true;
}
