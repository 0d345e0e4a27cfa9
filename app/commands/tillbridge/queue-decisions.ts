import { assertNever } from '../../../shared/lib/assert-never.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import type { OperationState } from '../../../shared/machines/operation.ts';
import { changedOnDiskCode } from '../../../shared/till/own-errors.ts';
import { stateWords } from '../../../shared/till/state-words.ts';
import { typed } from '../../machine/installed.ts';
import type { Decided } from '../../office/queue-calls.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FlagSpec } from '../flags.ts';
import type { Given, TillbridgeCommand } from './command.ts';
import { momentOf } from './moment-flag.ts';
import { print } from './print.ts';
import { noSuchReference, partsOf } from './queue-filter.ts';
import { type ReachedOffice, withOffice } from './reach-office.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

const reasonFlag: FlagSpec = { name: 'reason', value: 'TEXT', help: 'why; saved in the history' };
const personFlag: FlagSpec = {
  name: 'person',
  value: 'NAME',
  help: 'who decides, for the history; default: the user of this machine',
};

function onlyFound(state: OperationState | null): string {
  const only = '. Only an operation of `queue list --state found` is kept or reversed here';
  if (state === 'applied') return `${only}. Reverse it at the screen (Recent, Undo), or by its POS program`;
  if (state === 'refused') return `${only}. Use \`${typed('queue resend')}\` or \`${typed('queue write-off')}\``;
  return only;
}

function onlyRefusedTime(state: OperationState | null): string {
  return state === 'refused' ? '. --occurred-at: only for a sale that was refused for its time' : '';
}

/** What is added where the state of an operation does not allow a decision. */
type NotNowWords = (state: OperationState | null) => string;

const ends = `Exit code 1: at least one operation was not changed. Its line says why.`;

export const queueResend: TillbridgeCommand = {
  summary: 'retry a refused operation',
  about: `Retries a refused operation, unchanged. First solve the problem at the service. REF is the reference of the
operation, or \`all\` for all refused operations. The running agent sends them when it is connected.

Where a sale was refused for its time (occurred_at_outside_window) because the till had a wrong date, --occurred-at says
when the sale took place: an instant (2026-11-20T16:30:00+03:00) or a time before now (90m, 12h, 2d).

What was changed on the disk (${changedOnDiskCode}) is never among \`all\`: name it, or that code, and with --person who
has compared it with the receipts and releases it as it stands.

${ends}`,
  flags: [
    { name: 'code', value: 'CODE', help: 'with all: only operations that were refused with this code' },
    { name: 'occurred-at', value: 'WHEN', help: 'of a sale that was refused for its time: when it took place' },
    { ...reasonFlag, help: `${reasonFlag.help}; default: resent by store IT` },
    personFlag,
  ],
  words: ['REF'],
  async run(given) {
    const { values, words } = given;
    const [reference = ''] = words;
    const code = values.get('code');
    if (code !== undefined && reference !== 'all')
      throw new WrongUseError(`--code: use with \`${typed('queue resend all')}\``);
    const when = values.get('occurred-at');
    if (when !== undefined && reference === 'all')
      throw new WrongUseError('--occurred-at: use with one reference: each sale has a time of its own');
    const occurred_at = when === undefined ? undefined : toInstant(momentOf('occurred-at', when, Date.now()));
    const reason = reasonOf(values.get('reason') ?? 'Resent by store IT');
    const nothingToDo = code === undefined ? 'No operation was refused.' : `No operation was refused with ${code}.`;
    const resendEach = async (office: ReachedOffice) => {
      const references = reference === 'all' ? await refusedReferences(office, code) : [reference];
      const isRelease = code === changedOnDiskCode || (reference !== 'all' && (await isChanged(office, reference)));
      if (isRelease && !values.has('person')) {
        throw new WrongUseError('--person: is needed: it was changed on the disk, and whoever releases it is named');
      }
      const decided: Decided[] = [];
      for (const external_ref of references) {
        decided.push(await office.call('queue.resend', { external_ref, reason, occurred_at, ...decider(values) }));
      }
      return decided;
    };
    return decideEach(given, resendEach, { nothingToDo, ...(when !== undefined && { notNow: onlyRefusedTime }) });
  },
};

export const queueWriteOff = decisionWithReason({
  call: 'queue.write_off',
  summary: 'write off an operation',
  about: `Writes off an operation that was refused, has failed, or is being checked. The agent never sends it again.
The reason is saved in its history.`,
});

