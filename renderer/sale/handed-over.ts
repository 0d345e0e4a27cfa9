import { effect, type ReadonlySignal, type Signal } from '@preact/signals';
import { currencyExponent, minorToDecimalText } from '../../shared/money.ts';
import type { TillState } from '../../shared/till/views.ts';
import type { Finding } from '../find/finding.ts';
import { type Entry, isAsked, isForHandedOver } from './entry/entry-flow.ts';
import type { Outcome } from './outcome/shown-outcome.ts';

type HandedOver = NonNullable<TillState['handed_over']>;

/** Whether a handed-over amount may fill this entry. It never replaces what the cashier typed or sent. */
function takesHandedOver(entry: Entry): boolean {
  const { filled, text, receipt } = entry;
  if (!isForHandedOver(entry) || isAsked(entry)) return false;
  return filled === null ? text === '' && receipt === '' : text === filled.text && receipt === filled.receipt;
}

/**
 * The entry with the handed-over amount, or emptied when the program withdrew it. The first typed digit replaces the
 * amount.
 */
function withHandedOver(entry: Entry, handed: HandedOver | null): Entry {
  if (!takesHandedOver(entry) || entry.filled?.id === handed?.id) return entry;
  if (handed === null) return { ...entry, text: '', receipt: '', filled: null, untouched: true };
  const text = minorToDecimalText(handed.amount_minor, currencyExponent(handed.currency) ?? 0);
  const receipt = handed.receipt_number ?? '';
  return { ...entry, text, receipt, filled: { id: handed.id, text, receipt }, untouched: true, receiptProblem: null };
}

interface HandedOverParts {
  readonly till: ReadonlySignal<TillState | null>;
  readonly entry: Signal<Entry | null>;
  readonly finding: Pick<Finding, 'stage' | 'card' | 'cards'>;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly isElsewhere: () => boolean;
  readonly isOtherTyped: () => boolean;
  readonly openByItself: (operation: 'earn_amount') => void;
}

/** Fills a handed-over amount into the entry, and opens the entry once for the customer in front. */
export function takeHandedOver({ till, entry, finding, ...parts }: HandedOverParts): void {
  let offered: { readonly saleId: string; readonly customerId: string } | null = null;
  effect(() => {
    const handed = till.value?.handed_over ?? null;
    const now = entry.value;
    if (now !== null) entry.value = withHandedOver(now, handed);
    const at = finding.stage.value;
    if (at.kind === 'finding') offered = null;
    if (handed === null || now !== null || at.kind !== 'customer' || parts.outcome.value !== null) return;
    if (parts.isElsewhere() || parts.isOtherTyped()) return;
    const { customer_id } = at.found.profile;
    // The entry opens by itself only once. After Escape it stays closed, even when the customer's balances change. The
    // operation's button opens it again, with the amount filled in.
    const isAsked = offered?.saleId === handed.id && offered.customerId === customer_id;
    const able = finding.cards.value.filter(({ allowed_operations }) => allowed_operations.includes('earn_amount'));
    if (isAsked || able.length !== 1 || finding.card.value?.card_id !== able[0]?.card_id) return;
    offered = { saleId: handed.id, customerId: customer_id };
    parts.openByItself('earn_amount');
  });
}
