import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { refuse } from '../../app/service/answer.ts';
import { createKeyring } from '../../app/service/calls/authentication.ts';
import { createDelays } from '../../app/service/calls/delays.ts';
import { createFaults } from '../../app/service/calls/faults.ts';
import { createPipeline } from '../../app/service/calls/pipeline.ts';
import { createRateLimiter } from '../../app/service/calls/rate-limit.ts';
import { createRequestLog } from '../../app/service/calls/request-log.ts';
import { createTurn } from '../../app/service/calls/turn.ts';
import { createWriteAnswer } from '../../app/service/calls/write-answer.ts';
import { createWriteGroup } from '../../app/service/calls/write-group.ts';
import { silentLog } from '../../app/service/log.ts';
import { applyDue } from '../../app/service/rules/apply.ts';
import { openingBalances, shownBalances } from '../../app/service/rules/mechanics.ts';
import { completedTransaction } from '../../app/service/rules/new-transaction.ts';
import { findTemplate } from '../../app/service/rules/templates.ts';
import { createSettings, defaultSettings } from '../../app/service/settings.ts';
import type { ServiceData } from '../../app/service/store/open.ts';
import { openStore, type Store } from '../../app/service/store/store.ts';
import { createAgenda } from '../../app/service/time/agenda.ts';
import { createTestClock } from '../../app/service/time/test-clock.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { keyPrefix } from '../../shared/till/key-prefix.ts';

/** How much a store holds, and how it is spread. */
export interface Filling {
  readonly customers: number;
  /** In all. */
  readonly transactions: number;
  /** So many customers, the first ones, have them in turn: one's stand far apart, as when people come day after day. */
  readonly buyers: number;
}

/** The service over a store that was filled: calls come as bytes and are answered as text, with no socket between. */
export interface FilledService {
  identify(number: number): Promise<void>;
  /** Sixteen sales at once, as from as many tills; those whose time has come are applied with them. */
  earnSixteen(): Promise<void>;
  /** The newest page, 25 long, of the history of one of the first `among` customers. */
  historyPage(number: number, among: number): Promise<void>;
  close(): void;
}

export const salesAtOnce = 16;

const templateId = 'tpl_reward';
const source = 'bench';
const apiKey = `${keyPrefix.sandbox}bench`;
const dayMs = 86_400_000;
const batchSize = 10_000;
/** On the service's clock: after fifty times sixteen sales the first are applied, and from then on each time. */
const betweenSalesMs = 20;

/** Fills a new store: every customer has one card and, in turn, a share of the transactions. */
export function openFilledService(data: ServiceData, filling: Filling): FilledService {
  const store = openStore(data);
  let nowMs = Date.UTC(2026, 10, 20);
  // Its timers are fired by the calls themselves, which catch up with what is due.
  const host: Clock = { now: () => nowMs, monotonicMs: () => nowMs, setTimer: () => () => {} };
  const testClock = createTestClock({ host, initial: null, keep: () => {} });
  const random = seededRandom(filling.transactions);
  const makeId = createIds(testClock, random);
  const customers = fill(store, filling, makeId, testClock.now() - 300 * dayMs);
  const keyring = createKeyring(store.keys, testClock);
  keyring.add({ apiKey, source, expiresAtMs: null, allowedAddresses: null, revoked: false });
  const settings = createSettings(store.state, defaultSettings);
  const agenda = createAgenda({
    clock: testClock,
    nextDueAtMs: () => store.transactions.nextDueAtMs(),
    runDue: (nowMs) => applyDue(store, nowMs),
    onError: (error) => {
      throw error;
    },
  });
  const pipeline = createPipeline({
    context: { clock: testClock, makeId, random, store, settings, agenda },
    testClock,
    hostClock: host,
    door: { keyring, rateLimiter: createRateLimiter(testClock) },
    control: () => refuse('INTERNAL', 'The bench asks nothing of the control API.'),
    onControlled: () => undefined,
    faults: createFaults({ makeId, random, onSpent: () => undefined }),
    delays: createDelays(host),
    requestLog: createRequestLog(),
    log: silentLog,
    writeGroup: createWriteGroup({
      store,
      beforeGroup: () => testClock.catchUp(),
      afterSpoiled: () => agenda.rearm(),
    }),
    turn: createTurn(setImmediate),
    writeAnswer: createWriteAnswer(testClock),
  });
  let sales = 0;

  function customerAt(number: number): FilledCustomer {
    const customer = customers[number % customers.length];
    if (customer === undefined) throw new Error('The store was filled without customers');
    return customer;
  }

  async function call(method: 'GET' | 'POST', path: string, facts: { status: number; body?: object }): Promise<void> {
    const outcome = await pipeline.exchange({
      method,
      target: `/v1${path}`,
      header: (name) => headers[name] ?? null,
      body: facts.body === undefined ? null : Buffer.from(JSON.stringify(facts.body)),
      address: '127.0.0.1',
      origin: 'http://127.0.0.1',
    });
    if (outcome.kind === 'response' && outcome.response.status === facts.status) return;
    throw new Error(`${path}: not ${facts.status} but ${JSON.stringify(outcome)}`);
  }

  function earn(): Promise<void> {
    sales += 1;
    const body = {
      // A step that no number of customers divides: one after another, but none is near the one before.
      identifier: { loyalty_id: customerAt(sales * 7919).loyaltyId },
      external_ref: `salmiya-till-${sales % salesAtOnce}-new-${sales}`,
      amount_minor: 1_000 + sales,
      currency: 'KWD',
      branch_ref: 'salmiya',
      employee_ref: 'emp-17',
    };
    return call('POST', '/transactions/earn', { status: 202, body });
  }

  return {
    identify: (number) =>
      call('POST', '/customers/identify', { status: 200, body: { loyalty_id: customerAt(number * 7919).loyaltyId } }),
    async earnSixteen() {
      nowMs += betweenSalesMs;
      await Promise.all(Array.from({ length: salesAtOnce }, earn));
    },
    historyPage: (number, among) =>
      call('GET', `/customers/${customerAt((number * 7919) % among).customerId}/transactions?limit=25`, {
        status: 200,
      }),
    close() {
      testClock.stop();
      store.close();
    },
  };
}

