import { z } from 'zod';
import { defaultCurrency } from '../../../shared/contract/default-currency.ts';
import { keptIdentifierSchema } from '../../../shared/contract/identifier.ts';
import { type ValueField, valueFields } from '../../../shared/contract/value-fields.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { minuteMs } from '../../../shared/lib/durations.ts';
import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';
import { greatestSkewMs } from '../../../shared/till/limits.ts';
import { callOfPath } from '../../line/call-of-path.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { OperationValues } from '../../store/schema/operation.ts';
import type { KeptRequest } from '../../store/tables/row-store.ts';
import type { BusinessCalendar } from './business-date.ts';
import { isUnreadable, parsedBody } from './row-request.ts';
import { asDialled, isSamePhone } from './same-phone.ts';

/** How a request differs from the one that has its reference; no field: it is the same one again. */
export interface Differences {
  /**
   * Fields of the specification, parameters of its paths, or `business_date` where the day alone tells. Where nothing can
   * be compared: `erased`, or `unreadable` after somebody has edited the file.
   */
  readonly differingFields: readonly string[];
  /** The first one's business day, such as 2026-11-20; null when the time makes no difference. */
  readonly firstBusinessDate: string | null;
}

/**
 * What is asked for, or recorded, at times that differ by more is two sales, though customer, value and reference are the
 * same (design "References").
 */
export const sameSaleMs = 5 * minuteMs;
/** A retry so soon is the same sale, also across the start of a business day. */
export const soonAgainMs = 10 * minuteMs;

/**
 * Whether a request is the one that has its reference already: the one place that decides it (design "References").
 *
 * @param isAskedFor the caller was told to send the first one again: with the same values it is that one, on any day
 */
export function differencesOf(
  kept: KeptRequest,
  asked: NewOperation,
  calendar: BusinessCalendar,
  { isAskedFor = false }: { readonly isAskedFor?: boolean } = {},
): Differences {
  if (kept.intent !== asked.intent) return { differingFields: ['intent'], firstBusinessDate: null };
  // However it was asked for, the same operation is to be taken back.
  if (kept.reversesRowId !== null && kept.reversesRowId === asked.reversesRowId) return same;
  const missing = kept.body === null ? 'erased' : isUnreadable(kept.body) ? 'unreadable' : null;
  const requestFields =
    missing === null
      ? fieldsOf(kept, asked)
      : [missing, ...valueFields.filter((field) => kept[columnOf[field]] !== asked[columnOf[field]])];
  const isResent = kept.operationId === asked.operationId || (isAskedFor && requestFields.length === 0);
  const isSameTime = isResent || !isTimed(asked.intent) || isAtTheSameTime();
  return {
    differingFields: isSameTime ? requestFields : [...requestFields, timeField(asked.intent)],
    firstBusinessDate: isSameTime ? null : calendar.dateOf(kept.occurredAtMs),
  };

  function isAtTheSameTime(): boolean {
    if (asked.occurredAtFrom === 'caller') {
      const firsts = kept.occurredAtFrom === 'caller' ? [kept.occurredAtMs] : [kept.occurredAtMs, kept.tillTimeMs];
      return firsts.some((first) => Math.abs(asked.occurredAtMs - first) <= sameSaleMs);
    }
    // A clock that was set back hides what has passed since; monotonic time tells at least that much. One that was set
    // ahead looks like a night in which the machine slept: then it counts as another day, which loses no sale.
    const askedMs = hasOwnTime() ? asked.tillTimeMs : asked.occurredAtMs;
    const sinceByClockMs = isByService() ? askedMs - kept.occurredAtMs : asked.tillTimeMs - kept.tillTimeMs;
    const sinceAtLeastMs = kept.isOfThisRun ? asked.monotonicMs - kept.monotonicMs : 0;
    const wasSetBack = kept.isOfThisRun && sinceAtLeastMs > sinceByClockMs;
    if ((wasSetBack ? sinceAtLeastMs : Math.abs(sinceByClockMs)) <= soonAgainMs) return true;
    const isStampedHere = kept.occurredAtFrom === 'till';
    const firstMs = wasSetBack && isStampedHere ? askedMs - sinceAtLeastMs : kept.occurredAtMs;
    return calendar.dateOf(firstMs) === calendar.dateOf(askedMs);
  }

  /** The service's dates were far off, and it took the till's own time: by that one the next request is told, too. */
  function hasOwnTime(): boolean {
    const areDatesFar = kept.clockSkewMs !== null && Math.abs(kept.clockSkewMs) > greatestSkewMs;
    return kept.occurredAtFrom === 'till' && areDatesFar && kept.occurredAtMs === kept.tillTimeMs;
  }

  /** A clock may begin at the same time with each start: then the service's tells, where it was known both times. */
  function isByService(): boolean {
    const isKnown = kept.clockSkewMs !== null && asked.clockSkewMs !== null;
    return !kept.isOfThisRun && kept.occurredAtFrom === 'till' && isKnown;
  }
}

