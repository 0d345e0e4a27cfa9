import { attentionStates, type OperationState, waitingStates } from '../../../shared/machines/operation.ts';
import type { OperationDetail } from '../../../shared/till/activity-views.ts';
import { stateWords } from '../../../shared/till/state-words.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { typed } from '../../machine/installed.ts';
import type { Office, OfficeAnswer } from '../../office/office.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { limitOf } from './limit-flag.ts';
import { print, table } from './print.ts';
import { type Filter, filterFlags, filterOf, noSuchReference, partsOf } from './queue-filter.ts';
import { withOffice } from './reach-office.ts';
import { valueWords } from './value-words.ts';

const defaultLimit = 50;
const mostListed = 1_000;
/** What a text or a day finds beyond the limit is counted one by one, up to here. */
const mostCounted = 5_000;

export const queueList: TillbridgeCommand = {
  summary: 'list what is waiting, or needs attention',
  about: `Lists operations, newest first. Without a filter: operations that need attention, and waiting operations.
FOUND: the service has an operation that the till showed as not completed. Decide with queue keep or queue take-back.
Customers are masked.`,
  flags: [
    ...filterFlags,
    { name: 'limit', value: 'COUNT', help: `the greatest number of operations; default ${defaultLimit}` },
  ],
  words: [],
  async run({ values, dataDir, mode, json }) {
    const limit =
      limitOf(values, { count: mostListed, elsewhere: `${typed('queue export')} gives all of them` }) ?? defaultLimit;
    const given = filterOf(values);
    const filters =
      Object.keys(given).length > 0 ? [given] : [{ found: true }, { states: [...waitingStates, ...attentionStates] }];
    return withOffice(dataDir, mode, async (office) => {
      const { states } = await office.call('counts', {});
      const list = await listed(office, { filters, limit, counts: states });
      print(json, { ...list, counts: states }, () => `${listWords(list.operations)}${moreWords(list)}`);
      return exitCodes.well;
    });
  },
};

export const queueShow: TillbridgeCommand = {
  summary: 'show one operation with its history',
  about: `Shows everything that is known of a reference: values, request, answer and history. Customers are masked.

Exit code 1: there is no such reference.`,
  flags: [],
  words: ['REF'],
  async run({ words: [reference = ''], dataDir, mode, json }) {
    return withOffice(dataDir, mode, async (office) => {
      const { operations } = await office.call('queue.show', { external_ref: reference });
      const words = () =>
        operations.length === 0 ? `${noSuchReference(reference)}\n` : operations.map(detailWords).join('\n');
      print(json, { operations }, words);
      return operations.length === 0 ? exitCodes.problemFound : exitCodes.well;
    });
  },
};

type Counts = OfficeAnswer<'counts'>['states'];

interface Listed {
  readonly operations: readonly OperationView[];
  /** How many there are beyond these. */
  readonly more: number;
  /** False: there are still more than that. */
  readonly is_counted: boolean;
}

/** Of states alone the agent knows the number: all others are counted by reading them. */
async function listed(
  office: Office,
  { filters, limit, counts }: { readonly filters: readonly Filter[]; readonly limit: number; readonly counts: Counts },
): Promise<Listed> {
  // What was found may be among those that wait, too.
  const seen = new Map<string, OperationView>();
  const countedStates = new Set<OperationState>();
  let isCounted = true;
  for (const filter of filters) {
    const { states, ...others } = filter;
    const isOfStates = states !== undefined && Object.keys(others).length === 0;
    if (isOfStates) for (const state of states) countedStates.add(state);
    const enough = isOfStates ? limit : limit + mostCounted;
    for await (const { operations } of partsOf(office, filter, isOfStates ? limit : undefined)) {
      for (const operation of operations) seen.set(operation.operation_id, operation);
      if (seen.size < enough) continue;
      isCounted &&= isOfStates;
      break;
    }
  }
  const unseen = [...countedStates].reduce((sum, state) => sum + counts[state], 0);
  const ofThem = [...seen.values()].filter(({ state }) => countedStates.has(state)).length;
  const operations = [...seen.values()].slice(0, limit);
  return { operations, more: seen.size - operations.length + Math.max(0, unseen - ofThem), is_counted: isCounted };
}

function moreWords({ operations, more, is_counted: isCounted }: Listed): string {
  if (more === 0) return '';
  const total = `${isCounted ? '' : 'more than '}${operations.length + more}`;
  return `${operations.length} of ${total} are shown. Add --limit ${mostListed} for more. Run ${typed('queue export')} for all.\n`;
}

function listWords(operations: readonly OperationView[]): string {
  if (operations.length === 0) return 'Nothing to show.\n';
  const rows = operations.map((operation) => [
    operation.external_ref,
    operation.intent,
    stateWords.en[operation.state],
    operation.found === null ? (operation.error?.code ?? operation.cause ?? '') : 'FOUND',
    valueWords(operation),
    operation.identifier_hint ?? '',
    operation.occurred_at,
  ]);
  return table([['REFERENCE', 'WHAT', 'STATE', 'WHY', 'VALUE', 'CUSTOMER', 'WHEN'], ...rows]);
}

const foundWords: Readonly<Record<NonNullable<OperationView['found']>, string>> = {
  stands: 'the service has this operation after all: `queue keep` keeps it, `queue take-back` reverses it',
  earlier_version:
    'the service has this operation without the correction: `queue keep` keeps it, `queue take-back` reverses it',
};

/** Why there is no request to show. */
function missingRequest({ is_readable }: OperationDetail['request']): string {
  return is_readable ? 'erased' : 'cannot be read: the file was changed';
}

function detailWords({ operation, request, answer, history }: OperationDetail): string {
  const facts = [
    ['Reference', operation.external_ref],
    ['What', `${operation.intent} ${valueWords(operation)}`.trim()],
    ['State', `${stateWords.en[operation.state]} (${operation.state})`],
    [
      'Customer',
      operation.identifier_hint ?? (request.body === null ? missingRequest(request) : 'the request names none'),
    ],
    ['When', `${operation.occurred_at} (${request.occurred_at_from}'s time; business day ${request.business_date})`],
    ['From', request.origin === 'till' ? 'the screen' : `POS program ${request.pos_name ?? ''}`.trim()],
    ['Local id', operation.transaction_id],
    ['Service id', operation.service_transaction_id ?? 'none yet'],
    ...(operation.error === null ? [] : [['Reason', `${operation.error.code}: ${operation.error.message}`]]),
    ...(operation.found === null ? [] : [['Decide', foundWords[operation.found]]]),
    [
      'Request',
      `POST ${request.path} ${request.body === null ? `(${missingRequest(request)})` : JSON.stringify(request.body)}`,
    ],
    ...(answer === null ? [] : [['Answer', JSON.stringify(answer)]]),
  ];
  const steps = history.map((entry) => [
    `  ${entry.at}`,
    entry.from === null ? stateWords.en[entry.to] : `${stateWords.en[entry.from]} > ${stateWords.en[entry.to]}`,
    [
      entry.cause,
      entry.http_status === null ? null : `HTTP ${entry.http_status}`,
      entry.code,
      entry.request_id,
      entry.person === null ? null : `by ${entry.person}`,
      entry.reason,
    ]
      .filter((part) => part !== null)
      .join(', '),
  ]);
  return `${table(facts)}History\n${table(steps)}`;
}
