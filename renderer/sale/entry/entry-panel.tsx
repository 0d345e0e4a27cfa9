import { useLayoutEffect, useRef } from 'preact/hooks';
import { foldDigits } from '../../../shared/lib/digits.ts';
import { goBehind, useLead, useRead } from '../../components/asking.ts';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { loadLater } from '../../components/load-later.tsx';
import { findBoxId } from '../../find/focus.ts';
import { useModel } from '../../model.ts';
import { decimalsOf, isNumberKind, keypadKeys } from '../../operation/entry.ts';
import { isEarnOperation } from '../../operation/operations.ts';
import { readMs } from './answer-read.ts';
import { AmountBox, EntryExtra } from './entry-fields.tsx';
import { type Entry, workOf } from './entry-flow.ts';
import { actOf, entryTitle, entryWho } from './entry-words.ts';

const EntryNotes = loadLater(
  () => import('./entry-notes.tsx'),
  (module) => module.EntryNotes,
);
const SpendChoice = loadLater(
  () => import('./spend-fields.tsx'),
  (module) => module.SpendChoice,
);
const QuestionView = loadLater(
  () => import('./entry-question.tsx'),
  (module) => module.QuestionView,
);
const HoldTerms = loadLater(
  () => import('../../holds/hold-terms.tsx'),
  (module) => module.HoldTerms,
  'holds',
);
const LetterKeys = loadLater(
  () => import('./letter-keys.tsx'),
  (module) => module.LetterKeys,
);

/**
 * One earn or redemption, in the middle of the screen. What is left and right of it stays in place and can be pressed.
 */
