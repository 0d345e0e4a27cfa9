import { maxPrefixLength } from '../../../shared/till/limits.ts';
import { hasStarted } from '../../config/last-start.ts';
import { fileSecretStore, readBridgeToken, readControlKey, type SecretStore } from '../../machine/secrets.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { OutOfReachError, refuseLostSecrets } from './out-of-reach.ts';
import { print, table } from './print.ts';
import { withOffice } from './reach-office.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

export const tokensList: TillbridgeCommand = {
  summary: 'list the POS tokens',
  about:
    'Lists the POS tokens, and the last use of each since the start of the agent. A new token is shown only when it is created; `tokens show main` shows the first one.',
  flags: [],
  words: [],
  worksOnWholeTill: true,
  async run({ dataDir, json }) {
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('tokens.list', {});
      const rows = answer.tokens.map(({ name, reference_prefix, shared, hint, made_at, last_used_at }) => [
        name,
        reference_prefix,
        shared ? 'everything' : 'its own',
        hint,
        made_at ?? 'with the agent',
        last_used_at ?? '',
      ]);
      print(json, answer, () => table([['NAME', 'PREFIX', 'SEES', 'TOKEN', 'CREATED', 'LAST USED'], ...rows]));
      return exitCodes.well;
    });
  },
};

/** What the agent makes for itself at its first start, by what is typed. */
const shownSecrets: Readonly<Record<string, (secrets: SecretStore) => Promise<string | null>>> = {
  main: readBridgeToken,
  control: readControlKey,
};

export const tokensShow: TillbridgeCommand = {
  summary: 'show the first POS token, or the key of the sandbox controls',
  about: `Shows \`main\`, the POS token that the agent made at its first start, or \`control\`, the key of the sandbox controls.
Every other token is shown only when it is created.

Exit code 3: no agent ever ran on the data folder, or its secrets.json is gone.`,
  flags: [],
  words: ['NAME'],
  worksOnWholeTill: true,
  async run({ words: [name = ''], dataDir, json }) {
    const read = Object.hasOwn(shownSecrets, name) ? shownSecrets[name] : undefined;
    if (read === undefined) {
      throw new WrongUseError(
        `NAME: ${name} is neither main nor control. Every other token is shown when it is created.`,
      );
    }
    const secrets = fileSecretStore(dataDir);
    if (hasStarted(dataDir)) await refuseLostSecrets(dataDir, secrets);
    const secret = await read(secrets);
    if (secret === null) {
      const why = name === 'control' ? 'No sandbox' : 'No agent';
      throw new OutOfReachError(`${why} ever ran on ${dataDir}. Start the agent, or name another --data-dir.`);
    }
    print(json, { name, secret }, () => `${secret}\n`);
    return exitCodes.well;
  },
};

export const tokensCreate: TillbridgeCommand = {
  summary: 'create a POS token for one more program',
  about: `Creates a POS token for one more program and prints it once. Tillbridge puts PREFIX before the program's references
on the way to the service and removes it from the answers: two programs never share a reference.

The program sees and reverses only its own operations. With --shared it sees and reverses the operations of every
program and of the screen. \`tokens make\` is the old name of this command.`,
  flags: [
    { name: 'prefix', value: 'PREFIX', help: `before its references: 1 to ${maxPrefixLength} letters, digits, . _ -` },
    { name: 'shared', value: null, help: 'let the program see and reverse the operations of others' },
  ],
  words: ['NAME'],
  worksOnWholeTill: true,
  async run({ values, switches, words: [name = ''], dataDir, json }) {
    const prefix = values.get('prefix');
    if (prefix === undefined) throw new WrongUseError('--prefix: is needed; two programs must not share references');
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('tokens.make', { by: storeIt(), name, prefix, shared: switches.has('shared') });
      if ('problem' in answer) {
        throw new WrongUseError(`${answer.field === 'name' ? 'NAME' : '--prefix'}: ${answer.problem}`);
      }
      print(json, answer, () => `${answer.token}\n`);
      return exitCodes.well;
    });
  },
};

export const tokensShare: TillbridgeCommand = {
  summary: 'let a POS program see the operations of others',
  about: `Lets a POS program see and reverse the operations of other programs and of the screen. With --end the program sees
its own operations again; \`main\` sees those of the screen, too. The change counts at once.

Exit code 1: there is no such token.`,
  flags: [{ name: 'end', value: null, help: 'end the sharing' }],
  words: ['NAME'],
  worksOnWholeTill: true,
  async run({ switches, words: [name = ''], dataDir, json }) {
    const shared = !switches.has('end');
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('tokens.share', { by: storeIt(), name, shared });
      const done = shared ? `${name} sees the operations of others.\n` : `${name} sees its own operations only.\n`;
      print(json, answer, () => (answer.found ? done : `There is no token ${name}.\n`));
      return answer.found ? exitCodes.well : exitCodes.problemFound;
    });
  },
};

export const tokensRevoke: TillbridgeCommand = {
  summary: 'revoke a POS token',
  about: `Revokes the token of a POS program at once. Saved operations of the program are still sent.
A new token replaces a revoked \`main\`: \`tokens show main\` shows it.

Exit code 1: there is no such token.`,
  flags: [],
  words: ['NAME'],
  worksOnWholeTill: true,
  async run({ words: [name = ''], dataDir, json }) {
    return withOffice(dataDir, null, async (office) => {
      const answer = await office.call('tokens.revoke', { by: storeIt(), name });
      print(json, answer, () => (answer.revoked ? `${name} is revoked.\n` : `There is no token ${name}.\n`));
      return answer.revoked ? exitCodes.well : exitCodes.problemFound;
    });
  },
};
