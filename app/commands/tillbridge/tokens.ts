import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { print, table } from './print.ts';
import { reachOffice, WrongUseError } from './reach-office.ts';

export const tokensList: TillbridgeCommand = {
  summary: 'who may call the bridge',
  about:
    'Lists the local tokens, and when each was used last since the agent began. A token itself is told only when it is made.',
  flags: [],
  words: [],
  async run({ dataDir, json }) {
    const office = await reachOffice(dataDir);
    try {
      const answer = await office.call('tokens.list', {});
      const rows = answer.tokens.map(({ name, reference_prefix, shared, hint, made_at, last_used_at }) => [
        name,
        reference_prefix,
        shared ? 'everything' : 'its own',
        hint,
        made_at ?? 'with the agent',
        last_used_at ?? '',
      ]);
      print(json, answer, () => table([['NAME', 'PREFIX', 'SEES', 'TOKEN', 'MADE', 'LAST USED'], ...rows]));
      return exitCodes.well;
    } finally {
      office.close();
    }
  },
};

export const tokensMake: TillbridgeCommand = {
  summary: 'a token for one more POS program',
  about: `Makes a local token for a POS program of its own. Its references get PREFIX in front on their way to the service
and lose it on their way back, so that two programs never share one. The token is told this once.

The program sees and takes back what it took itself. With --shared it sees and takes back what every program and the
screen of this till took.`,
  flags: [
    { name: 'prefix', value: 'PREFIX', help: 'in front of its references: 1 to 16 letters, digits, . _ -' },
    { name: 'shared', value: null, help: 'it sees and takes back what others took, too' },
  ],
  words: ['NAME'],
  async run({ values, switches, words: [name = ''], dataDir, json }) {
    const prefix = values.get('prefix');
    if (prefix === undefined) throw new WrongUseError('--prefix: is needed; no two programs may share references');
    const office = await reachOffice(dataDir);
    try {
      const answer = await office.call('tokens.make', { name, prefix, shared: switches.has('shared') });
      if ('problem' in answer) {
        throw new WrongUseError(`${answer.field === 'name' ? 'NAME' : '--prefix'}: ${answer.problem}`);
      }
      print(json, answer, () => `${answer.token}\n`);
      return exitCodes.well;
    } finally {
      office.close();
    }
  },
};

export const tokensShare: TillbridgeCommand = {
  summary: 'let a POS program see what others took',
  about: `Lets a POS program see and take back what other programs and the screen of this till took. With --end it sees
its own again; \`main\` sees what the screen took besides. Counts at once.

Exit code 1: there is no such token.`,
  flags: [{ name: 'end', value: null, help: 'no longer' }],
  words: ['NAME'],
  async run({ switches, words: [name = ''], dataDir, json }) {
    const shared = !switches.has('end');
    const office = await reachOffice(dataDir);
    try {
      const answer = await office.call('tokens.share', { name, shared });
      const done = shared ? `${name} sees what others took.\n` : `${name} sees what others took no longer.\n`;
      print(json, answer, () => (answer.found ? done : `There is no ${name}.\n`));
      return answer.found ? exitCodes.well : exitCodes.problemFound;
    } finally {
      office.close();
    }
  },
};

export const tokensRevoke: TillbridgeCommand = {
  summary: 'take a token back',
  about: `Takes a POS program's token back; it counts at once. What it has handed in is delivered all the same.
In the place of \`main\` comes another one, which the next start prints.

Exit code 1: there is no such token.`,
  flags: [],
  words: ['NAME'],
  async run({ words: [name = ''], dataDir, json }) {
    const office = await reachOffice(dataDir);
    try {
      const answer = await office.call('tokens.revoke', { name });
      print(json, answer, () => (answer.revoked ? `${name} is revoked.\n` : `There is no ${name}.\n`));
      return answer.revoked ? exitCodes.well : exitCodes.problemFound;
    } finally {
      office.close();
    }
  },
};