export const queueKeep = decisionWithReason({
  call: 'queue.keep',
  summary: 'keep an operation that was FOUND at the service',
  about: `Keeps an operation that the service has although the till showed it as not completed (\`queue list --state
found\`). The operation counts as completed.`,
  notNow: onlyFound,
});

export const queueTakeBack = decisionWithReason({
  call: 'queue.take_back',
  summary: 'reverse an operation that was FOUND at the service',
  about: `Reverses an operation that the service has although the till showed it as not completed (\`queue list --state
found\`). The running agent sends the reversal when it is connected. A reward or a coupon cannot be reversed.`,
  notNow: onlyFound,
});

function decisionWithReason(what: {
  readonly call: 'queue.write_off' | 'queue.keep' | 'queue.take_back';
  readonly summary: string;
  readonly about: string;
  readonly notNow?: NotNowWords;
}): TillbridgeCommand {
  return {
    summary: what.summary,
    about: `${what.about}\n\n${ends}`,
    flags: [reasonFlag, personFlag],
    words: ['REF'],
    run(given) {
      const { values, words } = given;
      const [external_ref = ''] = words;
      const text = values.get('reason');
      if (text === undefined) throw new WrongUseError('--reason: is needed; the reason is saved in the history');
      const reason = reasonOf(text);
      const decide = async (office: ReachedOffice) => [
        await office.call(what.call, { external_ref, reason, ...decider(values) }),
      ];
      return decideEach(given, decide, what.notNow === undefined ? {} : { notNow: what.notNow });
    },
  };
}

async function decideEach(
  { dataDir, mode, json }: Given,
  decide: (office: ReachedOffice) => Promise<readonly Decided[]>,
  { nothingToDo = '', notNow = () => '' }: { readonly nothingToDo?: string; readonly notNow?: NotNowWords },
): Promise<number> {
  return withOffice(dataDir, mode, async (office) => {
    const decided = await decide(office);
    const done = decided.filter(({ outcome }) => outcome === 'done').length;
    const words = () =>
      decided.length === 0
        ? `${nothingToDo}\n`
        : decided
            .map((one) => {
              const more = one.outcome === 'not_now' ? notNow(one.operation?.state ?? null) : '';
              return `${decidedWords(one, office.isRunning)}${more}\n`;
            })
            .join('');
    print(json, { done, decided }, words);
    return done === decided.length ? exitCodes.well : exitCodes.problemFound;
  });
}

async function refusedReferences(office: ReachedOffice, code: string | undefined): Promise<readonly string[]> {
  const references: string[] = [];
  // What was changed on the disk after it may have been sent is unknown, and has its code.
  const states: OperationState[] = code === undefined ? ['refused'] : ['refused', 'unknown'];
  for await (const { operations } of partsOf(office, { states })) {
    references.push(
      ...operations
        .filter(({ error }) => (code === undefined ? error?.code !== changedOnDiskCode : error?.code === code))
        .map(({ external_ref }) => external_ref),
    );
  }
  // The oldest goes first, as it did the first time.
  return references.toReversed();
}

async function isChanged(office: ReachedOffice, external_ref: string): Promise<boolean> {
  const { operations } = await office.call('queue.show', { external_ref });
  return operations.some(({ operation }) => operation.error?.code === changedOnDiskCode);
}

function reasonOf(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new WrongUseError('--reason: must not be empty');
}

function decider(values: ReadonlyMap<string, string>): { readonly person: string; readonly by: string } {
  return { person: values.get('person') ?? storeIt(), by: storeIt() };
}

function decidedWords(decided: Decided, isRunning: boolean): string {
  const { external_ref: reference, outcome } = decided;
  if (outcome === 'not_found') return noSuchReference(reference);
  return `${reference}: ${outcomeWords({ ...decided, outcome }, isRunning)}`;
}

type KnownDecided = Decided & { readonly outcome: Exclude<Decided['outcome'], 'not_found'> };

function outcomeWords({ outcome, operation }: KnownDecided, isRunning: boolean): string {
  const state = operation === null ? '' : stateWords.en[operation.state];
  switch (outcome) {
    case 'done':
      return operation?.state === 'queued' && !isRunning ? `${state}. Start the agent.` : state;
    case 'not_now':
      return `not changed: the state is ${state}`;
    case 'books_unread':
      return `not changed: the service may have it. ${isRunning ? 'The service cannot be asked now. Try again later' : 'Start the agent, which asks the service'}`;
    case 'not_saved':
      return 'not changed: the database could not be written';
    case 'invalid':
      return 'not changed: its request cannot be read any more. Write it off, and enter it from the receipt under another reference';
    default:
      return assertNever(outcome);
  }
}
