/**
 * Look-ups that are made each time when a wait is over that the service has asked for, before a sale tries: that sale may be
 * told to wait again, and nothing is asked meanwhile.
 */
export class AskedBeforeSale {
  #work: () => Promise<unknown> = async () => undefined;
  #isUnderWay = false;

  /** No sale goes out while it is. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** @param work never throws */
  set(work: () => Promise<unknown>): void {
    this.#work = work;
  }

  async ask(): Promise<void> {
    this.#isUnderWay = true;
    await this.#work();
    this.#isUnderWay = false;
  }
}
