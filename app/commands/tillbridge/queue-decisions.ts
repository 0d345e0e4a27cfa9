import { userInfo } from 'node:os';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { Decided } from '../../office/calls.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FlagSpec } from '../flags.ts';
import type { Given, TillbridgeCommand } from './command.ts';
import { print } from './print.ts';
import { noSuchReference, partsOf } from './queue-filter.ts';
import { type ReachedOffice, reachOffice, WrongUseError } from './reach-office.ts';

const reasonFlag: FlagSpec = { name: 'reason', value: 'TEXT', help: 'why; stands in the history' };
const personFlag: FlagSpec = { name: 'person', value: 'NAME', help: 'who decides; default: the user of this machine' };
const ends = `Exit code 1: it could not be done for at least one, and the line says why.`;

export const queueResend: TillbridgeCommand = {
  summary: 'send a refused one again as it is',
  about: `Sends a refused operation again, unchanged, once what was wrong has been mended at the service. REF is its
reference, or \`all\` for everything that was refused. It goes out when the agent runs and the line is good.

${ends}`,
  flags: [
    { name: 'code', value: 'CODE', help: 'with all: only what was refused with this code' },
    { ...reasonFlag, help: `${reasonFlag.help}; default: resent by store IT` },
    personFlag,
  ],
  words: ['REF'],
  async run(given) {
    const { values, words } = given;
    const [reference = ''] = words;
    const code = values.get('code');
    if (code !== undefined && reference !== 'all') throw new WrongUseError('--code: goes with `queue resend all`');
    const reason = reasonOf(values.get('reason') ?? 'Resent by store IT');
    return decideEach(given, async (office) => {
      const references = reference === 'all' ? await refusedReferences(office, code) : [reference];
      const decided: Decided[] = [];
      for (const external_ref of references) {
        decided.push(await office.call('queue.resend', { external_ref, reason, person: personOf(values) }));
      }
      return decided;
    });
  },
};

export const queueWriteOff = decisionWithReason({
  call: 'queue.write_off',
  summary: 'give one up, with a reason',
  about: `Gives an operation up that was refused or failed, or whose outcome is not known: it will never be sent again.
The reason stands in its history.`,
});

export const queueKeep = decisionWithReason({
  call: 'queue.keep',
  summary: 'leave one as it stands at the service',
  about: `Leaves an operation as it is that was found at the service after the till had said otherwise (\`queue list --state
found\`): it counts as applied.`,
});

export const queueTakeBack = decisionWithReason({
  call: 'queue.take_back',
  summary: 'reverse one that stands at the service',
  about: `Reverses an operation that was found at the service after the till had said otherwise (\`queue list --state
found\`). The reversal goes out when the agent runs and the line is good. A claimed reward or a redeemed coupon cannot be
taken back.`,
});

function decisionWithReason(what: {
  readonly call: 'queue.write_off' | 'queue.keep' | 'queue.take_back';
  readonly summary: string;
  readonly about: string;
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
      if (text === undefined) throw new WrongUseError('--reason: is needed; it stands in the history');
      const reason = reasonOf(text);
      return decideEach(given, async (office) => [
        await office.call(what.call, { external_ref, reason, person: personOf(values) }),
      ]);
    },
  };
}

async function decideEach(
  { dataDir, json }: Given,
  decide: (office: ReachedOffice) => Promise<readonly Decided[]>,
): Promise<number> {
  const office = await reachOffice(dataDir);
  try {
    const decided = await decide(office);
    const done = decided.filter(({ outcome }) => outcome === 'done').length;
    const words = () =>
      decided.length === 0
        ? 'Nothing was refused.\n'
        : decided.map((one) => `${decidedWords(one, office.isRunning)}\n`).join('');
    print(json, { done, decided }, words);
    return done === decided.length ? exitCodes.well : exitCodes.problemFound;
  } finally {
    office.close();
  }
}

async function refusedReferences(office: ReachedOffice, code: string | undefined): Promise<readonly string[]> {
  const references: string[] = [];
  // What was changed on the disk after it may have been sent is unknown, and has its code.
  for await (const part of partsOf(office, { states: code === undefined ? ['refused'] : ['refused', 'unknown'] })) {
    references.push(
      ...part.filter(({ error }) => code === undefined || error?.code === code).map(({ external_ref }) => external_ref),
    );
  }
  // The oldest goes first, as it did the first time.
  return references.toReversed();
}

function reasonOf(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new WrongUseError('--reason: must not be empty');
}

function personOf(values: ReadonlyMap<string, string>): string {
  return values.get('person') ?? `store IT (${userInfo().username})`;
}

function decidedWords(decided: Decided, isRunning: boolean): string {
  const { external_ref: reference, outcome } = decided;
  if (outcome === 'not_found') return noSuchReference(reference);
  return `${reference}: ${outcomeWords({ ...decided, outcome }, isRunning)}`;
}

type KnownDecided = Decided & { readonly outcome: Exclude<Decided['outcome'], 'not_found'> };

function outcomeWords({ outcome, operation }: KnownDecided, isRunning: boolean): string {
  const state = operation?.state ?? '';
  switch (outcome) {
    case 'done':
      return state === 'queued' && !isRunning ? 'queued; it goes out when the agent runs' : state;
    case 'not_now':
      return `is ${state}; that cannot be done with it now`;
    case 'books_unread':
      return `the service may hold it, and ${isRunning ? 'cannot be asked now' : 'only a running agent can ask it'}`;
    case 'not_saved':
      return 'the database did not take it; nothing was changed';
    case 'invalid':
      return 'it is not in the shape of the specification';
    default:
      return assertNever(outcome);
  }
}
