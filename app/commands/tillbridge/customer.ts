import { randomBytes } from 'node:crypto';
import { ProfileSeal } from '../../customers/profile-seal.ts';
import { fileSecretStore, keptProfileKey } from '../../machine/secrets.ts';
import { readTillKey } from '../../machine/till-key.ts';
import type { ShownPersonalOperation } from '../../office/customer-calls.ts';
import type { OfficeAnswer, OfficeInput } from '../../office/office.ts';
import { type PersonName, personNameKinds } from '../../operations/personal-data/person.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given, TillbridgeCommand } from './command.ts';
import { type FileReport, type PersonFiles, personInFiles } from './person-files.ts';
import { print, table } from './print.ts';
import { NotWrittenError, type ReachedOffice, withOffice } from './reach-office.ts';
import { reachSettings } from './reach-settings.ts';
import { readSecret } from './read-secret.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

const whoIsMeant = `KIND is one of ${personNameKinds.join(', ')}, and VALUE the customer's; \`-\` reads VALUE from
standard input, so that it stands in no process list. Their other names are found by what the service has told.`;
const whatIsLeftOut = `Not looked at: backups that were moved elsewhere, the log (it names no customer), support bundles, and the books of
the embedded sandbox. What the loyalty service holds is the provider's to erase.`;

export const customerShow: TillbridgeCommand = {
  summary: 'what this till holds of one customer, and where',
  about: `Lists what is held of one customer: in operations, among the saved customers, in databases that were put aside, and in
backups that this till has made. Changes nothing; the agent may run.

${whoIsMeant}

${whatIsLeftOut}

Exit code 1: a file or a folder could not be read. Its line says why.`,
  flags: [],
  words: ['KIND', 'VALUE'],
  async run(given) {
    const name = await nameOf(given);
    return withOffice(given.dataDir, given.mode, async (office) => {
      const here = await office.call('customer.show', name);
      const files = await personInFiles(await filesOf(given, office, here), here.names, 'show');
      print(given.json, { ...here, files }, () => shownWords(here, files));
      return files.some(({ problem }) => problem !== null) ? exitCodes.problemFound : exitCodes.well;
    });
  },
};

export const customerErase: TillbridgeCommand = {
  summary: 'erase one customer from this till',
  about: `Erases who one customer is from operations that are over, from the saved customers, from databases that were put aside
and from backups that this till has made. References, values and day totals stay; they name nobody. What still waits, or
is still looked up, needs its customer until it is over: it stays, and is told. Erase again then.

${whoIsMeant}

${whatIsLeftOut}

Exit code 1: something stays or could not be looked at, or nothing was erased because --yes is missing.`,
  flags: [{ name: 'yes', value: null, help: 'erase it; without it, it is only told what there is' }],
  words: ['KIND', 'VALUE'],
  async run(given) {
    const name = await nameOf(given);
    const { dataDir, json, switches } = given;
    return withOffice(dataDir, given.mode, async (office) => {
      const shown = await office.call('customer.show', name);
      const places = await filesOf(given, office, shown);
      if (!switches.has('yes')) {
        const files = await personInFiles(places, shown.names, 'show');
        print(
          json,
          { erased: false, ...shown, files },
          () => `${shownWords(shown, files)}Nothing was erased: add --yes.\n`,
        );
        return exitCodes.problemFound;
      }
      // First: whatever hinders the files, the audit log tells who has begun to erase.
      const here = await erasedHere(office, { ...name, by: storeIt(), elsewhere: 0 });
      const files = await personInFiles(places, shown.names, 'erase');
      const elsewhere = files.reduce((sum, { operations, stays }) => sum + operations.length - stays.length, 0);
      // The same once more changes nothing here, and tells the audit log how many went in files.
      if (elsewhere > 0) await office.call('customer.erase', { ...name, by: storeIt(), elsewhere });
      print(json, { erased: true, ...here, files }, () => erasedWords(here, files));
      const isLeft = here.stays.length > 0 || here.log_left || here.gap_left;
      return isLeft || files.some(({ stays, problem }) => stays.length > 0 || problem !== null)
        ? exitCodes.problemFound
        : exitCodes.well;
    });
  },
};

async function nameOf({ words: [kind = '', value = ''] }: Given): Promise<PersonName> {
  const known = personNameKinds.find((one) => one === kind);
  if (known === undefined) throw new WrongUseError(`KIND: must be one of ${personNameKinds.join(', ')}`);
  const text = value === '-' ? await readSecret(`${kind}: `) : value;
  if (text.trim() === '') throw new WrongUseError('VALUE: must not be empty');
  return { kind: known, value: text.trim() };
}

async function filesOf(
  { dataDir }: Given,
  { isRunning }: { readonly isRunning: boolean },
  { mode }: Here,
): Promise<PersonFiles> {
  const secrets = fileSecretStore(dataDir);
  const { settings } = await (await reachSettings(dataDir)).read();
  const textOf = (wanted: string) => {
    const value = settings.find(({ name }) => name === wanted)?.value;
    return typeof value === 'string' ? value : null;
  };
  return {
    dataDir,
    backupFolder: textOf('backup.folder'),
    currency: textOf('currency') ?? '',
    mode,
    isRunning,
    seal: new ProfileSeal(await keptProfileKey(secrets, randomBytes), randomBytes),
    tillKey: await readTillKey(secrets),
  };
}

