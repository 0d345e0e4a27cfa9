import { endpoints } from '../../shared/contract/endpoints.ts';
import type { EarnRequest, Transaction } from '../../shared/contract/transaction.ts';
import type { Log } from '../machine/log.ts';
import type { AgentCore } from './agent-core.ts';

const instant = '2026-11-20T10:00:00.000Z';

const sale: EarnRequest = {
  identifier: { loyalty_id: 'warm-up' },
  external_ref: 'warm-up',
  amount_minor: 1_000,
  currency: 'KWD',
  branch_ref: 'warm-up',
  device_ref: 'warm-up',
  employee_ref: 'warm-up',
  occurred_at: instant,
  metadata: { order: 'warm-up' },
};

const transaction: Transaction = {
  transaction_id: 'warm-up',
  intent: 'earn',
  status: 'success',
  external_ref: 'warm-up',
  customer_id: 'warm-up',
  card_id: 'warm-up',
  amount_minor: 1_000,
  currency: 'KWD',
  points: null,
  stamps: null,
  visits: null,
  new_balances: {
    points: 1,
    cashback_minor: null,
    stamps: null,
    visits: null,
    rewards_available: null,
    currency: null,
  },
  error: null,
  occurred_at: instant,
  completed_at: instant,
};

/** What a sale needs until it is saved. Each throws when its sample is no sample of what it stands for. */
function piecesForSaving(core: Pick<AgentCore, 'calendar' | 'clock' | 'firstUses'>): readonly (() => void)[] {
  return [
    // The calendar of the shop's time zone.
    () => core.calendar.dateOf(core.clock.now()),
    () => endpoints.earn.body.parse(sale),
    ...core.firstUses,
  ];
}

/** What it needs then, while nobody waits at the till. */
const piecesForSending: readonly (() => void)[] = [
  () => endpoints.earn.answers[202].parse({ transaction_id: 'warm-up', status: 'pending', duplicate: false }),
  () => endpoints.transaction.answers[200].parse(transaction),
];

/** The sales of the first moment go before everything else. */
const calmAfterMs = 50;

/**
 * Makes what is made at its first use before a sale has to wait for that. In pieces of some milliseconds, so that one who
 * comes meanwhile waits for one of them. Nothing is written or sent. A piece that throws is logged, and met again by the
 * first sale, which is answered with it.
 *
 * @param options.onCalm called when what is not needed to save a sale may be loaded
 * @returns ends it
 */
export function warmUp(
  core: Pick<AgentCore, 'calendar' | 'clock' | 'firstUses'>,
  { onCalm, log }: { readonly onCalm: () => void; readonly log: Pick<Log, 'error'> },
): () => void {
  let immediate: NodeJS.Immediate;
  const makeEach = (pieces: readonly (() => void)[], next = 0): void => {
    immediate = setImmediate(() => {
      try {
        pieces[next]?.();
      } catch (error) {
        log.error({ error }, 'Something that a sale needs cannot be made ready');
      }
      if (next + 1 < pieces.length) makeEach(pieces, next + 1);
    });
  };
  makeEach(piecesForSaving(core));
  const timer = setTimeout(() => {
    onCalm();
    makeEach(piecesForSending);
  }, calmAfterMs);
  return () => {
    clearImmediate(immediate);
    clearTimeout(timer);
  };
}
