/** What is looked at of an answer of a server, and told to it. */
interface AnswerUnderWay {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** The request that it is for has come whole. */
  readonly req: { readonly complete: boolean };
  /** False: the connection ends with this answer, which says so. */
  shouldKeepAlive: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * The answers of a server that are under way on each connection. Bytes that are no request may follow one that came
 * whole: that one is done, and whoever sent it has to hear so.
 */
export class AnswersUnderWay<Connection extends { end(): unknown }> {
  readonly #answers = new WeakMap<Connection, Set<AnswerUnderWay>>();

  begin(connection: Connection, answer: AnswerUnderWay): void {
    const answers = this.#answers.get(connection) ?? new Set();
    this.#answers.set(connection, answers.add(answer));
    answer.once('close', () => answers.delete(answer));
  }

  /**
   * The connection can bring no further request.
   *
   * @returns `later`: it ends with the last answer that is still to come; `now`: within an answer, which has no end of its
   *   own; `unanswered`: nobody on it waits for an answer to a whole request
   */
  ends(connection: Connection): 'later' | 'now' | 'unanswered' {
    const waiting = [...(this.#answers.get(connection) ?? [])].filter(({ req }) => req.complete);
    if (waiting.every(({ writableEnded }) => writableEnded)) return 'unanswered';
    const last = waiting.findLast(({ headersSent, writableEnded }) => !headersSent || writableEnded);
    if (last === undefined) return 'now';
    // Its headers may be made already: it waits behind a slower one, and says nothing of the end.
    if (last.headersSent) last.once('close', () => connection.end());
    else last.shouldKeepAlive = false;
    return 'later';
  }
}
