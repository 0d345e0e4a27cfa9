/** This many crashes of the page within `withinMs` are no accident. */
const most = 3;
const withinMs = 60_000;

/** What to do after a page's process has crashed: */
type AfterDeath =
  /** Load the page again: it holds nothing of value, and reads everything from the agent. */
  | 'load_again'
  /** It crashes again and again, so a plain page without commands says what to do. */
  | 'show_plain_page'
  /** Even the plain page crashes. */
  | 'tell_by_dialog';

/** Counts the crashes of the page, so that a page that always crashes is not loaded for ever. */
export class PageBrake {
  #deathsAtMs: readonly number[] = [];
  #isStopped = false;

  /** Whether the plain page is shown instead of the cashier screen. */
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
