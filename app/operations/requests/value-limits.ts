import type { Clock } from '../../../shared/lib/clock.ts';
import { foldDigits } from '../../../shared/lib/digits.ts';
import { minuteMs } from '../../../shared/lib/durations.ts';
import type { LimitName as ValueLimitName } from '../../../shared/till/limits.ts';
import type { AuditEvent } from '../../audit/audit-events.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import { type NotSaved, notSaved } from './not-saved.ts';
import { isSamePhone } from './same-phone.ts';
import type { NonEarnWrite } from './write.ts';

/** What a write takes or gives, by unit: null for a unit that the write does not have. */
interface LimitedValues {
  readonly amountMinor: number | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
  /** A reward or a coupon, which has no value of its own. */
  readonly rewards: number | null;
}

export const nothingTaken: LimitedValues = {
  amountMinor: null,
  points: null,
  stamps: null,
  visits: null,
  rewards: null,
};

type LimitedUnit = keyof LimitedValues;

/** The units, each with the request's field and the settings that limit it: in one sale, and in one hour. */
const units = [
  { unit: 'amountMinor', field: 'amount_minor', perSale: 'max_amount_minor', perHour: 'max_amount_per_hour_minor' },
  { unit: 'points', field: 'points', perSale: 'max_points', perHour: 'max_points_per_hour' },
  { unit: 'stamps', field: 'stamps', perSale: 'max_stamps', perHour: 'max_stamps_per_hour' },
  { unit: 'visits', field: 'visits', perSale: 'max_visits', perHour: 'max_visits_per_hour' },
  { unit: 'rewards', field: 'reward', perSale: null, perHour: 'max_rewards_per_hour' },
] as const;

type LimitName = ValueLimitName | 'max_enrollments_per_phone_per_hour';
/** The settings `limits.*` that a manager alone may pass. */
type ValueLimits = Readonly<Record<LimitName, number>>;

/** The limit that a write would pass. */
export interface AboveLimit {
  readonly name: LimitName;
  readonly value: number;
  /** The field of the request that is above the limit. */
  readonly field: (typeof units)[number]['field'] | 'coupon_code' | 'phone';
}

/** Names the request's own field in a limit: a request that uses up a coupon has a code and no reward. */
export function namedIn({ givenKind }: Pick<NewOperation, 'givenKind'>, above: AboveLimit): AboveLimit {
  return above.field === 'reward' && givenKind === 'coupon' ? { ...above, field: 'coupon_code' } : above;
}

/** The values of a request that limits bound. A coupon and a reward count as one each. */
export function limitedValues(request: {
  readonly amountMinor: number | null;
  readonly points: number | null;
  readonly stamps: number | null;
  readonly visits: number | null;
  readonly isOneShot: boolean;
}): LimitedValues {
  const { isOneShot, amountMinor, points, stamps, visits } = request;
  return { amountMinor, points, stamps, visits, rewards: isOneShot ? 1 : null };
}

/** By how much a correction raises what was counted with the sale; what it lowers gives nothing back. */
export function raisedBy(corrected: LimitedValues, before: Omit<LimitedValues, 'rewards'>): LimitedValues {
  const raised = (unit: keyof typeof before) =>
    corrected[unit] === null ? null : Math.max(0, corrected[unit] - (before[unit] ?? 0));
  return {
    amountMinor: raised('amountMinor'),
    points: raised('points'),
    stamps: raised('stamps'),
    visits: raised('visits'),
    rewards: null,
  };
}

/** What a write spends. A commit spends what was counted when it was held, and a reversal gives back: both take nothing. */
export function valuesTaken(row: NewOperation): LimitedValues {
  if (row.intent !== 'redeem' && row.intent !== 'reserve') return nothingTaken;
  const { amountMinor, points, stamps, visits } = row;
  const isValued = [amountMinor, points, stamps, visits].some((value) => value !== null);
  return limitedValues({ ...row, isOneShot: row.intent === 'redeem' && !isValued });
}

