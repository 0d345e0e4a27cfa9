interface Calls {
  readonly areReads: boolean;
  readonly answered: Promise<unknown>;
}

/**
 * The order of calls that come on one connection without waiting for each other: a read finds the write before it. Reads
 * alone are answered side by side (RFC 9112, 9.3.2).
 */
export class TurnOnConnection<Connection extends object> {
  /** By connection: what has come until now. */
  readonly #calls = new WeakMap<Connection, Calls>();

  /** @param answer begins the call. It is given what to wait for before; null: nothing */
  take(
    { socket, method }: { readonly socket: Connection; readonly method?: string | undefined },
    response: { readonly socket: Connection | null },
    answer: (before: Promise<unknown> | null) => Promise<void>,
  ): void {
    // Node gives the connection to one answer at a time: where this one's has it, all before it are out.
    const before = response.socket === null ? this.#calls.get(socket) : undefined;
    const areReads = method === 'GET' && before?.areReads !== false;
    const mine = answer(areReads || before === undefined ? null : before.answered);
    const answered = areReads && before !== undefined ? Promise.all([before.answered, mine]) : mine;
    this.#calls.set(socket, { areReads, answered });
  }
}
