import { differingFields, fieldOf, type HeldRecord } from '../../shared/contract/differing-fields.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { Reservation } from '../../shared/contract/reservation.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { AnswerFacts, CallOutcome, Done, Refused, Unknown } from '../client/outcome.ts';
import type { SendableOperation } from './delivery.ts';
import type { WriteAnswer } from './immediate-settlement.ts';
import { identifierOf, requestOf } from './row-request.ts';
import { differingFromRow, isOfAnotherTime, type ToldRecord } from './same-record.ts';

/** What a reservation of ours holds, and for whom. */
export interface KnownReservation {
  readonly held: HeldRecord;
  readonly identifier: Identifier | null;
}

export interface KnownEnrollment {
  readonly externalRef: string;
  /** The parsed body. */
  readonly request: unknown;
}

export interface OwnershipOptions {
  /** Never rejects. */
  readonly identify: (identifier: Identifier) => Promise<CallOutcome<CustomerProfile>>;
  /** A customer seen before, without asking. */
  readonly keptProfile: (identifier: Identifier) => CustomerProfile | null;
  /** The reservation that the path of a commit names; null when it is not known here. */
  readonly reservationOf: (path: string) => KnownReservation | null;
  /** The request that started an enrollment, by its id at the service; null when it is not known here. */
  readonly enrollmentOf: (enrollmentId: string) => KnownEnrollment | null;
}

export type Verdict =
  | { readonly kind: 'ours' }
  /** Somebody else's, who has used the same reference; it differs in these fields. */
  | { readonly kind: 'anothers'; readonly fields: readonly string[] }
  /** The customer could not be asked for. */
  | Unknown;

export type OwnedRow = Pick<SendableOperation, 'intent' | 'externalRef' | 'path' | 'body' | 'maybeSent'>;

interface CustomerQuestion {
  /** Told as differing when it is another customer. */
  readonly field: string;
  readonly isTheirs: (profile: CustomerProfile) => boolean;
  /** No byte of it was sent before, and the service has it already. */
  readonly isSurelyNew: boolean;
}

const ours: Verdict = { kind: 'ours' };

/** A customer who seems to be another is asked for once more: that answer, too, may have been somebody else's. */
const looksAtCustomer = 2;

/**
 * Tells whether what the service holds under a row's reference is that row, or another till's with the same number
 * (design "Promises", 6; "References").
 */
