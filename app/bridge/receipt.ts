import { z } from 'zod';
import type { Endpoint } from '../../shared/contract/endpoints.ts';
import { text } from '../../shared/contract/primitives.ts';
import type { Balances } from '../../shared/contract/profile.ts';
import type { Route } from '../../shared/contract/router.ts';
import { formatMoney } from '../../shared/money.ts';
import { type Locale, locales, localeTable } from '../../shared/till/locales.ts';
import type { AgentCore } from '../core/agent-core.ts';
import { knownValues } from '../operations/known-values.ts';
import type { Operation } from '../store/operation.ts';
import { type Failure, jsonAnswer, type Reply } from './answers.ts';
import { type BridgeHandler, type EndpointCall, endpointRoute } from './endpoint-route.ts';
import { sees } from './reach.ts';
import { receiptWords } from './receipt-words.ts';
import { intentOfOperation, statusOf } from './transaction-view.ts';

const nothing = z.object({});

const receiptCall = {
  method: 'GET',
  path: '/agent/receipt',
  summary: 'The lines of a sale for the customer’s receipt',
  kind: 'read',
  idempotencyKey: false,
  bodyRule: 'none',
  params: nothing,
  query: z.strictObject({ external_ref: text, locale: z.enum(locales).optional() }),
  body: nothing,
  answers: { 200: z.object({}) },
  errors: { 404: ['VALIDATION_ERROR'], 409: ['VALIDATION_ERROR'] },
} as const satisfies Endpoint;

/** `GET /v1/agent/receipt?external_ref=`: a POS program prints the lines on its own receipt. */
export function receiptRoute(core: AgentCore): Route<BridgeHandler> {
  return endpointRoute(core, receiptCall, (call) => answerReceipt(core, call));
}

function answerReceipt(core: AgentCore, { query, caller }: EndpointCall<typeof receiptCall>): Reply {
  const operation = core
    .operationsByReference(query.external_ref)
    .findLast((one) => sees(core, caller, one) && ['earn', 'redeem'].includes(intentOfOperation[one.intent] ?? ''));
  if (operation === undefined) return unknownReference;
  if (statusOf(operation) === 'failed') return notDone;
  const { locale = core.settings.locale } = query;
  const reference = operation.externalRef.slice(caller.referencePrefix.length);
  const timeZone = core.settings.time_zone;
  return jsonAnswer(200, { receipt: { locale, lines: receiptLines(operation, { locale, reference, timeZone }) } });
}

interface Told {
  readonly locale: Locale;
  /** As the program knows it. */
  readonly reference: string;
  readonly timeZone: string;
}

/** What happened, the balance, the card and the reference; nothing by which somebody else knows the customer. */
function receiptLines(operation: Operation, { locale, reference, timeZone }: Told): readonly string[] {
  const words = receiptWords[locale];
  const { tag } = localeTable[locale];
  const status = statusOf(operation);
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
  const written = (balances: readonly Counted[]) =>
    balances.map(({ unit, value, currency }) =>
      unit === 'money' ? formatMoney(value, currency ?? '', tag) : words.units[unit](value, number.format(value)),
    );
  const [counted] = valuesOf(operation);
  const [value = words.reward] = operation.givenName === null ? written(valuesOf(operation)) : [operation.givenName];
  const happened = (): readonly string[] => {
    if (status === 'reversed') return [words.takenBack(value)];
    if (intentOfOperation[operation.intent] === 'earn') {
      return status === 'success' ? [words.added(value)] : [value, words.follows[counted?.unit ?? 'money']];
    }
    const spent = counted === undefined ? words.given(value) : words.spent(value);
    return status === 'success' ? [spent] : [spent, words.notConfirmed];
  };
  const balances = status === 'success' ? written(balancesOf(operation.newBalances)) : [];
  const time = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone } as const;
  const card = cardEnd(operation);
  return [
    ...happened(),
    ...balances.map((balance) => words.now(balance)),
    ...(card === null ? [] : [`${words.card} ${apart(card)}`]),
    `${words.receipt} ${apart(reference)}`,
    new Intl.DateTimeFormat(tag, time).format(operation.occurredAtMs),
  ];
}

interface Counted {
  readonly unit: 'money' | 'points' | 'stamps' | 'visits';
  readonly value: number;
  readonly currency: string | null;
}

function valuesOf(operation: Operation): readonly Counted[] {
  const { amountMinor, currency, points, stamps, visits } = knownValues(operation);
  return countedOf({ money: amountMinor, points, stamps, visits }, currency);
}

function balancesOf(balances: Balances | null): readonly Counted[] {
  if (balances === null) return [];
  const { cashback_minor: money, points, stamps, visits, currency } = balances;
  return countedOf({ money, points, stamps, visits }, currency);
}

function countedOf(
  values: Readonly<Record<Counted['unit'], number | null>>,
  currency: string | null,
): readonly Counted[] {
  return (['money', 'points', 'stamps', 'visits'] as const).flatMap((unit) => {
    const value = values[unit];
    return value === null ? [] : [{ unit, value, currency }];
  });
}

/** The last four characters of a card or a phone, where there are enough others. */
function cardEnd({ identifier }: Operation): string | null {
  if (identifier === null || (identifier.kind !== 'loyalty_id' && identifier.kind !== 'phone')) return null;
  const { value } = identifier;
  return value.length < 8 ? null : `•••• ${value.slice(-4)}`;
}

/** What is printed on something keeps its order between words of the other script. */
function apart(printed: string): string {
  return `\u2066${printed}\u2069`;
}

const unknownReference: Failure = {
  status: 404,
  code: 'VALIDATION_ERROR',
  message: 'This agent has no sale of that external_ref.',
  details: ['transaction_not_found'],
};

const notDone: Failure = {
  status: 409,
  code: 'VALIDATION_ERROR',
  message: 'The sale of that external_ref was not done: it has no receipt.',
  details: ['not_done'],
};