type Here = OfficeAnswer<'customer.show'>;

function shownWords({ database, names, operations, profiles, unreadable }: Here, files: readonly FileReport[]): string {
  const places = [{ file: database, operations, profiles, unreadable, problem: null }, ...files];
  return [
    `Known as ${names.map(({ kind, value }) => `${kind} ${value}`).join(', ')}.\n`,
    ...places.map(({ file, operations: held, profiles: seen, unreadable: others, problem }) => {
      const what = problem === null ? heldWords(held.length, seen) : `could not be looked at: ${problem}`;
      return `${file}: ${what}\n${operationTable(held)}${unreadableWords(others)}`;
    }),
    lonelyNameWords(names, places),
  ].join('');
}

/** @throws NotWrittenError that says that nothing was erased */
async function erasedHere(office: ReachedOffice, input: OfficeInput<'customer.erase'>) {
  try {
    return await office.call('customer.erase', input);
  } catch (error) {
    if (!(error instanceof NotWrittenError)) throw error;
    throw new NotWrittenError(`${error.message}. Nothing was erased.`, { cause: error });
  }
}

function erasedWords(here: OfficeAnswer<'customer.erase'>, files: readonly FileReport[]): string {
  const { database, operations, profiles, stays, unreadable, log_left, gap_left } = here;
  const places = [
    { file: database, kind: 'open', operations, profiles, stays, unreadable, problem: null },
    ...files,
  ] as const;
  return [
    ...places.map(({ file, kind, operations: found, profiles: seen, stays: left, unreadable: others, problem }) => {
      if (problem !== null) return `${file}: not erased: ${problem}\n`;
      const waits = left.map(
        ({ external_ref, state }) =>
          `  ${external_ref} stays: ${kind === 'aside' || kind === 'backup' ? longOver : whyItStays(state)}\n`,
      );
      return `${file}: erased: ${heldWords(found.length - left.length, seen)}\n${waits.join('')}${unreadableWords(others)}`;
    }),
    lonelyNameWords(here.names, places),
    ...eraseAgainWords(places.flatMap(({ stays: left }) => left)),
    ...(gap_left ? [`${database}: the disk is full: traces may stay in its gaps. Free space, and erase again.\n`] : []),
    ...(log_left ? [`${database}-wal: another program reads it: something may be left there. Try again.\n`] : []),
    'References, values and day totals stay: they name nobody.\n',
  ].join('');
}

/**
 * Where nothing is held under the name that was given, nothing leads to the customer's other names either: something may
 * be held under one of these.
 */
function lonelyNameWords(
  names: readonly PersonName[],
  places: readonly { readonly operations: readonly unknown[]; readonly profiles: number }[],
): string {
  const isNothing = places.every(({ operations, profiles }) => operations.length + profiles === 0);
  return names.length === 1 && isNothing
    ? 'Only this name was looked for. Give their card number or customer_id, too.\n'
    : '';
}

/** Nothing goes on in such a file: what waited in it waits for ever. */
const longOver = 'it waited when this file was made, and nothing ends it there: delete the file';

function unreadableWords(references: readonly string[]): string {
  return references.map((reference) => `  ${reference}: its request cannot be read; it may name anybody\n`).join('');
}

/** By its own name: what tied it to the one that was given may be erased by now. */
function eraseAgainWords(stays: readonly ShownPersonalOperation[]): readonly string[] {
  const commands = new Set(
    stays.map(({ found_by: { kind, value } }) => `customer erase ${kind} ${quoted(value)} --yes`),
  );
  return [...commands].map((command) => `When that is over, erase again: ${command}\n`);
}

function quoted(value: string): string {
  return /^[\w.+@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function heldWords(operations: number, profiles: number): string {
  if (operations + profiles === 0) return 'nothing';
  const parts = [
    ...(operations === 0 ? [] : [`${operations} ${operations === 1 ? 'operation' : 'operations'}`]),
    ...(profiles === 0 ? [] : ['the saved customer']),
  ];
  return parts.join(', ');
}

function whyItStays(state: ShownPersonalOperation['state']): string {
  switch (state) {
    case 'queued':
    case 'sending':
    case 'unknown':
    case 'accepted':
      return 'it is not delivered yet, and needs its customer for that';
    case 'refused':
    case 'failed':
      return 'it waits for a person: send it again or write it off first';
    case 'applied':
    case 'reversed':
    case 'cancelled':
    case 'written_off':
      return 'it is still looked up at the service, for a day as a rule';
  }
}

function operationTable(operations: readonly ShownPersonalOperation[]): string {
  const rows = operations.map(({ external_ref, intent, state, saved_at, holds }) => [
    `  ${external_ref}`,
    intent,
    state,
    saved_at,
    holds.join(','),
  ]);
  return rows.length === 0 ? '' : table(rows);
}
