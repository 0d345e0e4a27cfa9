import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';

/** What an id names; `txn_local` is an operation of the agent, the others are the service's (decisions "Money, time, ids"). */
export type IdPrefix = 'cus' | 'card' | 'txn' | 'txn_local' | 'enr' | 'res' | 'req' | 'tpl' | 'rwd' | 'flt';

/** Makes ids like `txn_01JD6Z3K8QW4H0V2N5C7RBT9XM`. */
export type MakeId = (prefix: IdPrefix) => string;

/** Crockford's base 32: no I, L, O, U, so that an id read aloud is not mistaken. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeLength = 10;
const randomLength = 16;

/**
 * Ids with a ULID body: 48 bits of time, then 80 random ones. They sort by the moment they were made; within one
 * millisecond, and while the clock stands still or goes back, the random part counts up.
 */
export function createIds(clock: Pick<Clock, 'now'>, random: RandomSource): MakeId {
  const digits = new Uint8Array(randomLength);
  let lastMs = -1;
  let timeText = '';

  function refill(nowMs: number): void {
    lastMs = nowMs;
    timeText = encodeTime(nowMs);
    const bytes = random.bytes(randomLength);
    for (let index = 0; index < randomLength; index += 1) digits[index] = (bytes[index] ?? 0) & 31;
  }

  return (prefix) => {
    const nowMs = clock.now();
    // A full random part (one in 2^80) moves on to the next millisecond.
    if (nowMs > lastMs) refill(nowMs);
    else if (!countUp(digits)) refill(lastMs + 1);
    let body = '';
    for (const digit of digits) body += alphabet[digit];
    return `${prefix}_${timeText}${body}`;
  };
}

/**
 * Ids that repeat with their random source, whatever the time is: each counts one millisecond on from a fixed instant.
 *
 * @param run from 1: the ids of a later run sort after those of the ones before
 */
export function createRepeatableIds(random: RandomSource, run: number): MakeId {
  let tick = Date.UTC(2026, 0, 1) + run * 1e9;
  return createIds({ now: () => (tick += 1) }, random);
}

const highestCount = 0xfff;

/**
 * UUIDs that begin with their time and count up within a millisecond (version 7 of RFC 9562). In an index, ids made one
 * after another stand side by side: a commit of many rows writes one page of it, where random ids would make it write
 * a page for each row.
 *
 * @param randomUuid gives random ones (version 4), whose random part is used
 */
export function createTimeOrderedUuids(clock: Pick<Clock, 'now'>, randomUuid: () => string): () => string {
  let lastMs = 0;
  let count = 0;
  return () => {
    const nowMs = Math.max(clock.now(), lastMs);
    count = nowMs === lastMs ? count + 1 : 0;
    lastMs = nowMs;
    if (count > highestCount) {
      lastMs += 1;
      count = 0;
    }
    const time = lastMs.toString(16).padStart(12, '0');
    const counted = count.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}${randomUuid().slice(18)}`;
  };
}

/** A random UUID (version 4 of RFC 9562) from a source of randomness of ours. */
export function uuidFrom(random: RandomSource): string {
  const hex = Array.from(random.bytes(16), (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function encodeTime(epochMs: number): string {
  let rest = Math.max(0, Math.floor(epochMs));
  let text = '';
  for (let index = 0; index < timeLength; index += 1) {
    text = `${alphabet[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** @returns false when there was no room left to count */
function countUp(digits: Uint8Array): boolean {
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const digit = digits[index] ?? 0;
    if (digit < 31) {
      digits[index] = digit + 1;
      return true;
    }
    digits[index] = 0;
  }
  return false;
}
