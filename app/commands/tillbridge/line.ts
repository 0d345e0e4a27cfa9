import { connectionInWords } from '../../doctor/check-status.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print } from './print.ts';
import { withOffice } from './reach-office.ts';

export const lineTry: TillbridgeCommand = {
  summary: 'ask the service now, though it has asked to wait',
  about: `Asks the service now. Where it answers, sending goes on at once, whatever wait it has asked for before (Retry-After).

Exit code 1: the connection is not good, or the service asks to wait again, or takes no look-ups.`,
  flags: [],
  words: [],
  async run({ dataDir, mode, json }) {
    return withOffice(dataDir, mode, async (office) => {
      const answer = await office.call('line.try', {});
      const { connection } = answer;
      if (connection === null) throw new OutOfReachError(`No agent runs on ${dataDir}. Start the agent.`);
      print(json, answer, () => `${connectionInWords(connection)}\n`);
      const { state, waits_until: until, look_ups_wait_until: lookUpsUntil } = connection;
      const isWell = state === 'online' && until === undefined && lookUpsUntil === undefined;
      return isWell ? exitCodes.well : exitCodes.problemFound;
    });
  },
};