export function EntryPanel({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const root = useRef<HTMLDivElement>(null);
  const words = frame.words.value;
  const { entryFor } = entry;
  const part = entry.isReceiptOpen ? 'receipt' : 'entry';
  useLead(root, {
    // When a program fills the field that has the focus, its text is selected, so that the first key replaces it.
    step:
      entry.question === null ? `${workOf(entry)} ${entry.operation} ${part} ${entry.filled?.id ?? ''}` : 'question',
    mistake: entry.problem ?? entry.receiptProblem ?? entry.failure,
  });
  const read = useRead(root, entry.filled?.id);
  const answer = entry.question?.kind ?? entry.failure ?? entry.problem;
  const isForBefore = useShownSince(answer);
  useEscape((event) => {
    if (answer === null || !isForBefore(event)) sale.cancel();
  });
  return (
    <div
      ref={root}
      class="entry-stage"
      role="dialog"
      aria-label={entryTitle(entry, words)}
      aria-describedby="entry-who"
      data-entry={workOf(entry)}
      onInput={read.onInput}
      onClick={read.onClick}
      onClickCapture={(event) => {
        if (entry.question === null || !isForBefore(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && entry.question !== null && isForBefore(event)) event.preventDefault();
        const digit = foldDigits(event.key);
        const isTyped = event.target instanceof HTMLInputElement && event.target.type !== 'radio';
        const takesText = isTyped && !event.target.readOnly;
        if (!takesText && /^\d$/.test(digit) && !event.ctrlKey && !event.altKey && !event.metaKey) {
          chooseByDigit(Number(digit));
          sale.keyAside(digit);
        }
        read.onKeyDown(event);
      }}
    >
      <p id="entry-who" class={entryFor.card === null ? 'entry-who' : 'entry-who visually-hidden'}>
        {entryFor.customerName === null && entryFor.card === null && entry.aim === null && (
          <span>{words.customer.strangerCard} </span>
        )}
        <bdi>{entryWho(entry, words)}</bdi>
      </p>
      <form
        class="entry-form"
        data-look={lookOf(entry)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          sale.confirm();
        }}
      >
        <EntryContent entry={entry} />
      </form>
    </div>
  );

  /** The digit is the reward's place on the screen. */
  function chooseByDigit(digit: number): void {
    const { kind, pin } = entry;
    const reward = kind.unit === 'reward' && pin === null ? kind.rewards[digit - 1] : undefined;
    if (reward === undefined) return;
    read.onInput();
    sale.chooseReward(reward.reward_id);
    root.current?.querySelectorAll<HTMLElement>('.choice-radio')[digit - 1]?.focus();
  }
}

/** What is below the box: keys, letters, or nothing. */
function lookOf({ question, isReceiptOpen, kind, pin }: Entry): 'keys' | 'letters' | 'wide' {
  if (question !== null) return 'wide';
  if (isReceiptOpen) return 'letters';
  return !isNumberKind(kind) && pin === null ? 'wide' : 'keys';
}

/**
 * Tells a press that was made before somebody can have read an answer, such as a question. A busy machine hands it over
 * later, when the answer counts as read.
 */
function useShownSince(answer: unknown): (press: Event) => boolean {
  const shownAtMs = useRef(0);
  useLayoutEffect(() => {
    shownAtMs.current = performance.now();
  }, [answer]);
  return (press) => press.timeStamp - shownAtMs.current < readMs;
}

/**
 * Escape leaves the entry, wherever the focus is. The find box and everything over the screen handle Escape themselves.
 */
function useEscape(leave: (event: KeyboardEvent) => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog, :popover-open') !== null) return;
      if (document.activeElement?.id === findBoxId) return;
      // Otherwise the listener of the arrow keys would also move the focus to the find box.
      event.preventDefault();
      latest.current(event);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

/** Everything that the entry shows. */
export function EntryContent({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const { question } = entry;
  const act = actOf(entry, words, frame.format.value);
  return (
    <>
      {/* They cover the customer's name, so that nothing moves when one appears. */}
      <div class="entry-notes">
        <EntryNotes entry={entry} />
      </div>
      {question === null ? <EntryBody entry={entry} /> : <QuestionView question={question} />}
      <DialogFoot
        cancel={words.entry.cancel}
        onCancel={sale.cancel}
        confirm={
          entry.busy ? (
            words.entry[isEarnOperation(entry.operation) ? 'saving' : 'asking']
          ) : (
            <span>
              <span class="visually-hidden">{words.entry.confirm}: </span>
              <bdi>{act.words}</bdi>
            </span>
          )
        }
        isIdle={question?.ready === false || entry.busy || !act.canPress}
        isFirst={question !== null}
      >
        {question !== null && (
          <button type="button" class="button button-outline button-large" onClick={sale.change}>
            {words.entry.change}
          </button>
        )}
      </DialogFoot>
    </>
  );
}

/** The part for entering: a field with its keypad, a choice, or nothing. */
function EntryBody({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const { kind } = entry;
  if (!isNumberKind(kind)) {
    return (
      <>
        <div class="entry-choice">
          <div class="entry-box-head">
            <h3 class="entry-name">{frame.words.value.operations.names[entry.operation]}</h3>
            <EntryExtra entry={entry} />
          </div>
          <SpendChoice entry={entry} />
        </div>
        {/* Only the PIN is entered by digits here. */}
        {entry.isReceiptOpen ? <LetterKeys /> : entry.pin !== null && <AmountKeys entry={entry} />}
      </>
    );
  }
  return (
    <>
      <AmountBox
        entry={{ ...entry, kind }}
        title={entryTitle(entry, frame.words.value)}
        onType={sale.typeAmount}
        onFill={sale.fillAmount}
        below={entry.aim?.kind === 'hold' && <HoldTerms entry={entry} minutes={entry.aim.minutes} />}
      >
        <EntryExtra entry={entry} />
      </AmountBox>
      {entry.isReceiptOpen ? <LetterKeys /> : <AmountKeys entry={entry} />}
    </>
  );
}

function AmountKeys({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  return (
    <Keypad
      keys={keypadKeys}
      label={words.entry.keypad}
      eraseLabel={words.keys.erase}
      write={frame.format.value.digits}
      onPress={(key) => {
        sale.press(key);
        const field = document.querySelector<HTMLInputElement>('#entry-amount');
        // A digit that replaces itself leaves the text as it was, and selected: the next key would replace it.
        if (field !== null) goBehind(field);
        // A finger types as a keyboard does (components/asking.ts).
        field?.form?.dispatchEvent(new Event('input', { bubbles: true }));
      }}
      onClear={sale.erase}
      idleKeys={entry.pin !== null || decimalsOf(entry.kind) === 0 ? ['.'] : []}
      look="pad"
    />
  );
}
