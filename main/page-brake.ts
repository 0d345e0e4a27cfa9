/** So many deaths of the page within `withinMs` are no accident any more. */
const most = 3;
const withinMs = 60_000;

/** What to do about a page whose process has died: */
type AfterDeath =
  /** Nothing of value lives in the page; a new one reads everything from the agent. */
  | 'load_again'
  /** It dies again and again: a plain page, which asks for nothing, says what to do. */
  | 'show_plain_page'
  /** Not even the plain page lives. */
  | 'tell_by_dialog';

/** Counts the deaths of the page, so that one that cannot live is not loaded for ever. */
export class PageBrake {
  #deathsAtMs: readonly number[] = [];
  #isStopped = false;

  /** Whether the plain page stands in the place of the cashier screen. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @param nowMs by a clock that nobody sets */
  died(nowMs: number): AfterDeath {
    if (this.#isStopped) return 'tell_by_dialog';
    this.#deathsAtMs = [...this.#deathsAtMs.filter((atMs) => nowMs - atMs < withinMs), nowMs];
    this.#isStopped = this.#deathsAtMs.length >= most;
    return this.#isStopped ? 'show_plain_page' : 'load_again';
  }

  /** A person asks for the cashier screen again. */
  release(): void {
    this.#deathsAtMs = [];
    this.#isStopped = false;
  }
}
