import { createHash } from 'node:crypto';
import type { RandomSource } from '../../../shared/lib/random.ts';
import { drawsOf } from './draws.ts';

interface Entry {
  readonly dueMs: number;
  readonly tie: number;
  readonly sequence: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/**
 * The one queue of all that will happen, in virtual time; the seed decides between events of the same millisecond.
 * Every observable event is written into a trace, whose hash tells whether two runs were the same.
 */
export class Scheduler {
  readonly startMs: number;
  nowMs: number;
  /** So many events have happened. */
  eventCount = 0;
  /** The trace itself, when it is kept. */
  readonly lines: string[] = [];
  readonly #keepsLines: boolean;
  readonly #heap: Entry[] = [];
  readonly #ties: RandomSource;
  readonly #hash = createHash('sha256');
  #sequence = 0;

  constructor(options: { readonly seed: number; readonly startMs: number; readonly keepsLines: boolean }) {
    this.startMs = options.startMs;
    this.nowMs = options.startMs;
    this.#keepsLines = options.keepsLines;
    this.#ties = drawsOf(options.seed, 'ties');
  }

  trace(text: string): void {
    const line = `${((this.nowMs - this.startMs) / 1000).toFixed(3)} ${text}`;
    this.#hash.update(`${line}\n`);
    if (this.#keepsLines) this.lines.push(line);
  }

  /** Of the trace so far. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  /** @returns takes it back */
  at(dueMs: number, run: () => void): () => void {
    this.#sequence += 1;
    const entry: Entry = {
      dueMs: Math.max(dueMs, this.nowMs),
      tie: this.#ties.next(),
      sequence: this.#sequence,
      run,
      isCancelled: false,
    };
    this.#push(entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  after(delayMs: number, run: () => void): () => void {
    return this.at(this.nowMs + Math.ceil(Math.max(0, delayMs)), run);
  }

  /** Resolves when `delayMs` have passed. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Runs everything that becomes due until then; between two events all promises run dry. */
  async runUntil(untilMs: number): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.dueMs <= untilMs; next = this.#heap[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.nowMs = next.dueMs;
      this.eventCount += 1;
      next.run();
      await promisesRanDry();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** Runs on until `promise` has ended. @throws Error when it has not after `withinMs` of virtual time */
  async runUntilSettled(promise: Promise<unknown>, withinMs: number): Promise<void> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    const untilMs = this.nowMs + withinMs;
    await promisesRanDry();
    while (!isSettled && this.nowMs < untilMs) await this.runUntil(this.nowMs + 10);
    if (!isSettled) throw new Error(`Nothing came of it in ${withinMs} ms`);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex];
      if (parent === undefined || !isBefore(entry, parent)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, last)) break;
      heap[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = last;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  if (one.dueMs !== other.dueMs) return one.dueMs < other.dueMs;
  if (one.tie !== other.tie) return one.tie < other.tie;
  return one.sequence < other.sequence;
}

/** Node's own turn of the loop: no time of the simulation passes. */
function promisesRanDry(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
