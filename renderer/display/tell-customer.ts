import { computed, effect } from '@preact/signals';
import { defaultCurrency } from '../../shared/contract/default-currency.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { parseAmount } from '../../shared/money.ts';
import { balancesMainFirst } from '../../shared/till/balances.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import type { DisplayView, Happened } from '../../shared/till/display-views.ts';
import { progressOf } from '../../shared/till/progress.ts';
import type { Model } from '../model.ts';
import { isGivenNow } from '../sale/customer/given-now.ts';
import { gained } from '../sale/outcome/gained.ts';
import type { Outcome } from '../sale/outcome/shown-outcome.ts';
import { createBrought } from './brought.ts';

/**
 * Sends the customers' screen what the sale shows. Puts a customer who checked in there in front when nobody is served.
 */
export function tellCustomer(model: Model): void {
  const { api, frame, sale, enroll } = model;
  let sent = '';
  /** The agent takes calls only from a page that is connected and not locked. */
  const isHeard = computed(() => frame.link.value === 'open' && frame.till.value?.sign_in === null);
  effect(() => {
    const isShown = isHeard.value && frame.till.value?.display != null;
    const view = viewOf(model);
    const text = isShown ? JSON.stringify(view) : '';
    if (text === sent) return;
    sent = text;
    if (isShown) void api.call('display.show', { view });
  });
  const bring = createBrought(model);
  /** The check-in that was put in front last. Each one is put in front once, even when the look-up finds nobody. */
  let broughtId: string | null = null;
  const isFree = computed(
    () =>
      isHeard.value &&
      frame.screen.value === 'sale' &&
      isNobodyThere(sale) &&
      sale.entry.value === null &&
      sale.outcome.value === null &&
      enroll.enrollment.value === null,
  );
  effect(() => {
    const checkIn = frame.till.value?.display?.check_in ?? null;
    if (checkIn === null || checkIn.id === broughtId || !isFree.value) return;
    broughtId = checkIn.id;
    void api.call('display.taken', { id: checkIn.id }).then((reply) => {
      if (!reply.ok) broughtId = null;
      // Another page may have been first, and the cashier may have begun with somebody else meanwhile.
      else if (reply.value.is_taken && isFree.value) bring(checkIn.phone);
    });
  });
}

/** Nobody is in front, and nothing is being typed. */
function isNobodyThere({ stage, query }: Model['sale']): boolean {
  const at = stage.value;
  if (at.kind === 'idle') return query.value === '';
  return at.kind === 'missing' && (query.value === '' || query.value === at.lookUp.text);
}

function viewOf({ sale, frame, recent }: Model): DisplayView {
  const stage = sale.stage.value;
  if (stage.kind !== 'customer') return { kind: 'nobody' };
  const shown = sale.outcome.value;
  const used = shown === null ? null : cardOf(shown, sale.cards.value);
  const outcome = used === null ? null : shown;
  const card = used ?? sale.card.value;
  const happened = outcome === null ? null : happenedOf(outcome, gained(outcome, recent.operations.value ?? []));
  const after = outcome?.operation.card_id === card?.card_id ? outcome?.operation.new_balances : null;
  // The balance of before a sale is not told as the one after it.
  const balances = (happened === null ? (after ?? card?.balances) : after) ?? null;
  const canGive =
    isGivenNow(stage, frame.connection.value) && card?.allowed_operations.includes('redeem_reward') === true;
  const now = card === null || balances === null ? null : { ...card, balances };
  return {
    kind: 'customer',
    is_confirmed: stage.lookUp.isCheckIn !== true,
    name: stage.found.profile.name,
    balance: now === null ? null : (balancesMainFirst(now)[0] ?? null),
    progress: now === null ? null : progressOf(now, frame.till.value?.reward_goals ?? []),
    rewards:
      outcome === null && canGive
        ? card.available_rewards.flatMap(({ name }) => (name === '' ? [] : name.slice(0, 255))).slice(0, 20)
        : [],
    sale: saleOf(sale.entry.value, frame.till.value?.currency ?? defaultCurrency),
    happened,
    is_kept: stage.found.source === 'kept',
  };
}

/** The card that was just used; null when the operation was opened in Recent or is another customer's. */
function cardOf({ isEarlier, card }: Outcome, cards: readonly CardEntry[]): CardEntry | null {
  return isEarlier ? null : (cards.find(({ card_id }) => card_id === card?.card_id) ?? null);
}

function saleOf(entry: Model['sale']['entry']['value'], currency: string) {
  if (entry === null || entry.operation !== 'earn_amount') return null;
  const parsed = parseAmount(entry.text, currency);
  return parsed.ok ? { amount_minor: parsed.amountMinor, currency } : null;
}

/** What the customer reads about the outcome; null when there is nothing to read. The cashier explains a refusal. */
function happenedOf({ operation }: Outcome, gain: ReturnType<typeof gained>): Happened | null {
  const { intent, state, amount_minor, currency } = operation;
  const money = amount_minor === null || currency === null ? null : { amount_minor, currency };
  const carried = carriedCount(operation);
  const counted = carried === null ? null : { dimension: carried.unit, value: carried.value, currency: null };
  if (intent === 'earn') {
    if (state === 'applied' && gain !== null) return { kind: 'gained', gain };
    if (state === 'applied') return counted === null ? { kind: 'added', money } : { kind: 'gained', gain: counted };
    const isOnItsWay = state === 'queued' || state === 'sending' || state === 'unknown' || state === 'accepted';
    return isOnItsWay ? { kind: 'follows', money } : null;
  }
  if (intent !== 'redeem' || state !== 'applied') return null;
  if (operation.one_shot) return { kind: 'given', name: operation.given_name };
  if (money !== null) {
    return { kind: 'spent', spent: { dimension: 'cashback', value: money.amount_minor, currency: money.currency } };
  }
  return counted === null ? null : { kind: 'spent', spent: counted };
}