const headers: Readonly<Record<string, string>> = {
  authorization: `Bearer ${apiKey}`,
  'content-type': 'application/json',
};

interface FilledCustomer {
  readonly customerId: string;
  readonly loyaltyId: string;
  readonly cardId: string;
}

function fill(
  store: Store,
  filling: Filling,
  makeId: ReturnType<typeof createIds>,
  startMs: number,
): readonly FilledCustomer[] {
  const mechanics = findTemplate(templateId)?.mechanics ?? null;
  const balances = openingBalances(mechanics);
  const newBalances = shownBalances(mechanics, { balances, currency: null, holds: {} });
  const customers = Array.from({ length: filling.customers }, (_, number) => {
    const customerId = makeId('cus');
    return { customerId, cardId: makeId('card'), loyaltyId: `B-${String(number).padStart(8, '0')}` };
  });
  inBatches(store, customers.length, (number) => {
    const customer = customers[number];
    if (customer === undefined) return;
    const { customerId, cardId, loyaltyId } = customer;
    const phone = `+9655${String(number).padStart(7, '0')}`;
    store.customers.insert({
      customerId,
      name: `C ${number}`,
      phone,
      email: null,
      verified: true,
      createdAtMs: startMs,
    });
    store.cards.insert({ cardId, customerId, templateId, loyaltyId, suspended: false, balances, currency: null });
  });
  inBatches(store, filling.transactions, (number) => {
    const customer = customers[number % filling.buyers];
    if (customer === undefined) return;
    const { customerId, cardId, loyaltyId } = customer;
    const externalRef = `salmiya-till-${number % 40}-${String(number).padStart(9, '0')}`;
    const request = JSON.stringify({
      identifier: { loyalty_id: loyaltyId },
      external_ref: externalRef,
      amount_minor: 12_500,
      currency: 'KWD',
      branch_ref: 'salmiya',
      employee_ref: 'emp-17',
    });
    store.transactions.insert(
      completedTransaction(
        {
          transactionId: makeId('txn'),
          source,
          naturalKey: `earn:${externalRef}`,
          intent: 'earn',
          externalRef,
          customerId,
          cardId,
          operation: 'earn_amount',
          amountMinor: 12_500,
          currency: 'KWD',
          request,
          requestId: makeId('req'),
        },
        { nowMs: startMs + number * 20, deltas: { points: 12_000 }, newBalances },
      ),
    );
  });
  return customers;
}

function inBatches(store: Store, count: number, insert: (number: number) => void): void {
  for (let first = 0; first < count; first += batchSize) {
    store.write(() => {
      for (let number = first; number < Math.min(count, first + batchSize); number += 1) insert(number);
    });
  }
}