/** A redemption and a commit name no time of their own. */
function timeField(intent: OperationIntent): string {
  return intent === 'earn' ? 'occurred_at' : 'business_date';
}

/**
 * Whether the same request says otherwise who sold it, where, when and why, as its caller wrote that: so one that was
 * refused for it is corrected. One that comes as it was before a person corrected it says the same.
 */
export function isToldOtherwise(kept: KeptRequest, asked: NewOperation): boolean {
  const told = asideIn(asked.body, asked);
  return [kept.body ?? '', ...kept.bodiesBefore].every((body) => asideIn(body, kept) !== told);
}

/** What is asked for; the body is null once it was erased after the retention time. */
interface Asked {
  readonly path: string;
  readonly body: string | null;
}

/**
 * Whether two requests of one row ask for the same: whoever sold it then, and with whichever note, it is one request that
 * came twice.
 */
export function asksForTheSame(one: Asked, other: Asked, intent: OperationIntent): boolean {
  if (one.path !== other.path) return false;
  if (one.body === null || other.body === null) return one.body === other.body;
  return differingValues(one.body, other.body, intent).length === 0;
}

export const same: Differences = { differingFields: [], firstBusinessDate: null };

/**
 * Numbers of receipts and orders start again every morning; what else has a reference is told apart by its path or its
 * original. A commit names its reservation, but a cart's number that comes back is answered with yesterday's one.
 */
function isTimed(intent: OperationIntent): boolean {
  switch (intent) {
    case 'earn':
    case 'redeem':
    case 'commit':
      return true;
    case 'reverse':
    case 'enroll':
    case 'verify':
    case 'reserve':
    case 'release':
      return false;
    default:
      return assertNever(intent);
  }
}

/** Where a row has the values that a caller knows by these names. */
const columnOf = {
  amount_minor: 'amountMinor',
  points: 'points',
  stamps: 'stamps',
  visits: 'visits',
} as const satisfies Record<ValueField, keyof OperationValues>;

/** Fields that say who sold, where and why: none of them makes another request. The time is compared by itself. */
const asideFields: ReadonlySet<string> = new Set([
  'branch_ref',
  'device_ref',
  'employee_ref',
  'channel',
  'metadata',
  'reason',
  'occurred_at',
]);

/** In the order in which they are told; others follow. */
const toldFirst = ['identifier', 'card_id', 'amount_minor', 'currency', 'points', 'stamps', 'visits'];

function fieldsOf(kept: KeptRequest, asked: NewOperation): readonly string[] {
  const differing = fieldsNow(kept, asked);
  // A person may have corrected it: asked for again as it was, it is still the same one.
  const isAsItWas = (body: string) => fieldsNow({ ...kept, body }, asked).length === 0;
  return differing.length > 0 && kept.bodiesBefore.some(isAsItWas) ? [] : differing;
}

