import { cardOperationTable } from '../../shared/contract/card-names.ts';
import { foldDigits } from '../../shared/money.ts';
import { DialogFoot, FailureNotice } from '../components/dialog-parts.tsx';
import { PinField } from '../components/form-field.tsx';
import { Icon } from '../components/icon.tsx';
import { Keypad } from '../components/keypad.tsx';
import { loadLater } from '../components/load-later.tsx';
import { ModalForm } from '../components/modal.tsx';
import { earnInWords } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { decimalsOf, keypadKeys } from './entry.ts';
import { AmountField, ReceiptField } from './entry-fields.tsx';
import type { Entry, Question } from './entry-flow.ts';
import { EntryHead } from './entry-head.tsx';
import { failureWords } from './operation-words.ts';
import { isEarnOperation } from './operations.ts';
import { hasOtherCard } from './other-card.ts';
import { CouponCode, RewardChoice } from './spend-fields.tsx';

const ScanNote = loadLater(() => import('./scan-note.tsx').then((module) => module.ScanNote));

/** One earn or redemption, from the amount to Confirm. */
export function EntryDialog({ entry }: { readonly entry: Entry }) {
  const { sale } = useModel();
  return (
    <ModalForm
      titleId="entry-title"
      thenTo="find_box"
      step={entry.question === null ? 'entry' : 'question'}
      mistake={entry.problem ?? entry.receiptProblem ?? entry.failure}
      onLeave={sale.cancel}
      onConfirm={sale.confirm}
      onKeyDown={(event) => {
        const digit = foldDigits(event.key);
        const isTyped = event.target instanceof HTMLInputElement && !event.target.readOnly;
        if (!isTyped && /^\d$/.test(digit) && !event.ctrlKey && !event.altKey && !event.metaKey) sale.keyAside(digit);
      }}
    >
      <EntryContent entry={entry} />
    </ModalForm>
  );
}

/** All that the dialog shows. */
export function EntryContent({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const asks = entry.question !== null;
  return (
    <>
      <EntryHead
        title={words.operations.names[entry.operation]}
        icon={cardOperationTable[entry.operation].icon}
        tone={isEarnOperation(entry.operation) ? 'waiting' : 'info'}
        entryFor={entry.entryFor}
      />
      {(sale.waitingScan.value ?? sale.passed.value) !== null && (
        <ScanNote who={entry.entryFor.customerName} onSwitch={sale.switchToWaitingScan} />
      )}
      {entry.question === null ? <EntryBody entry={entry} /> : <QuestionView question={entry.question} />}
      <Failure entry={entry} />
      <DialogFoot
        cancel={words.entry.cancel}
        onCancel={sale.cancel}
        confirm={entry.busy ? words.entry[isEarnOperation(entry.operation) ? 'saving' : 'asking'] : words.entry.confirm}
        isIdle={entry.question?.ready === false || entry.busy}
        isFirst={asks}
      >
        {entry.question !== null && (
          <button type="button" class="button button-outline button-large" onClick={sale.change}>
            {words.entry.change}
          </button>
        )}
      </DialogFoot>
    </>
  );
}

/** What is entered: by field and keypad, by choosing, or nothing at all. */
function EntryBody({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  const { kind } = entry;
  const keypad = (
    <Keypad
      keys={keypadKeys}
      label={words.keypad}
      eraseLabel={frame.words.value.keys.erase}
      write={frame.format.value.digits}
      onPress={sale.press}
      idleKeys={entry.pin !== null || decimalsOf(kind) === 0 ? ['.'] : []}
    />
  );
  if (kind.unit === 'reward' || kind.unit === 'coupon') {
    return (
      <div class={entry.pin === null ? 'entry-body entry-body-single' : 'entry-body'}>
        <div class="entry-fields">
          {kind.unit === 'reward' ? (
            <RewardChoice entry={entry} rewards={kind.rewards} />
          ) : (
            <CouponCode entry={entry} />
          )}
          <ReceiptField entry={entry} />
          <ManagerPin entry={entry} />
        </div>
        {/* Nothing but the PIN is entered by digits here. */}
        {entry.pin !== null && keypad}
      </div>
    );
  }
  return (
    <div class="entry-body">
      <div class="entry-fields">
        <AmountField entry={{ ...entry, kind }} onType={sale.typeAmount} />
        <ReceiptField entry={entry} />
        <ManagerPin entry={entry} />
      </div>
      {keypad}
    </div>
  );
}

/** Where the agent has asked for a manager. */
function ManagerPin({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  if (entry.pin === null) return null;
  const label = frame.words.value.entry.pin;
  return <PinField id="entry-pin" label={label} value={entry.pin} isReadOnly={entry.busy} onInput={sale.typePin} />;
}

function Failure({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const { failure, operation, entryFor } = entry;
  const hasOther = hasOtherCard(sale.cards.value, entryFor.card?.card_id ?? null, [operation]);
  if (failure === null && frame.link.value !== 'open') return <LinkLostNote />;
  return (
    <FailureNotice
      failure={failure}
      advice={failure === null ? undefined : failureWords(failure, frame.words.value, { hasOther })}
    />
  );
}

function LinkLostNote() {
  const { frame } = useModel();
  const { title, next } = frame.words.value.frame.gone;
  return (
    <div class="notice tone-warning entry-failure" role="status">
      <Icon name="plug-zap" size={24} />
      <span>
        <strong>{title}</strong>
        <span class="notice-line">{next}</span>
      </span>
    </div>
  );
}

function QuestionView({ question }: { readonly question: Question }) {
  const { frame } = useModel();
  const words = frame.words.value.entry;
  const { title, next } = words[question.kind](earnInWords(question.value, frame.words.value, frame.format.value));
  return (
    <div class="question stack gap-3" role="alert" data-question={question.kind}>
      <span class="tile tile-large tone-warning">
        <Icon name="circle-help" size={28} />
      </span>
      <h3 class="question-title">{title}</h3>
      <p class="quiet">{next}</p>
    </div>
  );
}