/** What to give back of a refused write. A reward or a coupon still counts, so that nobody guesses codes without end. */
export function spentNothing(values: LimitedValues): LimitedValues {
  return { ...values, rewards: null };
}

/** @returns the first limit of a single sale that is passed; null when none is */
function aboveSaleLimit(values: LimitedValues, limits: ValueLimits): AboveLimit | null {
  for (const { unit, field, perSale } of units) {
    if (perSale !== null && (values[unit] ?? 0) > limits[perSale])
      return { name: perSale, value: limits[perSale], field };
  }
  return null;
}

const minutesOfHour = 60;

/** What was taken in the last hour, minute by minute; by a clock that nobody can set. */
export class HourTotals {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #minutes: { readonly minute: number; readonly totals: Record<LimitedUnit, number> }[] = [];
  /** Reads what was taken before this start; null once that was read. */
  #before: (() => LimitedValues) | null;

  /**
   * @param before what was taken in the hour before this start: a restart gives nothing back. Read with the first use,
   *   which comes before anything of this run is saved: a start would wait for it as long as the hour was busy
   */
  constructor(clock: Pick<Clock, 'monotonicMs'>, before: () => LimitedValues) {
    this.#clock = clock;
    this.#before = before;
  }

  /** Reads now what was taken before this start, so that the first sale need not wait for it. Counts nothing new. */
  readBefore(): void {
    if (this.#before === null) return;
    const before = this.#before();
    // Set only after the read: what could not be read is asked for again with the next sale.
    this.#before = null;
    this.#addNow(before);
  }

  add(values: LimitedValues): void {
    this.readBefore();
    this.#addNow(values);
  }

  #addNow(values: LimitedValues): void {
    const minute = Math.floor(this.#clock.monotonicMs() / minuteMs);
    const last = this.#minutes.at(-1);
    const totals =
      last?.minute === minute ? last.totals : { amountMinor: 0, points: 0, stamps: 0, visits: 0, rewards: 0 };
    if (last?.minute !== minute) this.#minutes.push({ minute, totals });
    for (const { unit } of units) totals[unit] += values[unit] ?? 0;
  }

  /** @returns the first limit of an hour that would be passed with these; null when none would */
  above(values: LimitedValues, limits: ValueLimits): AboveLimit | null {
    this.readBefore();
    const oldest = Math.floor(this.#clock.monotonicMs() / minuteMs) - minutesOfHour;
    this.#minutes = this.#minutes.filter(({ minute }) => minute > oldest);
    for (const { unit, field, perHour } of units) {
      const value = values[unit] ?? 0;
      if (value === 0) continue;
      const taken = this.#minutes.reduce((sum, { totals }) => sum + totals[unit], 0);
      if (taken + value > limits[perHour]) return { name: perHour, value: limits[perHour], field };
    }
    return null;
  }
}

/** A limit that a write passes, and the name of the manager who lets it. */
export interface PassedLimit {
  readonly limit: AboveLimit;
  readonly by: string;
}

/** What the limits say of a write before it is saved. */
type Admission =
  /** The values are counted. `passed`: the limit that they pass with a manager's approval, if they pass one. */
  | { readonly kind: 'admitted'; readonly passed: PassedLimit | null }
  /** The values pass a limit, and nobody has approved them: they are not counted. */
  | { readonly kind: 'above_limit'; readonly limit: AboveLimit }
  /** What the last hour took cannot be read: nobody knows whether a limit is passed, so that nothing goes on. */
  | NotSaved;

/** Holds what is taken at all doors against the limits. */
export class LimitWatch {
  readonly #limits: ValueLimits;
  readonly #totals: HourTotals;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** The enrollments of the last hour. A code goes out with each; this is not kept over a restart. */
  #enrollments: {
    readonly operationId: string;
    readonly phone: string;
    readonly reference: string;
    readonly atMs: number;
  }[] = [];

  constructor(limits: ValueLimits, totals: HourTotals, clock: Pick<Clock, 'monotonicMs'>) {
    this.#limits = limits;
    this.#totals = totals;
    this.#clock = clock;
  }

  /**
   * Counts an enrollment, unless its phone was sent too many codes in the last hour. A repeat under the same reference is
   * not counted: the service bounds those.
   *
   * @param asked.reference the caller's own
   * @returns the limit, when the enrollment passes it and was not counted; null when it may go on
   */
  takeEnrollment(asked: {
    readonly operationId: string;
    readonly phone: string;
    readonly reference: string;
  }): AboveLimit | null {
    const { operationId, reference } = asked;
    const phone = foldDigits(asked.phone);
    const nowMs = this.#clock.monotonicMs();
    this.#enrollments = this.#enrollments.filter(({ atMs }) => nowMs - atMs < minutesOfHour * minuteMs);
    const ofPhone = this.#enrollments.filter((earlier) => isSamePhone(earlier.phone, phone));
    if (ofPhone.some((earlier) => earlier.reference === reference)) return null;
    const name = 'max_enrollments_per_phone_per_hour';
    const value = this.#limits[name];
    if (ofPhone.length >= value) return { name, value, field: 'phone' };
    this.#enrollments.push({ operationId, phone, reference, atMs: nowMs });
    return null;
  }

  /** Takes back the count of an enrollment that was not sent. A repeat has no count of its own to take back. */
  giveBackEnrollment(operationId: string): void {
    this.#enrollments = this.#enrollments.filter((enrollment) => enrollment.operationId !== operationId);
  }

  /**
   * Counts what is about to be taken, so that no sale of the same moment slips through.
   *
   * @param approvedBy the manager who lets the values pass the limits, if one does
   * @param ofHour the part of the values that the hour has not counted yet; all of them when absent
   */
  admit(
    values: LimitedValues,
    { approvedBy, ofHour = values }: { readonly approvedBy: string | undefined; readonly ofHour?: LimitedValues },
  ): Admission {
    try {
      const above = aboveSaleLimit(values, this.#limits) ?? this.#totals.above(ofHour, this.#limits);
      const passed = above === null || approvedBy === undefined ? null : { limit: above, by: approvedBy };
      if (above !== null && passed === null) return { kind: 'above_limit', limit: above };
      this.#totals.add(ofHour);
      return { kind: 'admitted', passed };
    } catch (error) {
      return notSaved(error);
    }
  }

  /** Takes back a count: the values were not taken after all. */
  giveBack(values: LimitedValues): void {
    const { amountMinor, points, stamps, visits, rewards } = values;
    const minus = (value: number | null) => (value === null ? null : -value);
    this.#totals.add({
      amountMinor: minus(amountMinor),
      points: minus(points),
      stamps: minus(stamps),
      visits: minus(visits),
      rewards: minus(rewards),
    });
  }
}

/**
 * Counts the code that an enrollment sends to a phone, unless the limits allow no more. Other writes count nothing.
 *
 * @returns the limit, when the write passes it and was not counted; null when it may go on
 */
export function countEnrollment(
  limits: LimitWatch,
  { operationId, intent, body, externalRef }: Pick<NonEarnWrite, 'operationId' | 'intent' | 'body' | 'externalRef'>,
): AboveLimit | null {
  const phone = body?.phone;
  if (intent !== 'enroll' || typeof phone !== 'string') return null;
  const named = body?.external_ref;
  return limits.takeEnrollment({ operationId, phone, reference: typeof named === 'string' ? named : externalRef });
}

/** What the operation's history tells of a limit that was passed. */
export function noteOfPassed({ limit, by }: PassedLimit): { readonly reason: string; readonly person: string } {
  return { reason: `above limits.${limit.name} (${limit.value})`, person: by };
}

/** What the audit log tells of a limit that was passed. */
export function limitPassed(
  { limit, by }: PassedLimit,
  operationId: string,
): Extract<AuditEvent, { event: 'limit_passed' }> {
  return { event: 'limit_passed', limit: limit.name, operation_id: operationId, by };
}
