import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { print } from './print.ts';
import { reachOffice } from './reach-office.ts';

export const profilesErase: TillbridgeCommand = {
  summary: 'forget every customer seen',
  about: `Erases the profiles that are kept for the time without a line, from the disk too. Sales that wait are not
touched: they need their customer until they are delivered.`,
  flags: [],
  words: [],
  async run({ dataDir, json }) {
    const office = await reachOffice(dataDir);
    try {
      const answer = await office.call('profiles.erase', {});
      print(json, answer, () => `${answer.erased} erased.\n`);
      return exitCodes.well;
    } finally {
      office.close();
    }
  },
};
