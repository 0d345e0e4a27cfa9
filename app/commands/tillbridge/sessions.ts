import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print, table } from './print.ts';
import { withOffice } from './reach-office.ts';
import { storeIt } from './store-it.ts';

export const sessionsList: TillbridgeCommand = {
  summary: 'list the sessions of the screen',
  about: `Lists the sessions of the cashier screen: the browsers that have opened one of its addresses. A session ends 1 day
after its screen was last opened, and after 30 days at the latest. A kiosk's session ends after 365 days.`,
  flags: [],
  words: [],
  worksOnWholeTill: true,
  async run({ dataDir, json }) {
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('sessions.list', {});
      const rows = answer.sessions.map(({ session, kiosk, made_at, seen_at, ends_at }) => [
        session,
        kiosk ?? '',
        made_at,
        seen_at,
        ends_at,
      ]);
      print(json, answer, () => table([['SESSION', 'KIOSK', 'CREATED', 'LAST OPENED', 'ENDS'], ...rows]));
      return exitCodes.well;
    });
  },
};

export const sessionsOpen: TillbridgeCommand = {
  summary: 'print an address for one more browser',
  about: `Prints an address of the cashier screen that works once. The agent must run with --ui. With --kiosk the session
belongs to the named kiosk and replaces its earlier session.`,
  flags: [{ name: 'kiosk', value: 'NAME', help: 'for a kiosk, whose session lasts 365 days' }],
  words: [],
  worksOnWholeTill: true,
  async run({ values, dataDir, json }) {
    return withOffice(dataDir, null, async (office) => {
      const { url } = await office.call('sessions.open', { kiosk: values.get('kiosk') ?? null });
      if (url === null) throw new OutOfReachError('No screen is served here: start the agent with --ui.');
      print(json, { url }, () => `${url}\n`);
      return exitCodes.well;
    });
  },
};

export const sessionsEnd: TillbridgeCommand = {
  summary: 'end a session of the screen',
  about: `Ends a session of the cashier screen. Its open page closes at once.

Exit code 1: there is no such session.`,
  flags: [],
  words: ['SESSION'],
  worksOnWholeTill: true,
  async run({ words: [session = ''], dataDir, json }) {
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('sessions.end', { by: storeIt(), session });
      print(json, answer, () => (answer.ended ? `${session} is ended.\n` : `There is no session ${session}.\n`));
      return answer.ended ? exitCodes.well : exitCodes.problemFound;
    });
  },
};
