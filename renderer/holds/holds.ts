import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TillApi, TillError, TillInput, TillReply } from '../../shared/till/api.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';
import type { OperationView } from '../../shared/till/views.ts';

/** What was pressed on a hold's own row. */
interface HoldPress {
  readonly ask: () => Promise<TillReply<{ holds: HoldView[] }>>;
  readonly isRelease: boolean;
}

/** The result of a press on a row: it is being sent, or it failed. */
type HoldNews = { readonly kind: 'busy' } | { readonly kind: 'failed'; readonly error: TillError };

export interface Holds {
  /** Newest first; null until the list was read. Expired holds are found by the service's clock. */
  readonly holds: ReadonlySignal<readonly HoldView[] | null>;
  readonly news: ReadonlySignal<ReadonlyMap<string, HoldNews>>;
  readonly reserve: (
    input: TillInput<'hold.reserve'>,
  ) => Promise<TillReply<{ operation: OperationView; duplicate: boolean }>>;
  readonly commit: (input: TillInput<'hold.commit'>) => Promise<TillReply<{ operation: OperationView }>>;
  readonly act: (hold: HoldView, press: HoldPress) => Promise<void>;
  /** Reads the list again, when the agent has sent nothing for a while. */
  readonly read: () => Promise<void>;
}

interface HoldsParts {
  readonly api: TillApi;
  readonly serviceNowMs: ReadonlySignal<number>;
  /** A hold on this card was released. */
  readonly onReleased: (cardId: string | null) => void;
}

export function createHolds({ api, serviceNowMs, onReleased }: HoldsParts): Holds {
  const list: Signal<readonly HoldView[] | null> = signal(null);
  const news: Signal<ReadonlyMap<string, HoldNews>> = signal(new Map());
  /** Counts the readings. An earlier reading's answer does not replace a later one's. */
  let round = 0;

  const take = <Answer extends { holds: HoldView[] }>(ours: number, reply: TillReply<Answer>): void => {
    if (reply.ok && ours === round) list.value = reply.value.holds;
  };
  const asked = async <Answer extends { holds: HoldView[] }>(
    asking: Promise<TillReply<Answer>>,
  ): Promise<TillReply<Answer>> => {
    round += 1;
    const ours = round;
    const reply = await asking;
    take(ours, reply);
    return reply;
  };
  const read = async (): Promise<void> => {
    await asked(api.call('hold.list', {}));
  };
  const tell = (holdId: string, one: HoldNews | null): void => {
    const next = new Map(news.value);
    if (one === null) next.delete(holdId);
    else next.set(holdId, one);
    news.value = next;
  };

  api.onEvent((event) => {
    if (event.type !== 'operation') return;
    const { intent } = event.operation;
    if (intent === 'reserve' || intent === 'commit' || intent === 'release') void read();
  });

  return {
    holds: computed(() => list.value?.map((hold) => asOf(hold, serviceNowMs.value)) ?? null),
    news,
    reserve: (input) => asked(api.call('hold.reserve', input)),
    commit: (input) => asked(api.call('hold.commit', input)),
    async act({ hold_id, card_id }, { ask, isRelease }) {
      if (news.value.get(hold_id)?.kind === 'busy') return;
      tell(hold_id, { kind: 'busy' });
      const reply = await asked(ask());
      tell(hold_id, reply.ok ? null : { kind: 'failed', error: reply.error });
      if (reply.ok && isRelease) onReleased(card_id);
    },
    read,
  };
}

function asOf(hold: HoldView, serviceNowMs: number): HoldView {
  if (hold.state !== 'reserved' || hold.expires_at === null || serviceNowMs < Date.parse(hold.expires_at)) return hold;
  return { ...hold, state: 'expired' };
}
