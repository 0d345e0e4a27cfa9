/** How a window's program ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

type AfterEnd =
  /** It was quit, or it says what is wrong: nothing is started. */
  | { readonly kind: 'done'; readonly exitCode: number }
  | { readonly kind: 'start_again'; readonly afterMs: number }
  /** It dies again and again: somebody has to look. */
  | { readonly kind: 'give_up' };

/** Crashes within this time count together. */
const withinMs = 10 * 60_000;
const most = 5;
const firstPauseMs = 1_000;

/** Refusals of the settings, of the data folder: a new start says the same again. */
const saysWhatIsWrong: ReadonlySet<number> = new Set([0, 2, 3]);

/** Starts a window again that has crashed, a little later each time, as long as it does not crash too often. */
export class RestartRule {
  #crashesAtMs: readonly number[] = [];

  /** @param nowMs by a clock that nobody sets */
  ended({ exitCode, signal }: Ended, nowMs: number): AfterEnd {
    if (signal === null && exitCode !== null && saysWhatIsWrong.has(exitCode)) return { kind: 'done', exitCode };
    this.#crashesAtMs = [...this.#crashesAtMs.filter((atMs) => nowMs - atMs < withinMs), nowMs];
    const count = this.#crashesAtMs.length;
    return count >= most ? { kind: 'give_up' } : { kind: 'start_again', afterMs: firstPauseMs * 2 ** (count - 1) };
  }
}
