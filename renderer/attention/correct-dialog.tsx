import { useLayoutEffect, useRef } from 'preact/hooks';
import { cardTypeOf } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { balancesMainFirst } from '../../shared/till/balances.ts';
import { DialogFoot } from '../components/dialog-foot.tsx';
import { DialogHead, FailureNotice } from '../components/dialog-parts.tsx';
import { PinField } from '../components/form-field.tsx';
import { Icon } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import { balanceInWords } from '../copy/format.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { noLimits } from '../operation/entry.ts';
import { operationAmount, operationCustomer } from '../operation/operation-words.ts';
import { refusalReason } from '../operation/outcome.ts';
import { valueProblemInWords } from './correct-words.ts';
import { type Correcting, needsCard } from './correction.ts';
import { ReasonField } from './reason-field.tsx';
import { useAttention } from './use-attention.ts';

/** Corrects a refused sale: another card, another value, or both. A failed sale gets a new reference with it. */
export function CorrectDialog({ correcting }: { readonly correcting: Correcting }) {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('attention');
  const { correction } = useAttention();
  const dialog = useRef<HTMLDialogElement>(null);
  const { operation, failure, busy, choice } = correcting;
  const isReadyToChoose = choice.kind === 'read' && needsCard(operation);
  useLayoutEffect(() => {
    if (isReadyToChoose) dialog.current?.querySelector<HTMLElement>('.choice-radio')?.focus();
  }, [isReadyToChoose]);
  const till = frame.till.value;
  // A manager may allow more than the limit. The agent asks for the PIN, so the limit is not checked here.
  const limits = till === null || till.has_managers ? noLimits : till.limits;
  const error = operation.error;
  return (
    <ModalForm
      titleId="correct-title"
      dialog={dialog}
      mistake={correcting.problem ?? failure}
      busy={busy}
      onLeave={correction.cancel}
      onConfirm={() => void correction.confirm(limits)}
    >
      <DialogHead
        titleId="correct-title"
        title={own.correct.title}
        icon="send"
        aside={error !== null && <span class="badge tone-danger">{all.refusals[refusalReason(error)].title}</span>}
      >
        <p class="entry-who">
          <bdi>{operationAmount(operation, all, frame.format.value)}</bdi>
          <bdi>{operationCustomer(operation, all)}</bdi>
          <bdi dir="ltr" class="ref">
            {operation.external_ref}
          </bdi>
        </p>
      </DialogHead>
      <div class="correct-body">
        <CardPicker correcting={correcting} />
        <div class="entry-fields">
          <p class="quiet">{own.explained[operation.state === 'failed' ? 'replace' : 'correct']}</p>
          <ValueField correcting={correcting} />
          <ReasonField
            value={correcting.reason}
            isMissing={correcting.problem === 'reason_missing'}
            onInput={(reason) => correction.type({ reason })}
          />
          {correcting.pin !== null && (
            <PinField
              id="correct-pin"
              label={own.pin}
              value={correcting.pin}
              onInput={(pin) => correction.type({ pin })}
            />
          )}
        </div>
      </div>
      <FailureNotice failure={failure} />
      <DialogFoot
        cancel={all.entry.cancel}
        onCancel={correction.cancel}
        confirm={busy ? all.entry.asking : own.correct.confirm}
        isIdle={busy}
      />
    </ModalForm>
  );
}

