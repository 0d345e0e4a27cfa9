// A POS program as somebody writes it who has read the specification of the loyalty service and nothing else. It knows
// an address and a key, and nothing of what stands behind them.

/** What the books of the POS say of one write of its own. */
export interface BookEntry {
  readonly reference: string;
  readonly intent: 'earn' | 'redeem';
  readonly value: object;
  /** As the answers told it last; `not_taken` when the write was refused, or given up for this customer. */
  status: 'pending' | 'success' | 'failed' | 'reversed' | 'not_known' | 'not_taken';
  transactionId: string | null;
  errorCode: string | null;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a POS program looks into what comes as it likes
  readonly body: any;
  readonly tookMs: number;
}

interface PosOptions {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** How often a write is tried while the answer says that it may be. */
  readonly tries: number;
  readonly pauseMs: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class PosProgram {
  readonly books: BookEntry[] = [];
  readonly #options: PosOptions;
  tries: number;

  constructor(options: PosOptions) {
    this.#options = options;
    this.tries = options.tries;
  }

  /** One call. A dead connection is status 0. */
  async call(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
    const startedAt = performance.now();
    try {
      const response = await fetch(this.#options.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${this.#options.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json(), tookMs: performance.now() - startedAt };
    } catch {
      return { status: 0, body: null, tookMs: performance.now() - startedAt };
    }
  }

  /** The same request again as long as the service says that it may be tried again (spec "Errors": retryable). */
  async write(path: string, body: object, idempotencyKey: string): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.call('POST', path, body, idempotencyKey);
      const mayRetry = answer.status === 0 || answer.body?.error?.retryable === true;
      if (!mayRetry || attempt >= this.tries) return answer;
      await pause(this.#options.pauseMs);
    }
  }

  earn(reference: string, identifier: object, value: object): Promise<BookEntry> {
    return this.#transaction('earn', reference, identifier, value);
  }

  redeem(reference: string, identifier: object, value: object): Promise<BookEntry> {
    return this.#transaction('redeem', reference, identifier, value);
  }

  /** Takes a write of its own back. @returns whether the service says that it is */
  async reverse(entry: BookEntry, how: 'by_reference' | 'by_id'): Promise<boolean> {
    const answer =
      how === 'by_id' && entry.transactionId !== null
        ? await this.write(
            `/transactions/${entry.transactionId}/reverse`,
            { reason: 'returned' },
            `${entry.reference}-x`,
          )
        : await this.write(
            '/transactions/reverse',
            { external_ref: entry.reference, intent: entry.intent },
            `${entry.reference}-x`,
          );
    return answer.status === 200 || answer.status === 202 || answer.body?.error?.code === 'ALREADY_REVERSED';
  }

  /** At the end of the day everything that is not settled is asked for, until it is. */
  async closeDay(patienceMs: number): Promise<void> {
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      const open = this.books.filter(({ status }) => status === 'pending' || status === 'not_known');
      for (const entry of open) await this.#ask(entry);
      const left = open.filter(({ status }) => status === 'pending' || status === 'not_known');
      if (left.length === 0 || performance.now() > giveUpAt) break;
      await pause(100);
    }
    // What was settled before may have been taken back since.
    for (const entry of this.books.filter(({ status }) => status === 'success')) await this.#ask(entry);
  }

  async #transaction(
    intent: BookEntry['intent'],
    reference: string,
    identifier: object,
    value: object,
  ): Promise<BookEntry> {
    const entry: BookEntry = { reference, intent, value, status: 'not_known', transactionId: null, errorCode: null };
    this.books.push(entry);
    const body = { identifier, external_ref: reference, ...value };
    const answer = await this.write(`/transactions/${intent}`, body, reference);
    this.#note(entry, answer);
    return entry;
  }

  #note(entry: BookEntry, { status, body }: Answer): void {
    if (status === 200 || status === 202) {
      entry.status = body.status;
      entry.transactionId = body.transaction_id;
      entry.errorCode = body.error?.code ?? null;
    } else if (status >= 400 && status < 500 && body?.error?.retryable !== true) {
      entry.status = 'not_taken';
      entry.errorCode = body?.error?.code ?? null;
    } else if (body?.error?.details?.includes('not_sent') === true) {
      // Said of itself that nothing went out: the customer pays in another way.
      entry.status = 'not_taken';
      entry.errorCode = body.error.code;
    }
  }

  async #ask(entry: BookEntry): Promise<void> {
    const answer = await this.call('GET', `/transactions?external_ref=${encodeURIComponent(entry.reference)}`);
    if (answer.status !== 200) return;
    const own = answer.body.data.find(({ intent }: { intent: string }) => intent === entry.intent);
    if (own === undefined) {
      entry.status = 'not_taken';
      return;
    }
    entry.status = own.status;
    entry.transactionId = own.transaction_id;
    entry.errorCode = own.error?.code ?? null;
  }
}
