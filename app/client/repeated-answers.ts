import { crc32 } from 'node:zlib';
import { fieldOf } from '../../shared/contract/differing-fields.ts';
import type { EndpointName } from '../../shared/contract/endpoints.ts';
import { isConnectionCheck } from './connection-check.ts';
import { parseJson } from './read-answer.ts';

/** A call as far as it tells one from another. */
interface SentCall {
  readonly name: EndpointName;
  readonly path: string;
  readonly body: string | null;
}

interface Answered {
  readonly call: SentCall;
  readonly checksum: number;
  /** Another answer had the same id: it names none. */
  readonly isShared: boolean;
}

/** What an answer shows of itself. `date` is its Date header as it came: what is kept has the Date of what it was. */
interface KeptAnswer {
  readonly requestId: string;
  readonly date: string;
  readonly body: string;
}

/** At least so many answers are remembered, and at most twice as many. */
const fewestRemembered = 1_000;

/**
 * Knows an answer that somebody on the way has kept from another call: it comes again whole, with the id that the service
 * gives to each of its answers (decisions "Errors and limits"), though it may name nobody whom it is about.
 *
 * A service may give its stored answer to a write that is repeated. Ids say nothing where there is only one, as from a
 * front that names all answers alike, or where several different answers have one.
 */
export class RepeatedAnswers {
  #recent = new Map<string, Answered>();
  #earlier: ReadonlyMap<string, Answered> = new Map();

  /** Whether the answer came before, to another call. One that did not is remembered. */
  take(call: SentCall, { requestId, date, body }: KeptAnswer): boolean {
    // Many answers have the same body, as to look-ups that find nothing; of another second they are no kept ones.
    const checksum = crc32(body, crc32(date));
    const before = this.#recent.get(requestId) ?? this.#earlier.get(requestId);
    const isShared = before !== undefined && (before.isShared || before.checksum !== checksum);
    const areNamed = this.#recent.size + this.#earlier.size > 1;
    const isRepeated = before !== undefined && areNamed && !isShared && !isSameCall(before.call, call);
    this.#remember(requestId, { call: isRepeated ? before.call : call, checksum, isShared });
    return isRepeated;
  }

  #remember(requestId: string, answered: Answered): void {
    if (this.#recent.size >= fewestRemembered) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(requestId, answered);
  }
}

/**
 * An enrollment that is asked for again in other words has the same reference, and may get the same answer. Checks of the
 * connection are all alike: what is kept of one tells nothing wrong of anybody, and a sale finds out what it is worth.
 */
function isSameCall(one: SentCall, other: SentCall): boolean {
  if (isConnectionCheck(one.path) && isConnectionCheck(other.path)) return true;
  if (one.name !== other.name || one.path !== other.path) return false;
  return one.body === other.body || ['external_ref', 'enrollment_id'].some((field) => hasSame(field, one, other));
}

function hasSame(field: string, one: SentCall, other: SentCall): boolean {
  const value = fieldOf(parseJson(one.body ?? ''), field);
  return value !== undefined && value === fieldOf(parseJson(other.body ?? ''), field);
}
