import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ErrorCode, errorFacts } from '../../shared/contract/errors.ts';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { type Clock, toInstant } from '../../shared/lib/clock.ts';

/** A request as the service saw it. */
export interface SeenRequest {
  readonly call: 'earn' | 'transaction' | 'by_reference' | 'identify' | 'history' | 'other';
  /** Of an earn's body, or of the query; null when it has none. */
  readonly externalRef: string | null;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Counts the earns of this reference from 1; 0 for reads. */
  readonly attempt: number;
  readonly atMs: number;
}

/** What the service does with one request. */
export type Act =
  /** As the specification says. */
  | { readonly kind: 'answer' }
  /** The line is cut before the service did anything. */
  | { readonly kind: 'lose_request' }
  /** The service did it, and the line is cut before the first byte of the answer. */
  | { readonly kind: 'lose_answer' }
  /** The service did it, and the line is cut in the middle of the answer. */
  | { readonly kind: 'half_answer' }
  /** An answer of the test's own. */
  | {
      readonly kind: 'say';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Whether the service did it nevertheless. */
      readonly does?: boolean;
    }
  /** Does it at once, and answers when `until` resolves. */
  | { readonly kind: 'answer_after'; readonly until: Promise<unknown> };

export const answer: Act = { kind: 'answer' };

/** An error in the specification's shape. */
export function refusal(
  status: number,
  code: ErrorCode | (string & {}),
  more: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly retryable?: boolean;
    readonly details?: readonly unknown[];
    readonly does?: boolean;
  } = {},
): Act {
  const known: Readonly<Record<string, { readonly retryable: boolean }>> = errorFacts;
  const error = {
    code,
    message: `scripted ${code}`,
    retryable: more.retryable ?? known[code]?.retryable ?? false,
    request_id: 'req_scripted',
    ...(more.details === undefined ? {} : { details: more.details }),
  };
  return {
    kind: 'say',
    status,
    body: JSON.stringify({ error }),
    headers: more.headers ?? {},
    does: more.does ?? false,
  };
}

export const captivePortal: Act = {
  kind: 'say',
  status: 200,
  body: '<html><body>Welcome to Mall WiFi. Accept the terms.</body></html>',
  headers: { 'content-type': 'text/html' },
};

/**
 * A loyalty service with a script: it implements earns idempotently on their reference and keeps, as an oracle, all
 * that it was asked and all that it recorded. What happens to each request is the test's choice.
 */
export class ScriptedService {
  /** What becomes of a request; looked up when it has arrived whole. */
  script: (request: SeenRequest) => Act = () => answer;
  /** Called for each earn that arrived, before anything is done. */
  onEarn: (request: SeenRequest) => void = () => undefined;
  /** How long a sale stays pending, in the clock's time. */
  applyDelayMs = 1_000;
  /** How far the service's clock is ahead. */
  skewMs = 0;
  /** References that end as failed instead of success. */
  readonly failing = new Set<string>();

  readonly requests: SeenRequest[] = [];
  /** What the service holds, by reference. */
  readonly recorded = new Map<string, Transaction>();
  mostInFlight = 0;
  /** Customers that ever had two earns in flight at once. */
  readonly crowdedCustomers = new Set<string>();