/** The customer's cards that may take the sale. Without a connection it says why they cannot be chosen. */
function CardPicker({ correcting }: { readonly correcting: Correcting }) {
  const { frame } = useModel();
  const own = useWords('attention').correct;
  const { correction } = useAttention();
  const { choice, problem } = correcting;
  const format = frame.format.value;
  const problemWords =
    problem === 'card_missing' ? own.cardMissing : problem === 'nothing_changed' ? own.nothingChanged : '';
  return (
    <fieldset class="choice correct-cards stack gap-2" aria-describedby="correct-cards-note">
      <legend class="field-label">{own.cards}</legend>
      {choice.kind === 'reading' && (
        <>
          <span class="skeleton correct-skeleton" aria-hidden="true" />
          <span class="skeleton correct-skeleton" aria-hidden="true" />
          <p class="field-note" role="status">
            {own.reading}
          </p>
        </>
      )}
      {choice.kind === 'unread' && (
        <div class="notice tone-warning" role="alert" data-state={choice.error.code}>
          <Icon name={choice.error.code === 'offline' ? 'cloud-off' : 'user-x'} size={24} />
          <div class="correct-unread stack gap-1">
            <strong>{unreadWords(choice.error.code).title}</strong>
            <span class="notice-line">{unreadWords(choice.error.code).next}</span>
            <button type="button" class="button button-outline" onClick={() => void correction.readCards()}>
              {own.lookAgain}
            </button>
          </div>
        </div>
      )}
      {choice.kind === 'read' && choice.cards.length === 0 && (
        <div class="hollow">
          <strong>{own.none}</strong>
          {own.noneNext}
        </div>
      )}
      {choice.kind === 'read' &&
        choice.cards.map((card, index) => (
          <CardRow
            key={card.card_id}
            card={card}
            isChosen={card.card_id === correcting.cardId}
            isAsked={problem === 'card_missing' && index === 0}
            onChoose={() => correction.type({ cardId: card.card_id })}
          />
        ))}
      {choice.kind === 'read' && choice.otherCount > 0 && (
        <p class="field-note">{own.others(choice.otherCount, format.number(choice.otherCount))}</p>
      )}
      <p id="correct-cards-note" class="field-note field-error" aria-live="polite">
        {problemWords}
      </p>
    </fieldset>
  );

  function unreadWords(code: string) {
    if (code === 'offline' || code === 'agent_gone') return own.unread.offline;
    if (code === 'customer_not_found') return own.unread.customer_not_found;
    return code === 'refused' ? own.unread.refused : own.unread.other;
  }
}

interface CardRowProps {
  readonly card: CardEntry;
  readonly isChosen: boolean;
  readonly isAsked: boolean;
  readonly onChoose: () => void;
}

function CardRow({ card, isChosen, isAsked, onChoose }: CardRowProps) {
  const { frame } = useModel();
  const all = frame.words.value;
  const type = cardTypeOf(card);
  const typeName = type === null ? all.unknownCardType : all.cardTypes[type];
  const [main] = balancesMainFirst(card);
  return (
    <label class="choice-row row gap-3" data-card={card.card_id}>
      <input
        class="choice-radio"
        type="radio"
        name="correct-card"
        data-first={isAsked ? '' : undefined}
        checked={isChosen}
        onChange={onChoose}
      />
      <span class="choice-name two-lines">
        <span>
          <bdi>{card.template_name === '' ? typeName : card.template_name}</bdi>
        </span>
        <span class="line-quiet">{main === undefined ? typeName : balanceInWords(main, all, frame.format.value)}</span>
      </span>
      <span class="choice-check">
        <Icon name="check" />
      </span>
    </label>
  );
}

function ValueField({ correcting }: { readonly correcting: Correcting }) {
  const { frame } = useModel();
  const all = frame.words.value;
  const own = useWords('attention').correct;
  const { correction } = useAttention();
  const format = frame.format.value;
  const { kind } = correcting;
  const said = valueProblemInWords(correcting, frame.till.value?.limits, all, format);
  return (
    <div class="receipt">
      <label class="field-label" for="correct-value">
        {own.value[kind.unit]}
        {kind.unit === 'money' && (
          <>
            {' '}
            <bdi>({format.currency(kind.currency)})</bdi>
          </>
        )}
      </label>
      <input
        id="correct-value"
        class="text-input text-input-large"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        maxLength={40}
        data-first={correcting.problem === 'nothing_changed' ? '' : undefined}
        aria-invalid={said !== null}
        aria-describedby="correct-value-note"
        value={format.digits(correcting.text)}
        onInput={(event) => correction.type({ text: event.currentTarget.value })}
      />
      <p id="correct-value-note" class={said === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
        {said ?? own.wasValue(operationAmount(correcting.operation, all, format))}
      </p>
    </div>
  );
}
