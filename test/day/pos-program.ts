// A POS program as somebody writes it who has read the specification of the loyalty service and nothing else. It knows
// an address and a key, and nothing of what stands behind them.

/** What the books of the POS say of one write of its own. */
export interface BookEntry {
  readonly reference: string;
  readonly intent: 'earn' | 'redeem';
  readonly identifier: object;
  /** What was sent as its value. */
  readonly value: Readonly<Record<string, unknown>>;
  /** As the answers told it last; `not_taken` when the write was refused, or given up for this customer. */
  status: 'pending' | 'success' | 'failed' | 'reversed' | 'not_known' | 'not_taken';
  transactionId: string | null;
  errorCode: string | null;
  /** The service has promised to take it back. */
  isTakenBack: boolean;
}

interface Answer {
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
  /** Answers about holds that never came. */
  holdsNotKnown = 0;

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
      if (path === '/redemptions/reserve' && mayRetry) this.holdsNotKnown += 1;
      if (!mayRetry || attempt >= this.tries) return answer;
      await pause(this.#options.pauseMs);
    }
  }

  earn(reference: string, identifier: object, value: BookEntry['value']): Promise<BookEntry> {
    return this.#transaction('earn', reference, identifier, value);
  }

  redeem(reference: string, identifier: object, value: BookEntry['value']): Promise<BookEntry> {
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
    const isTold = answer.status === 200 || answer.status === 202 || answer.body?.error?.code === 'ALREADY_REVERSED';
    entry.isTakenBack ||= isTold;
    return isTold;
  }

  /** An online order: holds points for a cart, and spends them when it is paid. */
  async order(reference: string, identifier: object, points: number): Promise<BookEntry> {
    const entry = this.#open('redeem', reference, identifier, { points });
    const hold = { identifier, external_ref: `cart-${reference}`, points };
    const held = await this.write('/redemptions/reserve', hold, `cart-${reference}`);
    if (held.body?.state !== 'reserved') {
      entry.status = 'not_taken';
      entry.errorCode = held.body?.error?.code ?? null;
      return entry;
    }
    const path = `/redemptions/${held.body.reservation_id}/commit`;
    this.#note(entry, await this.write(path, { external_ref: reference }, reference));
    return entry;
  }

  /** Every transaction of a customer, page by page. */
  async history(customerId: string, limit: number): Promise<Answer['body'][]> {
    const all = [];
    for (let cursor: string | null = null; ; ) {
      const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await this.call('GET', `/customers/${customerId}/transactions?limit=${limit}${from}`);
      if (status !== 200) throw new Error(`History: ${status} ${JSON.stringify(body)}`);
      all.push(...body.data);
      cursor = body.next_cursor;
      if (cursor === null) return all;
    }
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
    value: BookEntry['value'],
  ): Promise<BookEntry> {
    const entry = this.#open(intent, reference, identifier, value);
    const body = { identifier, external_ref: reference, ...value };
    const answer = await this.write(`/transactions/${intent}`, body, reference);
    this.#note(entry, answer);
    return entry;
  }

  #open(intent: BookEntry['intent'], reference: string, identifier: object, value: BookEntry['value']): BookEntry {
    const nothingYet = { status: 'not_known', transactionId: null, errorCode: null, isTakenBack: false } as const;
    const entry: BookEntry = { reference, intent, identifier, value, ...nothingYet };
    this.books.push(entry);
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
    }
    // Anything else is not known: the books are asked at the end of the day.
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