  readonly #clock: Clock;
  readonly #inFlightByCustomer = new Map<string, number>();
  readonly #held = new Set<ServerResponse>();
  #inFlight = 0;
  #server: Server | null = null;
  #port = 0;
  #made = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Earns in flight now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests whose answer waits for the test, and somebody still waits for it. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Listens, at the same port as before when it was gone. */
  async start(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer((request, response) => void this.#take(request, response));
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts every connection: the next one is refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** Forgets a transaction that it had accepted. */
  forget(externalRef: string): void {
    this.recorded.delete(externalRef);
  }

  earnsOf(externalRef: string): readonly SeenRequest[] {
    return this.requests.filter(({ call, externalRef: ref }) => call === 'earn' && ref === externalRef);
  }

  get earns(): readonly SeenRequest[] {
    return this.requests.filter(({ call }) => call === 'earn');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await this.#read(request);
    if (seen === null) return;
    this.requests.push(seen);
    const customer = seen.call === 'earn' ? customerOf(seen.body) : null;
    if (customer !== null) this.#enter(customer);
    try {
      await this.#act(seen, response);
    } finally {
      if (customer !== null) this.#leave(customer);
    }
  }

  async #read(request: IncomingMessage): Promise<SeenRequest | null> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return null;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    const url = request.url ?? '';
    const call = callOf(request.method ?? '', url);
    const externalRef =
      call === 'earn'
        ? String((JSON.parse(body) as { external_ref: unknown }).external_ref)
        : new URL(url, 'http://service').searchParams.get('external_ref');
    const attempt = call === 'earn' && externalRef !== null ? this.earnsOf(externalRef).length + 1 : 0;
    const { method = '', headers } = request;
    return { call, externalRef, method, url, headers, body, attempt, atMs: this.#clock.now() };
  }

  async #act(seen: SeenRequest, response: ServerResponse): Promise<void> {
    if (seen.call === 'earn') this.onEarn(seen);
    const act = this.script(seen);
    response.sendDate = false;
    response.setHeader('date', new Date(this.#clock.now() + this.skewMs).toUTCString());
    switch (act.kind) {
      case 'answer':
        this.#answer(seen, response);
        return;
      case 'answer_after': {
        const [status, body] = this.#do(seen);
        this.#held.add(response);
        response.once('close', () => this.#held.delete(response));
        await act.until;
        this.#held.delete(response);
        write(response, status, JSON.stringify(body));
        return;
      }
      case 'lose_request':
        response.destroy();
        return;
      case 'lose_answer':
        this.#do(seen);
        response.destroy();
        return;
      case 'half_answer': {
        const text = JSON.stringify(this.#do(seen)[1]);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        response.write(text.slice(0, text.length / 2), () => response.destroy());
        return;
      }
      case 'say':
        if (act.does === true) this.#do(seen);
        write(response, act.status, act.body, act.headers);
    }
  }

  #answer(seen: SeenRequest, response: ServerResponse): void {
    const [status, body] = this.#do(seen);
    write(response, status, JSON.stringify(body));
  }

  #do(seen: SeenRequest): readonly [number, unknown] {
    switch (seen.call) {
      case 'earn':
        return this.#earn(seen.body);
      case 'transaction': {
        const id = decodeURIComponent(seen.url.split('/').at(-1) ?? '');
        const found = [...this.recorded.values()].find(({ transaction_id }) => transaction_id === id);
        return found === undefined ? notFound('transaction_not_found') : [200, this.#now(found)];
      }
      case 'by_reference': {
        const found = this.recorded.get(seen.externalRef ?? '');
        return [200, { data: found === undefined ? [] : [this.#now(found)] }];
      }
      case 'history':
        return [200, { data: [], next_cursor: null }];
      case 'identify':
        return [200, profileOf(seen.body, this.#clock.now())];
      case 'other':
        return notFound('no_such_path');
    }
  }

  #earn(body: string): readonly [number, unknown] {
    const sent = JSON.parse(body) as Partial<Transaction> & { readonly external_ref: string };
    const earlier = this.recorded.get(sent.external_ref);
    if (earlier !== undefined) {
      const now = this.#now(earlier);
      return [now.status === 'pending' ? 202 : 200, { ...now, duplicate: true }];
    }
    this.#made += 1;
    const transaction: Transaction = {
      transaction_id: `txn_${String(this.#made).padStart(6, '0')}`,
      intent: 'earn',
      status: 'pending',
      external_ref: sent.external_ref,
      customer_id: 'cus_1',
      card_id: sent.card_id ?? 'card_1',
      amount_minor: sent.amount_minor ?? null,
      currency: sent.currency ?? null,
      points: sent.points ?? null,
      stamps: sent.stamps ?? null,
      visits: sent.visits ?? null,
      new_balances: null,
      error: null,
      occurred_at: sent.occurred_at ?? toInstant(this.#clock.now()),
      completed_at: null,
    };
    this.recorded.set(sent.external_ref, transaction);
    this.#appliedAtMs.set(sent.external_ref, this.#clock.monotonicMs() + this.applyDelayMs);
    return [202, { transaction_id: transaction.transaction_id, status: 'pending', duplicate: false }];
  }

  /** In monotonic time: the till's wall clock may jump, the service's does not. */
  readonly #appliedAtMs = new Map<string, number>();

  /** The transaction as it stands at this moment. */
  #now(transaction: Transaction): Transaction {
    const appliedAtMs = this.#appliedAtMs.get(transaction.external_ref) ?? 0;
    if (transaction.status !== 'pending' || this.#clock.monotonicMs() < appliedAtMs) return transaction;
    const failed = this.failing.has(transaction.external_ref);
    const now: Transaction = {
      ...transaction,
      status: failed ? 'failed' : 'success',
      new_balances: failed
        ? null
        : { points: 7, cashback_minor: null, stamps: null, visits: null, rewards_available: 0, currency: null },
      error: failed
        ? { code: 'CARD_NOT_ELIGIBLE', message: 'scripted failure', retryable: false, request_id: 'req_failed' }
        : null,
      completed_at: toInstant(this.#clock.now()),
    };
    this.recorded.set(transaction.external_ref, now);
    return now;
  }

  #enter(customer: string): void {
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    const count = (this.#inFlightByCustomer.get(customer) ?? 0) + 1;
    this.#inFlightByCustomer.set(customer, count);
    if (count > 1) this.crowdedCustomers.add(customer);
  }

  #leave(customer: string): void {
    this.#inFlight -= 1;
    this.#inFlightByCustomer.set(customer, (this.#inFlightByCustomer.get(customer) ?? 1) - 1);
  }
}

function callOf(method: string, url: string): SeenRequest['call'] {
  const path = new URL(url, 'http://service').pathname;
  if (method === 'POST' && path === '/v1/transactions/earn') return 'earn';
  if (method === 'POST' && path === '/v1/customers/identify') return 'identify';
  if (method === 'GET' && path === '/v1/transactions') return 'by_reference';
  if (method === 'GET' && /^\/v1\/transactions\/[^/]+$/.test(path)) return 'transaction';
  if (method === 'GET' && /^\/v1\/customers\/[^/]+\/transactions$/.test(path)) return 'history';
  return 'other';
}

function customerOf(body: string): string {
  return JSON.stringify((JSON.parse(body) as { identifier: unknown }).identifier);
}

function write(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

function notFound(detail: string): readonly [number, unknown] {
  const error = {
    code: 'VALIDATION_ERROR',
    message: 'Not found',
    retryable: false,
    request_id: 'req_404',
    details: [detail],
  };
  return [404, { error }];
}

function profileOf(body: string, nowMs: number): unknown {
  return {
    customer_id: 'cus_1',
    name: 'Sara',
    phone: null,
    email: null,
    verified: true,
    balances_as_of: toInstant(nowMs),
    cards: [
      {
        card_id: 'card_1',
        template_name: 'Cashback',
        card_type: 1,
        balances: {
          points: null,
          cashback_minor: 500,
          stamps: null,
          visits: null,
          rewards_available: null,
          currency: 'KWD',
        },
        available_rewards: [],
        allowed_operations: ['earn_amount', 'redeem_amount'],
      },
    ],
    identified_by: body,
  };
}
