import type { Balances, CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { TillInput, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { demoCards } from './ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf, type Question } from './ui-fake-agent.ts';

type Reply = TillReply<unknown>;

/** Whom the world knows, by the card that is scanned. */
export const worldCustomers: Readonly<Record<string, { readonly name: string; readonly cards: readonly CardEntry[] }>> =
  {
    'LC-1001': {
      name: 'Fatima Al-Sabah',
      cards: [demoCards.reward, { ...demoCards.cashback, card_id: 'card_second' }],
    },
    'LC-1002': { name: 'Yousef Al-Mutairi', cards: [demoCards.cashback] },
    'LC-1003': { name: 'Sami Haddad', cards: [demoCards.stamp, demoCards.discount] },
    '40063813': { name: 'Digits Only', cards: [{ ...demoCards.reward, card_id: 'card_digits' }] },
  };

interface Late {
  readonly question: Question;
  readonly release: () => void;
}

const settled: readonly OperationState[] = ['applied', 'refused', 'failed', 'cancelled', 'reversed', 'written_off'];
/** What an operation does to a card. */
type Effect = (balances: Balances) => Balances;

/**
 * An agent with a service behind it, made of values: what it has answered, told and booked is known, and each answer
 * comes when the driver lets it. Reads may be as of when they were asked, and come after newer news.
 */
export class PageWorld {
  readonly agent: FakeAgent;
  readonly late: Late[] = [];
  /** Every state that an operation has had, by its reference. */
  readonly history = new Map<string, Set<string>>();
  readonly #random: RandomSource;
  readonly #books = new Map<string, Balances>();
  readonly #kept = new Map<string, CustomerProfile>();
  readonly #effects = new Map<string, { readonly cardId: string; readonly effect: Effect; readonly undo: Effect }>();
  #moment = Date.parse('2026-11-20T14:13:00.000Z');
  #rows = 0;

  constructor(agent: FakeAgent, random: RandomSource) {
    this.agent = agent;
    this.#random = random;
    for (const { cards } of Object.values(worldCustomers)) {
      for (const { card_id, balances } of cards) this.#books.set(card_id, balances);
    }
    agent.answer = (question) => this.#answer(question);
  }

  get isOnline(): boolean {
    return this.agent.state.connection.state === 'online';
  }

  balancesOf(cardId: string): Balances | undefined {
    return this.#books.get(cardId);
  }

  setOnline(isOnline: boolean): void {
    const connection = isOnline
      ? ({ state: 'online', cause: null } as const)
      : ({ state: 'offline', cause: 'offline' } as const);
    this.agent.setState({ connection: { ...connection, since: this.#now() } });
  }

  /** Some answer that was asked for comes now. */
  release(): void {
    const [one] = this.late.splice(Math.floor(this.#random.next() * this.late.length), 1);
    one?.release();
  }

  /** Something goes on with an operation. @returns whether there was one that could */
  advance(): boolean {
    const open = this.agent.operations.filter(({ state }) => !settled.includes(state));
    const one = open[Math.floor(this.#random.next() * open.length)];
    if (one === undefined || !this.isOnline) return false;
    if (one.intent === 'reverse') this.#settleReversal(one);
    else if (one.intent === 'redeem') this.#settleRedemption(one);
    else if (one.state === 'queued') this.#move(one, 'sending', { undo: 'reverse' });
    else if (one.state === 'sending')
      this.#move(one, this.#random.next() < 0.1 ? 'unknown' : 'accepted', { undo: 'reverse' });
    else if (this.#random.next() < 0.15) this.#move(one, 'refused', { error: refusal });
    else this.#apply(one);
    return true;
  }

  #answer(question: Question): Reply | Promise<Reply> | null {
    const { command } = question;
    if (command === 'state.read' || command === 'operations.recent' || command === 'locale.set') return null;
    if (command === 'hold.list') return { ok: true, value: { holds: [] } };
    const reply = this.#replyTo(question);
    return new Promise((resolve) => {
      this.late.push({ question, release: () => resolve(reply()) });
    });
  }

  /** What is asked for happens now; @returns what is answered, when it is answered */
  #replyTo({ command, input }: Question): () => Reply {
    switch (command) {
      case 'customer.find': {
        const isAsOfNow = this.#random.next() < 0.5;
        const asOfNow = this.#find(input as TillInput<'customer.find'>);
        return () => (isAsOfNow ? asOfNow : this.#find(input as TillInput<'customer.find'>));
      }
      case 'operation.earn':
        return this.#earn(input as TillInput<'operation.earn'>);
      case 'operation.redeem':
        return this.#redeem(input as TillInput<'operation.redeem'>);
      case 'operation.cancel': {
        const one = this.#byId((input as TillInput<'operation.cancel'>).operation_id);
        if (one?.undo !== 'cancel') return () => failure('cannot_cancel');
        this.#move(one, 'cancelled');
        return () => ({ ok: true, value: { operation: this.#byId(one.operation_id) } });
      }
      case 'operation.reverse':
        return this.#reverse(input as TillInput<'operation.reverse'>);
      default:
        return () => failure('not_now');
    }
  }

  #find({ identifier }: TillInput<'customer.find'>): Reply {
    const [asked] = Object.values(identifier);
    const entry = Object.entries(worldCustomers).find(([code]) => code === asked || `cus_${code}` === asked);
    if (!this.isOnline) {
      const kept = entry === undefined ? undefined : this.#kept.get(entry[0]);
      return kept === undefined ? failure('offline') : { ok: true, value: { source: 'kept', profile: kept } };
    }
    if (entry === undefined) return failure('customer_not_found');
    const [code, { name, cards }] = entry;
    const profile = profileOf({
      customer_id: `cus_${code}`,
      name,
      balances_as_of: this.#now(),
      cards: cards.map((card) => ({ ...card, balances: this.#books.get(card.card_id) ?? card.balances })),
    });
    this.#kept.set(code, profile);
    return { ok: true, value: { source: 'service', profile } };
  }

  #earn({
    operation_id,
    card_id,
    identifier: _identifier,
    customer_name,
    repeat: _repeat,
    ...value
  }: TillInput<'operation.earn'>): () => Reply {
    const known = this.#byId(operation_id);
    if (known !== undefined)
      return () => ({ ok: true, value: { operation: this.#byId(operation_id), duplicate: true } });
    const { amount_minor = null, currency = null, points = null, stamps = null, visits = null } = value;
    const change: Effect = (before) => ({
      ...before,
      points: plus(before.points, points ?? Math.floor((amount_minor ?? 0) / 1000)),
      cashback_minor: plus(before.cashback_minor, Math.floor((amount_minor ?? 0) / 20)),
      stamps: plus(before.stamps, stamps ?? 0),
      visits: plus(before.visits, visits ?? 0),
    });
    const values = { amount_minor, currency, points, stamps, visits };
    this.#take(
      { operation_id, intent: 'earn', card_id: card_id ?? null, customer_name, ...values, undo: 'cancel' },
      change,
    );
    return () => ({ ok: true, value: { operation: this.#byId(operation_id), duplicate: false } });
  }

  #redeem({ operation_id, card_id, customer_name, points, reward }: TillInput<'operation.redeem'>): () => Reply {
    const shown = { amount_minor: null, currency: null, points: points ?? null, one_shot: reward === true };
    const held = this.#books.get(card_id ?? '');
    const spent = points ?? 0;
    if (!this.isOnline) return () => failure('not_sent');
    if (held === undefined || spent > (held.points ?? 0)) {
      return () => ({ ok: false, error: { code: 'refused', message: '', service_code: 'INSUFFICIENT_BALANCE' } });
    }
    const change: Effect = (before) => ({ ...before, points: plus(before.points, -spent) });
    this.#take({ operation_id, intent: 'redeem', card_id: card_id ?? null, customer_name, ...shown }, change);
    const one = this.#byId(operation_id);
    if (one !== undefined) this.#move(one, 'sending');
    return () => {
      const now = this.#byId(operation_id);
      if (now?.state === 'sending') this.#settleRedemption(now);
      return { ok: true, value: { operation: this.#byId(operation_id), duplicate: false } };
    };
  }

  #reverse({ operation_id, reverses }: TillInput<'operation.reverse'>): () => Reply {
    const original = this.#byId(reverses);
    const earlier = this.agent.operations.find(({ reverses_row_id }) => reverses_row_id === original?.row_id);
    if (original === undefined || earlier !== undefined || original.undo === null) return () => failure('irreversible');
    this.#take(
      { operation_id, intent: 'reverse', reverses_row_id: original.row_id, amount_minor: null },
      (same) => same,
    );
    const reversal = () => ({ operation: this.#byId(operation_id), original: this.#byId(reverses), duplicate: false });
    return () => ({ ok: true, value: reversal() });
  }

  #take(change: Partial<OperationView>, effect: Effect): void {
    this.#rows += 1;
    const operation = operationOf({ external_ref: `W-${this.#rows}`, row_id: this.#rows, ...change });
    const undo = change.intent === 'earn' || change.intent === 'redeem';
    if (undo && operation.card_id !== null) {
      const before = this.#books.get(operation.card_id);
      const after = before === undefined ? undefined : effect(before);
      const back: Effect = (now) => (before === undefined || after === undefined ? now : minus(now, after, before));
      this.#effects.set(operation.operation_id, { cardId: operation.card_id, effect, undo: back });
    }
    this.agent.operations = [operation, ...this.agent.operations];
    this.#move(operation, 'queued', { undo: operation.undo });
  }

  #apply(operation: OperationView): void {
    const known = this.#effects.get(operation.operation_id);
    const before = known === undefined ? undefined : this.#books.get(known.cardId);
    if (known === undefined || before === undefined) return;
    const after = known.effect(before);
    this.#books.set(known.cardId, after);
    this.#move(operation, 'applied', {
      new_balances: after,
      completed_at: this.#now(),
      undo: operation.one_shot ? null : 'reverse',
    });
  }

  #settleRedemption(operation: OperationView): void {
    if (operation.state === 'sending' && this.#random.next() < 0.3) this.#move(operation, 'unknown');
    else this.#apply(operation);
  }

  #settleReversal(reversal: OperationView): void {
    const original = this.agent.operations.find(({ row_id }) => row_id === reversal.reverses_row_id);
    if (original === undefined) return;
    // It waits until what it takes back is on the card.
    if (!settled.includes(original.state)) return;
    const known = this.#effects.get(original.operation_id);
    if (original.state !== 'applied' || known === undefined) {
      this.#move(reversal, 'cancelled');
      return;
    }
    const before = this.#books.get(known.cardId);
    if (before !== undefined) this.#books.set(known.cardId, known.undo(before));
    this.#now();
    this.#move(reversal, 'applied');
    this.#move(original, 'reversed');
  }

  #move(operation: OperationView, state: OperationState, change: Partial<OperationView> = {}): void {
    const states = this.history.get(operation.external_ref) ?? new Set();
    this.history.set(operation.external_ref, states.add(state));
    this.agent.move(operation.operation_id, state, change);
  }

  #byId(operationId: string): OperationView | undefined {
    return this.agent.operations.find(({ operation_id }) => operation_id === operationId);
  }

  /** Each moment of the service is later than the one before. */
  #now(): string {
    this.#moment += 1;
    return new Date(this.#moment).toISOString();
  }
}

const refusal = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req' };

function plus(before: number | null, count: number): number | null {
  return before === null ? null : Math.round((before + count) * 1000) / 1000;
}

/** What an effect has changed goes back, whatever else has changed since. */
function minus(now: Balances, after: Balances, before: Balances): Balances {
  const back = (name: 'points' | 'cashback_minor' | 'stamps' | 'visits') =>
    plus(now[name], (before[name] ?? 0) - (after[name] ?? 0));
  return {
    ...now,
    points: back('points'),
    cashback_minor: back('cashback_minor'),
    stamps: back('stamps'),
    visits: back('visits'),
  };
}
