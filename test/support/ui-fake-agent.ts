import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { noAudit } from '../../app/audit/audit-events.ts';
import { systemClock } from '../../app/machine/clock.ts';
import { greet } from '../../app/web/greeting.ts';
import { pageHeaders } from '../../app/web/page-policy.ts';
import type { Identifier } from '../../shared/contract/identifier.ts';
import { identifierEntry } from '../../shared/contract/identifier.ts';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import {
  earnInputSchema,
  type TillErrorCode,
  type TillEvent,
  type TillInput,
  type TillReply,
  tillRequestSchema,
} from '../../shared/till/api.ts';
import type { CustomerHistory } from '../../shared/till/customer-commands.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';
import { openingFragment } from '../../shared/till/session-words.ts';
import type { FoundCustomer, OperationView, TillState } from '../../shared/till/views.ts';
import { noOperations } from './fake-records.ts';

type Reply = TillReply<unknown>;

/** What the page asked, in order. */
export interface Question {
  readonly command: string;
  readonly input: unknown;
}

/** An agent made of plain values: it says what a test tells it to, so that every state can be put on the screen. */
export interface FakeAgent {
  readonly url: string;
  readonly questions: Question[];
  readonly customers: Map<string, FoundCustomer>;
  /** What the service tells of each customer's past. */
  readonly pasts: Map<string, CustomerHistory['last']>;
  operations: readonly OperationView[];
  state: TillState;
  /** Answers in place of the usual one; `null` leaves it to the usual one. */
  answer: (question: Question) => Reply | null | Promise<Reply | null>;
  /** Changes the frame's state and tells every page. */
  setState(change: Partial<TillState>): void;
  /** Moves an operation on and tells every page. */
  move(operationId: string, state: OperationState, change?: Partial<OperationView>): void;
  /** Cuts every line; while `refusesLines` no new one is taken. */
  dropLines(): void;
  refusesLines: boolean;
  close(): Promise<void>;
}

export function failure(code: TillErrorCode, message = 'made by the test'): Reply {
  return { ok: false, error: { code, message } };
}

export function tillStateOf(change: Partial<TillState> = {}): TillState {
  return {
    mode: 'sandbox',
    device_name: 'Counter 2',
    branch_ref: 'salmiya',
    locale: 'en',
    currency: 'KWD',
    time_zone: 'Asia/Kuwait',
    card_pattern: null,
    limits: {
      max_amount_minor: 5_000_000,
      max_points: 1_000_000,
      max_stamps: 1_000,
      max_visits: 1_000,
      confirm_above_minor: 500_000,
    },
    connection: { state: 'online', cause: null, since: '2026-11-20T11:02:00.000Z' },
    operations: noOperations,
    oldest_waiting_at: null,
    window: { hours: 72, seconds_left: null, ends_at: null },
    notices: [],
    cashier: null,
    handed_over: null,
    display: null,
    enroll_templates: [],
    reward_goals: [],
    has_cashiers: false,
    cashiers: [],
    sign_in: null,
    locks: false,
    has_managers: false,
    has_printer: false,
    now: '2026-11-20T14:13:00.000Z',
    service_ahead_ms: 0,
    clock_runs: false,
    practice_cards: [],
    lab: null,
    desktop: { kiosk: false, starts_at_login: false },
    distance: 'normal',
    asks_mode: false,
    version: '0.1.0',
    ...change,
  };
}

export function operationOf(change: Partial<OperationView> = {}): OperationView {
  const ref = change.external_ref ?? 'salmiya-2-k7f3-20261120-0042';
  return {
    operation_id: `op-${ref}`,
    row_id: 1,
    version: 1,
    reverses_row_id: null,
    transaction_id: `txn_local_${ref}`,
    service_transaction_id: null,
    external_ref: ref,
    intent: 'earn',
    state: 'queued',
    cause: null,
    error: null,
    employee_ref: null,
    customer_name: 'Fatima Al-Sabah',
    given_name: null,
    is_coupon: false,
    identifier_hint: '••• 0001',
    card_id: null,
    amount_minor: 12_500,
    currency: 'KWD',
    points: null,
    stamps: null,
    visits: null,
    new_balances: null,
    completed_at: null,
    occurred_at: '2026-11-20T14:13:00.000Z',
    saved_at: '2026-11-20T14:13:00.000Z',
    updated_at: '2026-11-20T14:13:00.000Z',
    undo: null,
    one_shot: false,
    decision: null,
    found: null,
    ...change,
  };
}

export function holdOf(change: Partial<HoldView> = {}): HoldView {
  return {
    hold_id: 'hold-1',
    state: 'reserved',
    customer_name: 'Fatima Al-Sabah',
    identifier_hint: '••• 0001',
    card_id: null,
    points: null,
    amount_minor: 2_000,
    discount_value_minor: null,
    currency: 'KWD',
    cart_ref: 'cart-1',
    expires_at: '2026-11-20T14:43:00.000Z',
    closing: null,
    closing_id: null,
    ...change,
  };
}

export function profileOf(change: Partial<CustomerProfile> = {}): CustomerProfile {
  return {
    customer_id: 'cus_01',
    name: 'Fatima Al-Sabah',
    phone: '+96599887766',
    email: 'fatima.alsabah@example.com',
    verified: true,
    balances_as_of: '2026-11-20T14:13:00.000Z',
    cards: [],
    ...change,
  };
}

