import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { intentsOfHistory } from '../../../shared/machines/operation-intents.ts';
import type { TillApi, TillInput } from '../../../shared/till/api.ts';
import type { CustomerHistory } from '../../../shared/till/customer-commands.ts';
import { mostHistoryCards } from '../../../shared/till/limits.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { identifierOf } from '../../find/shape.ts';
import type { Stage } from '../../find/stage.ts';
import { isOlder } from '../../operation/older.ts';

/** What is known of the customer in front, apart from their cards. The sale does not wait for it. */
export interface History {
  /** Null until the agent has answered, and when it cannot answer. */
  readonly theirs: ReadonlySignal<CustomerHistory | null>;
  /** Takes the news of an operation. */
  readonly heard: (operation: OperationView) => void;
}

interface Asked {
  /** Names the customer and the source of the profile. When it changes, the history is asked for again. */
  readonly whom: string;
  readonly input: TillInput<'customer.history'>;
}

export function createHistory(api: TillApi, stage: ReadonlySignal<Stage>): History {
  const asked = computed(() => askedOf(stage.value));
  let whom: string | null = null;
  const answer: Signal<{ readonly of: string; readonly history: CustomerHistory } | null> = signal(null);
  const news: Signal<ReadonlyMap<string, OperationView>> = signal(new Map());

  effect(() => {
    const now = asked.value;
    if (now?.whom === whom) return;
    whom = now?.whom ?? null;
    news.value = new Map();
    if (now === null) {
      answer.value = null;
      return;
    }
    if (answer.peek()?.of !== now.whom) answer.value = null;
    void api.call('customer.history', now.input).then((reply) => {
      // The answer is about a customer who is no longer in front.
      if (whom !== now.whom || !reply.ok) return;
      answer.value = { of: now.whom, history: reply.value };
    });
  });

  const theirs = computed(() => {
    const now = asked.value;
    const latest = answer.value;
    if (now === null || latest === null || latest.of !== now.whom) return null;
    return withNews(latest.history, news.value, now.input.card_ids);
  });

  return {
    theirs,
    heard(operation) {
      if (asked.peek() === null || !intentsOfHistory.includes(operation.intent)) return;
      news.value = new Map(news.peek()).set(operation.operation_id, operation);
    },
  };
}

function askedOf(at: Stage): Asked | null {
  if (at.kind === 'customer') {
    const { profile, source } = at.found;
    const card_ids = profile.cards.slice(0, mostHistoryCards).map(({ card_id }) => card_id);
    const input = { identifier: identifierOf(at.lookUp), customer_id: profile.customer_id, card_ids };
    return { whom: `${profile.customer_id} ${source}`, input };
  }
  if (at.kind === 'missing' && at.lookUp.kind === 'card' && at.error.code !== 'invalid') {
    const input = { identifier: identifierOf(at.lookUp), customer_id: null, card_ids: [] };
    return { whom: `card ${at.lookUp.text}`, input };
  }
  return null;
}

/** The history, with the news of this customer's operations since it was read. */
function withNews(
  history: CustomerHistory,
  news: ReadonlyMap<string, OperationView>,
  cardIds: readonly string[],
): CustomerHistory {
  const known = history.operations.map((operation) => {
    const newer = news.get(operation.operation_id);
    return newer !== undefined && !isOlder(newer, operation) ? newer : operation;
  });
  const isKnown = new Set(known.map(({ operation_id }) => operation_id));
  const more = [...news.values()].filter(
    ({ operation_id, card_id }) => !isKnown.has(operation_id) && card_id !== null && cardIds.includes(card_id),
  );
  return { ...history, operations: [...more, ...known] };
}
