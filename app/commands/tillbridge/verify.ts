import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { Difference } from '../../../shared/till/verify-names.ts';
import { typed } from '../../machine/installed.ts';
import type { OfficeAnswer } from '../../office/office.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { momentOf } from './moment-flag.ts';
import { OutOfReachError } from './out-of-reach.ts';
import { print, table } from './print.ts';
import { type ReachedOffice, withOffice } from './reach-office.ts';
import { valueWords } from './value-words.ts';
import { WrongUseError } from './wrong-use.ts';

type Part = Extract<OfficeAnswer<'verify'>, { kind: 'part' }>;

export const verifyCommand: TillbridgeCommand = {
  summary: 'compare the till with the service',
  about: `Compares the completed and reversed operations of this till with the service, and lists the differences. Use it after
the service was restored from a backup.
--since and --until take an instant (2026-11-20T05:00:00Z) or a time before now (90m, 12h, 2d).

--resend sends missing earns, redemptions and reversals again, unchanged: the service records none of them twice.
Run the command again to see the outcome. The agent must run.

What was sent with another API key, and is not shown under the present one, is counted as not compared, and never sent
again: the key may be another store's. The last lines say how many, why, and what to do.

Exit codes: 0 no differences, 1 there are differences, 2 wrong use, 3 the agent or the service is out of reach, or there
are no differences, and operations of another API key could not be compared.`,
  flags: [
    { name: 'since', value: 'WHEN', help: 'the beginning; needed' },
    { name: 'until', value: 'WHEN', help: 'the end; default: now' },
    { name: 'resend', value: null, help: 'send missing operations again' },
  ],
  words: [],
  async run({ values, switches, dataDir, mode, json }) {
    const nowMs = Date.now();
    const given = values.get('since');
    if (given === undefined) throw new WrongUseError('--since: is needed, such as --since 2d');
    const sinceMs = momentOf('since', given, nowMs);
    const untilMs = momentOf('until', values.get('until') ?? '0m', nowMs);
    // Nothing is compared there, which would look as if nothing differed.
    if (sinceMs >= untilMs) throw new WrongUseError('--since: must be earlier than --until, which is now unless given');
    const since = new Date(sinceMs).toISOString();
    const until = new Date(untilMs).toISOString();
    return withOffice(dataDir, mode, async (office) => {
      if (!office.isRunning) {
        throw new OutOfReachError('The agent does not run. Start the agent, which asks the service.');
      }
      const found = await compareAll(office, { since, until, resend: switches.has('resend') });
      print(json, { since, until, ...found }, () => inWords(found));
      return exitCodeOf(found);
    });
  },
};

type Found = Pick<Part, 'checked' | 'erased' | 'of_another_key' | 'differences'>;

/** What nobody could look at is no clean result. What was erased as agreed counts for neither. */
function exitCodeOf({ of_another_key, differences }: Found): number {
  if (differences.length > 0) return exitCodes.problemFound;
  return of_another_key > 0 ? exitCodes.outOfReach : exitCodes.well;
}

async function compareAll(
  office: ReachedOffice,
  range: { readonly since: string; readonly until: string; readonly resend: boolean },
): Promise<Found> {
  let checked = 0;
  let erased = 0;
  let ofAnotherKey = 0;
  const differences: Part['differences'] = [];
  for (let after: number | null = 0; after !== null; ) {
    const part: OfficeAnswer<'verify'> = await office.call('verify', { ...range, after_row: after });
    if (part.kind === 'out_of_reach') throw new OutOfReachError('The service cannot be asked now. Try again later.');
    checked += part.checked;
    erased += part.erased;
    ofAnotherKey += part.of_another_key;
    differences.push(...part.differences);
    after = part.after_row;
  }
  return { checked, erased, of_another_key: ofAnotherKey, differences };
}

const says: Readonly<Record<Difference, string>> = {
  missing: 'missing there',
  stands_again: 'not reversed there, reversed here',
  reversed_there: 'reversed there',
  failed_there: 'failed there',
  anothers: 'another request there',
};

function inWords({ checked, erased, of_another_key, differences }: Found): string {
  const rows = differences.map(({ operation, difference, resent }) => [
    operation.external_ref,
    operation.intent,
    valueWords(operation),
    says[difference],
    resent ? 'sent again' : nextStep(operation.intent, difference),
  ]);
  const list = rows.length === 0 ? '' : table([['REFERENCE', 'WHAT', 'VALUE', 'AT THE SERVICE', 'NEXT'], ...rows]);
  const left = erased + of_another_key;
  return [
    `${list}${checked} compared, ${differences.length} differ${left === 0 ? '' : `, ${left} not compared`}`,
    ...(erased === 0 ? [] : [`${erased} could not be compared: erased after the retention time. Nothing can be done.`]),
    ...(of_another_key === 0 ? [] : [otherKeyLine(of_another_key)]),
    '',
  ].join('\n');
}

function otherKeyLine(count: number): string {
  return `${count} could not be compared: sent with another API key, and not shown under the present one. Run verify again with that key; where it is gone for good, have the loyalty provider look for the sales of ${typed('queue export')}.`;
}

function nextStep(intent: OperationIntent, difference: Difference): string {
  switch (difference) {
    case 'missing':
      return intent === 'commit'
        ? 'its reservation has ended: redeem the same value for the customer, or do nothing'
        : '--resend sends it again';
    case 'stands_again':
      return "--resend sends its reversal again; another till's reversal has to be repeated there";
    case 'reversed_there':
      return 'reversed at the service or at another till; ask before you enter it again';
    case 'failed_there':
      return 'enter it again under another reference';
    case 'anothers':
      return 'enter it again under another reference: this one belongs to another request';
  }
}