function fieldsNow(kept: KeptRequest, asked: NewOperation): readonly string[] {
  const differing = differingValues(kept.body ?? '', asked.body, asked.intent);
  // A person may have corrected whose sale it is: asked for again as it was, it is still the same one.
  const isCorrected = kept.identifierValue !== null && isCustomerOf(asked.body, kept);
  return [
    ...differingParameters(kept.path, asked.path),
    ...(isCorrected ? differing.filter((field) => field !== 'identifier') : differing),
  ];
}

function differingValues(bodyBefore: string, bodyNow: string, intent: OperationIntent): readonly string[] {
  const [before, now] = [valuesIn(bodyBefore, intent), valuesIn(bodyNow, intent)];
  const others = [...new Set([...before.keys(), ...now.keys()])].filter((field) => !toldFirst.includes(field)).sort();
  return [...toldFirst, ...others].filter(
    (field) => before.get(field) !== now.get(field) && !(field === 'phone' && isPhoneAlike(before, now)),
  );
}

function isPhoneAlike(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  const [one, other] = [before.get('phone'), now.get('phone')];
  return one !== undefined && other !== undefined && isSamePhone(one, other);
}

function isCustomerOf(body: string, kept: KeptRequest): boolean {
  const named = namesCustomer.safeParse(parsedBody(body));
  return (
    named.success && kept.identifierKind !== null && named.data.identifier[kept.identifierKind] === kept.identifierValue
  );
}

const namesCustomer = z.lazy(() => z.object({ identifier: keptIdentifierSchema }));
const bodySchema = z.lazy(() => z.record(z.string(), z.unknown()));

/** What counts of a frozen body, each field as text that is equal when its value is. */
function valuesIn(body: string, intent: OperationIntent): ReadonlyMap<string, string> {
  const fields = bodySchema.parse(parsedBody(body) ?? {});
  // A reference of its own is what it was found by, under whichever prefix; a reversal names its original's.
  const isCounted = (field: string) =>
    !asideFields.has(field) && (intent === 'reverse' ? field !== 'reversal_ref' : field !== 'external_ref');
  const counted = new Map(
    Object.entries(fields)
      .filter(([field, value]) => isCounted(field) && value !== null)
      .map(([field, value]): [string, string] => [field, canonical(field === 'identifier' ? asNamed(value) : value)]),
  );
  // Beside anything but an amount a currency says nothing (spec "POST /transactions/earn").
  if (!counted.has('amount_minor')) counted.delete('currency');
  else if (!counted.has('currency')) counted.set('currency', canonical(defaultCurrency));
  return counted;
}

/** What does not count of a frozen body, as text that is equal when it says the same. A time of the till's own says nothing. */
function asideIn(body: string, { occurredAtFrom }: Pick<NewOperation, 'occurredAtFrom'>): string {
  const told = Object.entries(bodySchema.parse(parsedBody(body) ?? {})).flatMap(
    ([field, value]): [string, unknown][] => {
      if (!asideFields.has(field) || value === null) return [];
      if (field !== 'occurred_at' || typeof value !== 'string') return [[field, value]];
      return occurredAtFrom === 'caller' ? [[field, Date.parse(value)]] : [];
    },
  );
  return canonical(Object.fromEntries(told));
}

const written = z.lazy(() => z.looseObject({ phone: z.string().optional(), email: z.string().optional() }));

/** One customer, in whichever form the phone and in whichever letters the e-mail was written (spec "Identifier"). */
function asNamed(identifier: unknown): unknown {
  const named = written.safeParse(identifier);
  if (!named.success) return identifier;
  const { phone, email, ...others } = named.data;
  return {
    ...others,
    ...(phone === undefined ? {} : { phone: asDialled(phone) }),
    ...(email === undefined ? {} : { email: email.toLowerCase() }),
  };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}

/** `reservation_id`, when another one is to be committed; `path`, when it is another call. */
function differingParameters(before: string, now: string): readonly string[] {
  if (before === now) return [];
  const [ours, theirs] = [callOfPath(before), callOfPath(now)];
  if (ours.name !== theirs.name) return ['path'];
  return Object.keys(ours.params).filter((name) => ours.params[name] !== theirs.params[name]);
}
