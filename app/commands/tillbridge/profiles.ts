import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { print } from './print.ts';
import { withOffice } from './reach-office.ts';
import { storeIt } from './store-it.ts';

export const profilesErase: TillbridgeCommand = {
  summary: 'erase every saved customer',
  about: `Erases the saved customers of both modes, from the disk too. Waiting sales keep their customer until they are sent.

Exit code 1: something may be left in a file.`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  async run({ dataDir, json }) {
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('profiles.erase', { by: storeIt() });
      const left = answer.not_reached.map(
        (name) => `${name} is damaged, or another program reads it. Customers may be left there. Try again.\n`,
      );
      print(json, answer, () => [`${answer.erased} erased.\n`, ...left].join(''));
      return left.length === 0 ? exitCodes.well : exitCodes.problemFound;
    });
  },
};
