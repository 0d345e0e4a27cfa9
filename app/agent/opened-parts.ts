type Close = () => Promise<void> | void;

/** What of an agent was opened so far, to be closed in reverse: when it ends, or at once when a later step of its start fails. */
export class OpenedParts {
  readonly #onFailed: (error: unknown) => void;
  readonly #closes: Close[] = [];

  /** @param onFailed told what a part threw; the others are closed all the same */
  constructor(onFailed: (error: unknown) => void) {
    this.#onFailed = onFailed;
  }

  add(close: Close): void {
    this.#closes.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closes.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        this.#onFailed(error);
      }
    }
  }
}
