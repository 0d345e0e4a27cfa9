import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { foldDigits } from '../../shared/lib/digits.ts';
import type { TillApi, TillError } from '../../shared/till/api.ts';
import { carriedCount } from '../../shared/till/carried-count.ts';
import type { OperationView } from '../../shared/till/views.ts';
import {
  type EntryProblem,
  type Limits,
  type NumberKind,
  readEntry,
  type SpendValue,
  textOfOperation,
} from '../operation/entry.ts';
import type { PassedLimit } from '../sale/entry/entry-flow.ts';
import { asksForPin, passedLimitOf } from '../sale/entry/entry-refusal.ts';
import { causeOf } from './groups.ts';

/** The cards that may take the sale: they are being read, were read, or cannot be read. */
type CardChoice =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly cards: readonly CardEntry[]; readonly otherCount: number }
  | { readonly kind: 'unread'; readonly error: TillError };

/** A refused or failed sale that is being corrected. */
export interface Correcting {
  readonly operation: OperationView;
  readonly kind: NumberKind;
  readonly firstText: string;
  readonly text: string;
  readonly choice: CardChoice;
  /** Null: the card stays the same. */
  readonly cardId: string | null;
  readonly reason: string;
  readonly problem: EntryProblem | 'card_missing' | 'nothing_changed' | 'reason_missing' | null;
  /** The limit that the agent named with `above_limit`; null: the limit of one sale. */
  readonly passedLimit: PassedLimit | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
  /** What was typed as a manager's PIN; null when the agent has not asked for a PIN. */
  readonly pin: string | null;
}

export interface Correction {
  readonly correcting: ReadonlySignal<Correcting | null>;
  readonly begin: (operation: OperationView) => void;
  readonly readCards: () => Promise<void>;
  readonly type: (part: Partial<Pick<Correcting, 'text' | 'reason' | 'cardId' | 'pin'>>) => void;
  readonly confirm: (limits: Limits) => Promise<void>;
  readonly cancel: () => void;
}

export function createCorrection({
  api,
  onDone,
}: {
  readonly api: TillApi;
  readonly onDone: () => Promise<void>;
}): Correction {
  const correcting: Signal<Correcting | null> = signal(null);
  const change = (part: Partial<Correcting>): void => {
    if (correcting.value !== null) correcting.value = { ...correcting.value, ...part };
  };

  const readCards = async (): Promise<void> => {
    if (correcting.value === null || correcting.value.busy) return;
    const operationId = correcting.value.operation.operation_id;
    change({ choice: { kind: 'reading' }, problem: null });
    const reply = await api.call('attention.cards', { operation_id: operationId });
    const now = correcting.value;
    if (now?.operation.operation_id !== operationId) return;
    if (!reply.ok) return change({ choice: { kind: 'unread', error: reply.error } });
    const { cards, other_cards: otherCount } = reply.value;
    const [only] = cards;
    // The only card is chosen at once.
    const cardId = cards.length === 1 && only !== undefined && needsCard(now.operation) ? only.card_id : now.cardId;
    change({ choice: { kind: 'read', cards, otherCount }, cardId });
  };

  return {
    correcting,
    begin(operation) {
      const kind = kindOf(operation);
      const text = textOfOperation(operation);
      correcting.value = {
        operation,
        kind,
        firstText: text,
        text,
        choice: { kind: 'reading' },
        cardId: null,
        reason: '',
        problem: null,
        passedLimit: null,
        busy: false,
        failure: null,
        pin: null,
      };
      void readCards();
    },
    readCards,
    type(part) {
      if (correcting.value?.busy === true) return;
      // The PIN was asked for another correction, so it is forgotten.
      const isOther = part.text !== undefined || part.cardId !== undefined;
      change({ ...(isOther ? { pin: null } : {}), ...part, problem: null, passedLimit: null, failure: null });
    },
    cancel() {
      if (correcting.value?.busy !== true) correcting.value = null;
    },
    async confirm(limits) {
      const now = correcting.value;
      if (now === null || now.busy) return;
      const entered = readEntry(now.text, now.kind, limits);
      if (!entered.ok) return change({ problem: entered.problem, passedLimit: null });
      const isValueSame = now.text.trim() === now.firstText;
      const isCardSame = now.cardId === null || now.cardId === now.operation.card_id;
      if (isCardSame && needsCard(now.operation)) return change({ problem: 'card_missing' });
      if (isCardSame && isValueSame) return change({ problem: 'nothing_changed' });
      if (now.reason.trim() === '') return change({ problem: 'reason_missing' });
      change({ busy: true, failure: null });
      const reply = await api.call('attention.correct', {
        operation_id: now.operation.operation_id,
        reason: now.reason.trim(),
        version: now.operation.version,
        ...(now.cardId === null ? {} : { card_id: now.cardId }),
        ...(isValueSame ? {} : withoutCurrency(entered.value)),
        ...(now.pin === null || now.pin === '' ? {} : { pin: foldDigits(now.pin) }),
      });
      if (!reply.ok) {
        const passedLimit = reply.error.code === 'above_limit' ? passedLimitOf(reply.error) : null;
        // Somebody else may stand there now, so a PIN is for one answer.
        const pin = now.pin !== null || asksForPin(reply.error) ? '' : null;
        const why = passedLimit === null ? { failure: reply.error } : { problem: 'above_limit' as const, passedLimit };
        return change({ busy: false, pin, ...why });
      }
      correcting.value = null;
      await onDone();
    },
  };
}

/** Whether the sale needs another card. Without one it would be refused for the same reason. */
export function needsCard(operation: OperationView): boolean {
  return causeOf(operation) === 'card_choice_needed';
}

function kindOf(operation: OperationView): NumberKind {
  const unit = carriedCount(operation)?.unit;
  return unit === undefined ? { unit: 'money', currency: operation.currency ?? '' } : { unit };
}

/** The value without its currency, which a correction cannot change. */
function withoutCurrency(value: SpendValue) {
  if ('amount_minor' in value) return { amount_minor: value.amount_minor };
  return 'reward' in value || 'coupon_code' in value ? {} : value;
}
