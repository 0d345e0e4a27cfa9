import type { CancelTimer } from '../../shared/lib/clock.ts';
import type { KillableShop } from './killable.ts';
import type { StatementWatch, Step } from './statement-watch.ts';

/** How long the disk takes nothing. */
const troubleMs = 3_000;
/** When somebody loses patience and ends the agent. */
const killAfterMs = 1_000;

interface FailurePlan {
  /** The disk takes so many steps more. */
  readonly steps: number;
  /**
   * Whether every statement of a transaction is a step. If not, its end is the only one: whatever fails before undoes
   * the same.
   */
  readonly isEachStatement: boolean;
  /** Whether the agent is killed before the disk takes anything again. */
  readonly endsInKill: boolean;
}

/** A disk that takes so many steps more, and then nothing for a while. */
export class FailingDisk {
  /** The statement that failed first; null as long as none has. */
  failedAt: string | null = null;
  readonly #watch: StatementWatch;
  #cancelKill: CancelTimer = () => undefined;

  constructor(watch: StatementWatch, at: KillableShop, { steps, isEachStatement, endsInKill }: FailurePlan) {
    this.#watch = watch;
    const { clock } = at.shop;
    let left = steps;
    let endsAtMs = 0;
    watch.onStep = (step) => {
      if (step.database.memory || !(isEachStatement || isEnd(step))) return;
      left -= 1;
      if (left >= 0) return;
      if (this.failedAt === null) {
        this.failedAt = step.sql.slice(0, 60);
        endsAtMs = clock.monotonicMs() + troubleMs;
        if (endsInKill) this.#cancelKill = clock.setTimer(() => at.kill(), killAfterMs);
      }
      if (clock.monotonicMs() < endsAtMs) throw new Error('database or disk is full');
    };
  }

  /** It takes everything from now on. */
  mend(): void {
    this.#cancelKill();
    this.#watch.onStep = null;
  }
}

/** Of a transaction, or a statement that is one of its own. */
function isEnd({ number, sql }: Step): boolean {
  return sql === 'COMMIT' || (number === 1 && !sql.startsWith('BEGIN'));
}