export class Ownership {
  readonly #options: OwnershipOptions;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  /** Of a record in the books. @param nowMs by the service's clock */
  async ofRecord(row: OwnedRow, record: ToldRecord, nowMs: number): Promise<Verdict> {
    const reservation = row.intent === 'commit' ? this.#options.reservationOf(row.path) : null;
    const fields = differingFromRow(row, record, reservation?.held ?? null);
    if (fields.length > 0 || row.intent === 'reverse') return verdictOf(fields);
    // What was sent before is most likely its own record, whichever time the service has noted for it.
    if (!row.maybeSent && isOfAnotherTime(record, askedAtMs(row, nowMs))) {
      return { kind: 'anothers', fields: ['occurred_at'] };
    }
    const identifier = row.intent === 'commit' ? (reservation?.identifier ?? null) : identifierOf(requestOf(row));
    const customerId = record.customer_id ?? null;
    if (identifier === null || customerId === null) return ours;
    return this.#ofCustomer(identifier, {
      field: 'identifier',
      isTheirs: (profile) => profile.customer_id === customerId,
      isSurelyNew: !row.maybeSent,
    });
  }

  /** What an answer means to a row for which somebody waits: a replay may be of another till's request. */
  async believed(row: OwnedRow, outcome: CallOutcome<WriteAnswer>, nowMs: number): Promise<CallOutcome<WriteAnswer>> {
    if (outcome.kind !== 'done') return outcome;
    const verdict = await this.#ofAnswer(row, outcome, nowMs);
    switch (verdict.kind) {
      case 'ours':
        return outcome;
      case 'anothers':
        // A first answer about somebody else's request was meant for that one; a replay is a conflict.
        return isReplay(row, outcome)
          ? anothersRecord(row, outcome.facts, verdict.fields)
          : notAboutThis(verdict.fields, outcome.facts);
      case 'unknown':
        // That the customer could not be asked for says nothing against a first answer.
        return isReplay(row, outcome) ? verdict : outcome;
      default:
        return assertNever(verdict);
    }
  }

  async #ofAnswer(row: OwnedRow, done: Done<WriteAnswer>, nowMs: number): Promise<Verdict> {
    const { answer, facts } = done;
    switch (row.intent) {
      case 'redeem':
      case 'commit': {
        if (!('external_ref' in answer)) return ours;
        // A first answer has the values that were asked for: the client has compared those of a redemption.
        if (answer.duplicate === true) return this.ofRecord(row, answer, facts.serviceDateMs ?? nowMs);
        const reservation = row.intent === 'commit' ? this.#options.reservationOf(row.path) : null;
        return verdictOf(differingFromRow(row, answer, reservation?.held ?? null));
      }
      case 'reserve':
        return 'reservation_id' in answer ? this.#ofReservation(row, done, answer) : ours;
      case 'enroll':
      case 'verify':
        return this.#ofEnrollment(row, done);
      // Their answers name what they are about: the client has compared it.
      case 'earn':
      case 'reverse':
      case 'release':
        return ours;
      default:
        return assertNever(row.intent);
    }
  }

  /** A reservation names a card and no customer. */
  async #ofReservation(row: OwnedRow, done: Done<WriteAnswer>, reservation: Reservation): Promise<Verdict> {
    const request = requestOf(row);
    const fields = differingFields(request, reservation);
    const identifier = identifierOf(request);
    if (fields.length > 0 || identifier === null) return verdictOf(fields);
    return this.#ofCustomer(identifier, {
      field: 'identifier',
      isTheirs: ({ cards }) => cards.some(({ card_id }) => card_id === reservation.card_id),
      isSurelyNew: isReplay(row, done) && !row.maybeSent,
    });
  }

  async #ofEnrollment(row: OwnedRow, done: Done<WriteAnswer>): Promise<Verdict> {
    const { answer } = done;
    const request = requestOf(row);
    const enrollmentId = fieldOf(answer, 'enrollment_id');
    if (typeof enrollmentId === 'string') {
      // It names nobody; but one that an earlier request of ours has started is that request's.
      const earlier = this.#options.enrollmentOf(enrollmentId);
      return verdictOf(
        earlier !== null && earlier.externalRef !== fieldOf(request, 'external_ref') ? ['external_ref'] : [],
      );
    }
    if (!('wallet_install_url' in answer)) return ours;
    const identifier = row.intent === 'enroll' ? personOf(request) : this.#personOfEnrollment(request);
    if (identifier === null) return ours;
    const { customer_id: customerId } = answer;
    return this.#ofCustomer(identifier, {
      field: identifier.phone === undefined ? 'email' : 'phone',
      isTheirs: (profile) => profile.customer_id === customerId,
      isSurelyNew: isReplay(row, done) && !row.maybeSent,
    });
  }

  #personOfEnrollment(request: unknown): Identifier | null {
    const enrollmentId = fieldOf(request, 'enrollment_id');
    if (typeof enrollmentId !== 'string') return null;
    return personOf(this.#options.enrollmentOf(enrollmentId)?.request ?? null);
  }

  async #ofCustomer(identifier: Identifier, { field, isTheirs, isSurelyNew }: CustomerQuestion): Promise<Verdict> {
    const kept = this.#options.keptProfile(identifier);
    if (kept !== null && isTheirs(kept)) return ours;
    const anothers: Verdict = { kind: 'anothers', fields: [field] };
    for (let looks = 0; looks < looksAtCustomer; looks += 1) {
      const customer = await this.#options.identify(identifier);
      // The write itself went out, whatever kept this question from being asked.
      if (customer.kind === 'unknown') return { ...customer, recorded: 'maybe' };
      // Nobody has that name, any more or yet: only what another till did for somebody else tells that it is not ours.
      if (customer.kind === 'refused') return isSurelyNew ? anothers : ours;
      if (isTheirs(customer.answer)) return ours;
    }
    return anothers;
  }
}

/** What is told in place of the outcome of a row whose reference stands for somebody else's record. */
export function anothersRecord(
  row: Pick<OwnedRow, 'externalRef'>,
  facts: AnswerFacts,
  fields: readonly string[],
): Refused {
  const error = {
    code: 'DUPLICATE_TRANSACTION',
    message: `The service holds another request under ${row.externalRef}; nothing was done. Differing: ${fields.join(', ')}.`,
    retryable: false,
    request_id: facts.requestId ?? '',
    details: [...fields],
  };
  return { kind: 'refused', error, facts, body: { error } };
}

/** An answer, or a record, that cannot be this row's. */
export function notAboutThis(fields: readonly string[], facts: AnswerFacts): Unknown {
  const message = `An answer that is about something else: ${fields.join(', ')}`;
  return {
    kind: 'unknown',
    cause: 'not_the_service',
    recorded: 'maybe',
    message,
    error: null,
    facts,
    retryAfterMs: null,
  };
}

/** What says so itself, or 200 where a first answer would be 201 or 202. */
function isReplay({ intent }: OwnedRow, { answer, facts }: Done<WriteAnswer>): boolean {
  if (fieldOf(answer, 'duplicate') === true) return true;
  const isFirstOtherwise = intent === 'reserve' || intent === 'enroll' || intent === 'verify';
  return isFirstOtherwise && facts.httpStatus === 200;
}

function verdictOf(fields: readonly string[]): Verdict {
  return fields.length === 0 ? ours : { kind: 'anothers', fields };
}

/** When it happened for the service: what was sent, or else now, since it was not sent before. */
function askedAtMs(row: OwnedRow, nowMs: number): number {
  const sent = fieldOf(requestOf(row), 'occurred_at');
  return row.intent === 'earn' && typeof sent === 'string' ? Date.parse(sent) : nowMs;
}

function personOf(request: unknown): Identifier | null {
  const [phone, email] = [fieldOf(request, 'phone'), fieldOf(request, 'email')];
  if (typeof phone === 'string') return { phone };
  return typeof email === 'string' ? { email } : null;
}
