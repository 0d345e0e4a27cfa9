import { foldDigits } from '../../shared/lib/digits.ts';
import { parseAmount } from '../../shared/money.ts';
import { type LabBalance, labBalances } from '../../shared/till/lab-names.ts';
import type { LabTemplate } from '../../shared/till/lab-views.ts';

export interface NewCard {
  readonly id: string;
  readonly templateId: string;
  readonly loyaltyId: string;
  readonly isSuspended: boolean;
  readonly balances: Readonly<Record<LabBalance, string>>;
}

export interface NewCustomer {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly externalId: string;
  readonly isVerified: boolean;
  readonly cards: readonly NewCard[];
}

const noBalances: NewCard['balances'] = {
  points: '',
  cashback_minor: '',
  stamps: '',
  visits: '',
  rewards_available: '',
};

export function newCard(id: string, templateId: string): NewCard {
  return { id, templateId, loyaltyId: '', isSuspended: false, balances: noBalances };
}

type CustomerBody =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  /** `field` as the control API would name it: `cards.0.balances.points`. */
  | { readonly ok: false; readonly field: string };

/** The typed customer as the control API takes it. An empty field is left out. */
export function customerBody(
  { name, phone, email, externalId, isVerified, cards }: NewCustomer,
  templates: readonly LabTemplate[],
  currency: string,
): CustomerBody {
  const made: object[] = [];
  for (const [index, card] of cards.entries()) {
    const template = templates.find((other) => other.template_id === card.templateId);
    const balances: Record<string, number> = {};
    for (const balance of labBalances) {
      const typed = card.balances[balance].trim();
      if (typed === '' || template?.balances.includes(balance) !== true) continue;
      const value = balance === 'cashback_minor' ? moneyOf(typed, currency) : numberOf(typed);
      if (value === null) return { ok: false, field: `cards.${index}.balances.${balance}` };
      balances[balance] = value;
    }
    made.push({
      template_id: card.templateId,
      balances,
      suspended: card.isSuspended,
      ...filled('loyalty_id', card.loyaltyId),
    });
  }
  const body = {
    ...filled('name', name),
    ...filled('phone', foldDigits(phone)),
    ...filled('email', email),
    ...filled('external_id', externalId),
    verified: isVerified,
    cards: made,
  };
  return { ok: true, body };
}

function filled(field: string, typed: string): Readonly<Record<string, string>> {
  return typed.trim() === '' ? {} : { [field]: typed.trim() };
}

function moneyOf(typed: string, currency: string): number | null {
  const amount = parseAmount(typed, currency);
  if (amount.ok) return amount.amountMinor;
  return amount.problem === 'zero' ? 0 : null;
}

function numberOf(typed: string): number | null {
  const value = Number(foldDigits(typed));
  return Number.isFinite(value) && value >= 0 ? value : null;
}
