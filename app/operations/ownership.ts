import { differingFields, fieldOf, type HeldRecord } from '../../shared/contract/differing-fields.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
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

export interface OwnershipOptions {
  /** Never rejects. */
  readonly identify: (identifier: Identifier) => Promise<CallOutcome<CustomerProfile>>;
  /** A customer seen before, without asking. */
  readonly keptProfile: (identifier: Identifier) => CustomerProfile | null;
  /** The reservation that the path of a commit names; null when it is not known here. */
  readonly reservationOf: (path: string) => KnownReservation | null;
  /** Whom an enrollment is for, by its id at the service; null when it is not known here. */
  readonly enrolledAs: (enrollmentId: string) => Identifier | null;
}

export type Verdict =
  | { readonly kind: 'ours' }
  /** Somebody else's, who has used the same reference; it differs in these fields. */
  | { readonly kind: 'anothers'; readonly fields: readonly string[] }
  /** The customer could not be asked for. */
  | Unknown;

export type OwnedRow = Pick<SendableOperation, 'intent' | 'externalRef' | 'path' | 'body' | 'maybeSent'>;

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
    if (fields.length > 0) return { kind: 'anothers', fields };
    if (row.intent === 'reverse') return ours;
    // What was sent before is most likely its own record, whichever time the service has noted for it.
    if (!row.maybeSent && isOfAnotherTime(record, askedAtMs(row, nowMs))) {
      return { kind: 'anothers', fields: ['occurred_at'] };
    }
    const identifier = row.intent === 'commit' ? (reservation?.identifier ?? null) : identifierOf(requestOf(row));
    const customerId = record.customer_id ?? null;
    if (identifier === null || customerId === null) return ours;
    return this.#ofCustomer(row, identifier, 'identifier', (profile) => profile.customer_id === customerId);
  }

  /** Of a good answer to a write for which somebody waits. Only a replay can be another's. */
  async ofAnswer(row: OwnedRow, done: Done<WriteAnswer>, nowMs: number): Promise<Verdict> {
    const { answer, facts } = done;
    const request = requestOf(row);
    switch (row.intent) {
      case 'redeem':
      case 'commit': {
        const isReplay = fieldOf(answer, 'duplicate') === true;
        // A first answer that is not what the reservation holds was somebody else's.
        if (!isReplay && row.intent === 'redeem') return ours;
        if (!('external_ref' in answer)) return ours;
        if (isReplay) return this.ofRecord(row, answer, facts.serviceDateMs ?? nowMs);
        const reservation = this.#options.reservationOf(row.path);
        const fields = differingFromRow(row, answer, reservation?.held ?? null);
        return fields.length === 0 ? ours : notAboutThis(fields, facts);
      }
      case 'reserve': {
        if (!isReplay(done) || !('reservation_id' in answer)) return ours;
        const fields = differingFields(request, answer);
        if (fields.length > 0) return { kind: 'anothers', fields };
        const identifier = identifierOf(request);
        if (identifier === null) return ours;
        const hasCard = ({ cards }: CustomerProfile) => cards.some(({ card_id }) => card_id === answer.card_id);
        return this.#ofCustomer(row, identifier, 'identifier', hasCard);
      }
      case 'enroll':
      case 'verify': {
        if (!isReplay(done) || !('wallet_install_url' in answer)) return ours;
        const identifier = row.intent === 'enroll' ? personOf(request) : this.#personOfEnrollment(request);
        if (identifier === null) return ours;
        const field = identifier.phone === undefined ? 'email' : 'phone';
        return this.#ofCustomer(row, identifier, field, (profile) => profile.customer_id === answer.customer_id);
      }
      // Their answers name what they are about: the client has compared it.
      case 'earn':
      case 'reverse':
      case 'release':
        return ours;
      default:
        return assertNever(row.intent);
    }
  }

  #personOfEnrollment(request: unknown): Identifier | null {
    const enrollmentId = fieldOf(request, 'enrollment_id');
    return typeof enrollmentId === 'string' ? this.#options.enrolledAs(enrollmentId) : null;
  }

  async #ofCustomer(
    row: OwnedRow,
    identifier: Identifier,
    field: string,
    isTheirs: (profile: CustomerProfile) => boolean,
  ): Promise<Verdict> {
    const kept = this.#options.keptProfile(identifier);
    if (kept !== null && isTheirs(kept)) return ours;
    const anothers: Verdict = { kind: 'anothers', fields: [field] };
    for (let looks = 0; looks < looksAtCustomer; looks += 1) {
      const customer = await this.#options.identify(identifier);
      // The write itself went out, whatever kept this question from being asked.
      if (customer.kind === 'unknown') return { ...customer, recorded: 'maybe' };
      // Nobody has that name any more: what was sent before is its own record still.
      if (customer.kind === 'refused') return row.maybeSent ? ours : anothers;
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

/** 200 where a first answer would be 201 or 202, or what says so itself. */
function isReplay({ answer, facts }: Done<WriteAnswer>): boolean {
  return fieldOf(answer, 'duplicate') === true || facts.httpStatus === 200;
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
