import type { Connection } from '../../shared/till/views.ts';

/** How the line was from a time on. */
export interface LineState {
  readonly atMs: number;
  readonly state: Connection['state'];
  readonly cause: Connection['cause'];
}

const mostKept = 300;

/** What became of the line to the service since the agent began: the newest changes, with their causes. */
export class LineHistory {
  #kept: readonly LineState[] = [];

  note({ state, cause }: Connection, atMs: number): void {
    const last = this.#kept.at(-1);
    if (last !== undefined && last.state === state && last.cause === cause) return;
    this.#kept = [...this.#kept.slice(1 - mostKept), { atMs, state, cause }];
  }

  /** Oldest first. */
  get all(): readonly LineState[] {
    return this.#kept;
  }
}
