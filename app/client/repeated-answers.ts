import { crc32 } from 'node:zlib';
import { fieldOf } from '../../shared/contract/differing-fields.ts';
import type { EndpointName } from '../../shared/contract/endpoints.ts';
import { parseJson } from './read-answer.ts';

/** A call as far as it tells one from another. */
interface SentCall {
  readonly name: EndpointName;
  readonly path: string;
  readonly body: string | null;
}

interface Answered {
  readonly call: SentCall;
  readonly answerChecksum: number;
  /** Another answer had the same id: it names none. */
  readonly isShared: boolean;
}

/** At least so many answers are remembered, and at most twice as many. */
const fewestRemembered = 1_000;

/**
 * Knows an answer that somebody on the way has kept from another call: it comes again whole, with the id that the service
 * gives to each of its answers (decisions "Errors and limits"), though it may name nobody whom it is about.
 *
 * A service may give its stored answer to a write that is repeated. One that gives an id to several different answers
 * says nothing by it.
 */
export class RepeatedAnswers {
  #recent = new Map<string, Answered>();
  #earlier: ReadonlyMap<string, Answered> = new Map();

  /** Whether the answer came before, to another call. One that did not is remembered. */
  take(call: SentCall, answer: { readonly requestId: string; readonly body: string }): boolean {
    const answerChecksum = crc32(answer.body);
    const before = this.#recent.get(answer.requestId) ?? this.#earlier.get(answer.requestId);
    const isShared = before !== undefined && (before.isShared || before.answerChecksum !== answerChecksum);
    const isRepeated = before !== undefined && !isShared && !isSameCall(before.call, call);
    this.#remember(answer.requestId, { call: isRepeated ? before.call : call, answerChecksum, isShared });
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

/** An enrollment that is asked for again in other words has the same reference, and may get the same answer. */
function isSameCall(one: SentCall, other: SentCall): boolean {
  if (one.name !== other.name || one.path !== other.path) return false;
  return one.body === other.body || ['external_ref', 'enrollment_id'].some((field) => hasSame(field, one, other));
}

function hasSame(field: string, one: SentCall, other: SentCall): boolean {
  const value = fieldOf(parseJson(one.body ?? ''), field);
  return value !== undefined && value === fieldOf(parseJson(other.body ?? ''), field);
}