interface FakeAgentOptions {
  /** The built page. */
  readonly rendererDir: string;
  readonly state?: Partial<TillState>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export async function startFakeAgent({ rendererDir, state }: FakeAgentOptions): Promise<FakeAgent> {
  const http = createServer((request, response) => {
    const { pathname: address, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (searchParams.has('token')) {
      response.writeHead(303, { location: `/${openingFragment}any` }).end();
      return;
    }
    const file = join(rendererDir, normalize(address === '/' ? '/index.html' : address));
    readFile(file).then(
      (bytes) =>
        response.writeHead(200, { ...pageHeaders, 'content-type': contentTypes[extname(file)] ?? '' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  const lines = new WebSocketServer({ noServer: true });
  http.on('upgrade', (request, socket, head) => {
    if (agent.refusesLines) socket.destroy();
    else lines.handleUpgrade(request, socket, head, (line) => meet(line, request.headers.origin ?? ''));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The fake agent has no port');

  const met = new Set<WebSocket>();
  let sequence = 41;
  const agent: FakeAgent = {
    url: `http://127.0.0.1:${address.port}/?token=any`,
    questions: [],
    customers: new Map(),
    pasts: new Map(),
    operations: [],
    state: tillStateOf(state),
    answer: () => null,
    refusesLines: false,
    setState(change) {
      agent.state = { ...agent.state, ...change };
      tell({ type: 'state', state: agent.state });
    },
    move(operationId, next, change = {}) {
      const operation = agent.operations.find((other) => other.operation_id === operationId);
      if (operation === undefined) throw new Error(`There is no operation ${operationId}`);
      const version = operation.version + 1;
      const moved: OperationView = { ...operation, undo: null, ...change, state: next, version };
      agent.operations = agent.operations.map((other) => (other === operation ? moved : other));
      tell({ type: 'operation', operation: moved });
    },
    dropLines() {
      for (const line of lines.clients) line.terminate();
    },
    async close() {
      agent.dropLines();
      lines.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };

  /** Every browser has a session here. */
  function meet(line: WebSocket, origin: string): void {
    const secret = '5e'.repeat(32);
    const sessions = { exchange: () => ({ id: 'fake', kiosk: null, secret }), secretOf: () => secret };
    greet(line, { sessions, clock: systemClock(), audit: noAudit, origin, onMet: () => serve(line) });
  }

  function serve(line: WebSocket): void {
    met.add(line);
    line.once('close', () => met.delete(line));
    line.on('message', (data: Buffer) => {
      const { id, command, input } = tillRequestSchema.parse(JSON.parse(data.toString('utf8')));
      const question = { command, input };
      agent.questions.push(question);
      void answerTo(question).then((reply) => line.send(JSON.stringify({ id, ...reply })));
    });
  }

  async function answerTo(question: Question): Promise<Reply> {
    const given = agent.answer(question);
    return (given instanceof Promise ? await given : given) ?? usualAnswer(question);
  }

  function tell(event: TillEvent): void {
    for (const line of met) line.send(JSON.stringify({ event }));
  }

  function usualAnswer({ command, input }: Question): Reply {
    switch (command) {
      case 'state.read':
        return { ok: true, value: agent.state };
      case 'operations.recent':
        return { ok: true, value: { operations: agent.operations } };
      case 'customer.find': {
        const { identifier } = input as { identifier: Identifier };
        const found = agent.customers.get(identifierEntry(identifier).value);
        return found === undefined ? failure('customer_not_found') : { ok: true, value: found };
      }
      case 'customer.history': {
        const { customer_id, card_ids } = input as TillInput<'customer.history'>;
        const last = customer_id === null ? null : (agent.pasts.get(customer_id) ?? null);
        const operations = agent.operations.filter(({ card_id }) => card_id !== null && card_ids.includes(card_id));
        return { ok: true, value: { last, operations } };
      }
      case 'operation.earn':
        return takeEarn(input);
      case 'operation.cancel': {
        const { operation_id } = input as { operation_id: string };
        agent.move(operation_id, 'cancelled');
        return {
          ok: true,
          value: { operation: agent.operations.find((other) => other.operation_id === operation_id) },
        };
      }
      case 'display.taken':
        return { ok: true, value: { is_taken: true } };
      case 'locale.set':
        agent.setState(input as Pick<TillState, 'locale'>);
        return { ok: true, value: {} };
      default:
        return failure('invalid', `unknown command ${command}`);
    }
  }

  function takeEarn(input: unknown): Reply {
    const earn = earnInputSchema.parse(input);
    const known = agent.operations.find((other) => other.operation_id === earn.operation_id);
    if (known !== undefined) return { ok: true, value: { operation: known, duplicate: true } };
    sequence += 1;
    const operation = operationOf({
      operation_id: earn.operation_id,
      external_ref: `salmiya-2-k7f3-20261120-${earn.receipt_number ?? String(sequence).padStart(4, '0')}`,
      customer_name: earn.customer_name,
      identifier_hint: `••• ${identifierEntry(earn.identifier).value.slice(-4)}`,
      card_id: earn.card_id ?? null,
      amount_minor: earn.amount_minor ?? null,
      currency: earn.currency ?? null,
      points: earn.points ?? null,
      stamps: earn.stamps ?? null,
      visits: earn.visits ?? null,
      occurred_at: agent.state.now,
      saved_at: agent.state.now,
      updated_at: agent.state.now,
      undo: 'cancel',
    });
    agent.operations = [operation, ...agent.operations];
    tell({ type: 'operation', operation });
    return { ok: true, value: { operation, duplicate: false } };
  }

  return agent;
}
