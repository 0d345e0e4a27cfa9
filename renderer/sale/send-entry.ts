import { batch, type Signal } from '@preact/signals';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { TillError, TillInput, TillReply } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { Finding } from '../find/finding.ts';
import { cardAsTold } from '../find/stage.ts';
import { hasValue } from '../operation/entry.ts';
import { counts } from '../operation/outcome.ts';
import type { AnswerRead } from './entry/answer-read.ts';
import type { Confirmed } from './entry/confirm-entry.ts';
import type { Entry, EntryFor } from './entry/entry-flow.ts';
import { afterSpendRefusal, takeRefusal } from './entry/entry-refusal.ts';
import type { PassedSale } from './outcome/passed.ts';
import type { ShownOutcome, Sold } from './outcome/shown-outcome.ts';
import type { Sale, SaleParts } from './sale-parts.ts';

/** How long the entry of a redemption or of a hold waits before the screen says that the outcome is being checked. */
const patienceMs = 1_500;

interface SendingParts
  extends Pick<SaleParts, 'api' | 'clock' | 'newId' | 'sounds' | 'holds' | 'onSaved' | 'newest'>,
    Pick<Sale, 'takeWaitingScan' | 'showEarlier'> {
  readonly entry: Signal<Entry | null>;
  readonly finding: Pick<Finding, 'stage' | 'isOverdue'>;
  readonly shown: ShownOutcome;
  readonly passedSale: Pick<PassedSale, 'tell' | 'forget'>;
  /** Shows the entry with the agent's answer, and with the PIN that was typed while the agent was asked. */
  readonly takeAnswer: (answered: Entry) => void;
  readonly answered: AnswerRead['answered'];
  /** Forgets what was typed and left, because a sale is done. */
  readonly saleDone: (of: EntryFor) => void;
}

/** @returns a function that sends a confirmed entry and shows what became of it */
export function createSending(parts: SendingParts): (confirmed: Confirmed) => void {
  const { api, clock, newId, sounds, holds, onSaved, newest, entry, finding, shown, passedSale } = parts;
  const { takeAnswer, answered, takeWaitingScan } = parts;

  const save = async ({ entry: sent, input, value }: Extract<Confirmed, { kind: 'earn' }>): Promise<void> => {
    const cardBefore = finding.isOverdue() ? null : cardAsTold(finding.stage.value, sent.entryFor.card);
    const reply = await api.call('operation.earn', input);
    if (entry.value?.operationId !== sent.operationId) return;
    if (!reply.ok) {
      if (reply.error.code !== 'looks_like_a_repeat') sounds.failure();
      takeAnswer(takeRefusal(entry.value, value, reply.error));
      answered();
      return;
    }
    const operation = onSaved(reply.value.operation);
    const { duplicate } = reply.value;
    const isRight = !duplicate || isOf(operation, input);
    const isSaved = counts(operation.state);
    if (!isSaved) sounds.failure();
    else if (isRight) sounds.success();
    show(sent, { operation, cardBefore, duplicate });
    // What an earlier press saved has another value, or counts no more. This one was not saved, and that stays until it
    // was read.
    if (!isSaved || !isRight) return;
    shown.clearSoon();
    takeWaitingScan();
  };

  /** Shows the outcome in the entry's place. */
  const show = (from: Entry, sold: Pick<Sold, 'operation' | 'cardBefore' | 'duplicate'>): void => {
    batch(() => {
      entry.value = null;
      parts.saleDone(from.entryFor);
      passedSale.forget();
      const heldForMinutes = from.aim?.kind === 'hold' ? from.aim.minutes : null;
      shown.show({ ...sold, card: from.entryFor.card, takenBy: from.operation, heldForMinutes });
    });
  };

  const refuse = (now: Entry, error: TillError): void => {
    sounds.failure();
    takeAnswer(afterSpendRefusal(now, error, newId()));
    answered();
  };

  /**
   * Waits for the agent's answer, which comes when the outcome is known. Until then the entry waits a moment, and no
   * longer: the next customer does not wait for a line that is silent.
   *
   * @param tell takes the entry off the screen, and shows the operation, or that its outcome is being checked.
   *   `duplicate`: an earlier press saved it, perhaps with another value than this one
   */
  const outcomeOf = async (
    sent: Entry,
    asking: Promise<TillReply<{ readonly operation: OperationView; readonly duplicate?: boolean }>>,
    isPressed: (operation: OperationView) => boolean,
    tell: (saved: Pick<Sold, 'operation' | 'duplicate'>) => void,
  ): Promise<void> => {
    const isOpen = (): boolean => entry.value?.operationId === sent.operationId;
    // The agent may call it no duplicate, because the operation of the earlier press is done only now.
    const isAnothers = (operation: OperationView): boolean => sent.isUnanswered && !isPressed(operation);
    const cancelPatience = clock.setTimer(() => {
      const saved = newest(sent.operationId);
      if (isOpen() && saved !== null) tell({ operation: saved, duplicate: isAnothers(saved) });
    }, patienceMs);
    const reply = await asking;
    cancelPatience();
    if (!reply.ok) {
      if (entry.value !== null && isOpen()) refuse(entry.value, reply.error);
      // With `agent_gone` the page has lost only the answer. Events report what becomes of the operation.
      else if (reply.error.code !== 'agent_gone') shown.fail(sent.operationId, reply.error);
      return;
    }
    const wasOpen = isOpen();
    const operation = onSaved(reply.value.operation);
    if (wasOpen) tell({ operation, duplicate: reply.value.duplicate === true || isAnothers(operation) });
  };

  const spend = (sent: Entry, input: TillInput<'operation.redeem'>): Promise<void> =>
    outcomeOf(
      sent,
      api.call('operation.redeem', input),
      (operation) => isOf(operation, input),
      ({ operation, duplicate }) => {
        show(sent, { operation, cardBefore: null, duplicate });
        // What an earlier press did may have another value. It is no success of this one, and stays until it was read.
        if (operation.state === 'applied' && !duplicate) shown.spent();
      },
    );

  /** Carries out a hold, a paid order or a sale under another number. */
  const carryOut = (
    sent: Entry,
    asking: Promise<TillReply<{ readonly operation: OperationView; readonly duplicate?: boolean }>>,
    isPressed: (operation: OperationView) => boolean = () => true,
  ): Promise<void> =>
    outcomeOf(sent, asking, isPressed, ({ operation, duplicate }) => {
      // A sale under another number is safe once it is saved. A hold counts, and is spent, only when the service has
      // said so.
      const isSale = sent.aim?.kind === 'renumber';
      const isSaved = !isSale || counts(operation.state);
      const isDone = isSaved && !duplicate && (isSale || operation.state === 'applied');
      if (isDone) sounds.success();
      else if (!isSaved) sounds.failure();
      if (sent.aim?.kind === 'paid') {
        entry.value = null;
        // The order may be another customer's. Its end is told wherever whoever is in front goes.
        parts.showEarlier(operation);
        passedSale.tell({ kind: 'done', operation });
      } else {
        show(sent, { operation, cardBefore: null, duplicate });
        if (isDone) shown.clearSoon();
      }
      // The list of what is held tells how it goes on.
      if (isSaved && !duplicate) takeWaitingScan();
    });

  return (confirmed) => {
    switch (confirmed.kind) {
      case 'earn':
        void save(confirmed);
        break;
      case 'spend':
        void spend(confirmed.entry, confirmed.input);
        break;
      case 'hold': {
        const { entry: sent, input } = confirmed;
        void carryOut(sent, holds.reserve(input), (operation) => isOf(operation, input));
        break;
      }
      case 'paid':
        void carryOut(confirmed.entry, holds.commit(confirmed.input));
        break;
      case 'renumber': {
        const { entry: sent, input } = confirmed;
        const { receipt_number: number = '' } = input;
        void carryOut(sent, api.call('attention.replace', input), ({ external_ref }) => external_ref.endsWith(number));
        break;
      }
      case 'stay':
        answered();
        break;
      default:
        assertNever(confirmed);
    }
  };
}

/** What was pressed: a value, or the name of a reward or coupon. */
type Pressed = Parameters<typeof hasValue>[1] & { readonly given_name?: string | undefined };

/** Whether just this was pressed, when the operation was saved. */
function isOf(operation: OperationView, pressed: Pressed): boolean {
  return hasValue(operation, pressed) && operation.given_name === (pressed.given_name ?? null);
}
