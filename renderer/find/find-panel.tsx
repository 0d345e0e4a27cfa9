import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { touchClicks } from '../components/fingers.ts';
import { FirstIcon } from '../components/first-icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { typeInto } from '../components/type-into.ts';
import { useModel } from '../model.ts';
import { canAskNow, earnsOf } from '../operation/operations.ts';
import { findBoxId } from './focus.ts';
import { type LookUp, lookUpKinds } from './shape.ts';

const TouchKeys = loadLater(
  () => import('../components/touch-keys.tsx'),
  (module) => module.TouchKeys,
);

/** The characters of an amount, in the reader's own digits too. */
const amountKey = /^[\d.,\u0660-\u0669\u06f0-\u06f9\u066b]$/;

/** One box for a card, a phone or an e-mail. */
export function FindPanel() {
  const { frame, sale } = useModel();
  const [keypadOpen, setKeypadOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const words = frame.words.value.find;
  const query = sale.query.value;
  const shape = sale.shape.value;
  const stage = sale.stage.value;
  /** The next key was pressed while another operation than the first earn had the focus. */
  const isForOther = useRef(false);
  // The text of a vain look-up is selected, so that the next key replaces it.
  useLayoutEffect(() => {
    if (stage.kind === 'missing' && box.current?.value === stage.lookUp.text) box.current.select();
  }, [stage]);
  const submit = (event: Event): void => {
    event.preventDefault();
    setKeypadOpen(false);
    sale.find();
  };
  return (
    <section class="find" aria-label={words.title}>
      <form onSubmit={submit} noValidate>
        <label class="visually-hidden" for={findBoxId}>
          {words.label}
        </label>
        <div class="find-box row">
          <span class="find-icon">
            <FirstIcon name="scan-line" size={22} />
          </span>
          <input
            id={findBoxId}
            ref={box}
            class="find-input"
            type="text"
            inputMode={keypadOpen ? 'none' : 'text'}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellcheck={false}
            enterKeyHint="search"
            dir="auto"
            maxLength={255}
            aria-describedby="find-taken-for"
            placeholder={words.placeholder}
            value={query}
            onInput={(event) => {
              // With the touch keys open, the cashier types a number to look for, not an amount.
              const byDigitKey = !keypadOpen && !isForOther.current && isAmountKey(event);
              sale.type(event.currentTarget.value, { byDigitKey });
            }}
            onFocus={(event) => {
              isForOther.current = isOther(event.relatedTarget);
            }}
            onKeyDown={(event) => {
              // A key that only came here because nothing else takes it was pressed elsewhere, and is not seen here.
              isForOther.current = false;
              if (event.key !== 'Escape') return;
              if (keypadOpen) setKeypadOpen(false);
              else sale.goBack();
            }}
          />
          {query !== '' && (
            <button
              type="button"
              class="button button-ghost button-icon"
              aria-label={words.clear}
              onClick={() => sale.type('', { byDigitKey: false })}
            >
              <FirstIcon name="x" />
            </button>
          )}
          <button
            type="button"
            class="button button-ghost button-icon"
            aria-label={words.keypad}
            aria-expanded={keypadOpen}
            onClick={() => setKeypadOpen(!keypadOpen)}
          >
            <FirstIcon name="keyboard" />
          </button>
        </div>
        <div class="find-below row gap-2" data-typed={shape === 'empty' ? undefined : ''}>
          <p id="find-taken-for" class="visually-hidden" aria-live="polite">
            {shape === 'unclear' && words.unclear}
            {shape !== 'unclear' && shape !== 'empty' && `${words.takenFor}: ${words.kinds[shape]}`}
          </p>
          {shape === 'empty' && (
            <>
              <FindHint />
              <EnrollButton lookUp={null} look="button-ghost find-enroll" />
            </>
          )}
          {shape !== 'empty' && (
            <>
              <fieldset class="kinds" aria-label={words.takenFor}>
                {lookUpKinds.map((kind) => (
                  <button
                    key={kind}
                    type="button"
                    class="kind"
                    aria-pressed={shape === kind}
                    onClick={() => sale.takeAs(kind)}
                  >
                    {words.kinds[kind]}
                  </button>
                ))}
              </fieldset>
              <button {...touchClicks} type="submit" class="button button-primary find-submit">
                {words.submit}
                <FirstIcon name="arrow-right" mirrors />
              </button>
            </>
          )}
        </div>
        {keypadOpen && (
          <div class="find-keypad">
            <TouchKeys
              label={words.keypad}
              mode="digits"
              capitals="all"
              onKey={(key) => {
                if (box.current !== null) typeInto(box.current, key);
              }}
            />
          </div>
        )}
      </form>
    </section>
  );

  function isOther(from: EventTarget | null): boolean {
    if (!(from instanceof HTMLElement) || from.closest('.act') === null) return false;
    const card = sale.card.value;
    return card === null || from.dataset.operation !== earnsOf(card)[0];
  }
}

/** Whether a key of an amount was typed, and not something pasted, scanned or written by the page itself. */
function isAmountKey({ inputType, data }: InputEvent): boolean {
  return inputType === 'insertText' && amountKey.test(data ?? '');
}

interface EnrollButtonProps {
  /** The look-up that found nobody. */
  readonly lookUp: LookUp | null;
  readonly look: string;
}

/** The service must send a code at once, so nobody can be enrolled without a connection. */
export function EnrollButton({ lookUp, look }: EnrollButtonProps) {
  const { frame, enroll, sale } = useModel();
  const id = useId();
  const words = frame.words.value;
  const isOnline = canAskNow(frame.connection.value);
  return (
    <>
      <button
        type="button"
        class={`button ${look}`}
        data-enroll=""
        disabled={!isOnline || sale.entry.value?.busy === true}
        aria-describedby={isOnline ? undefined : id}
        onClick={() => enroll.begin(lookUp)}
      >
        <FirstIcon name="user-plus" />
        {words.find.enroll}
      </button>
      {!isOnline && (
        <span id={id} class="visually-hidden">
          {words.operations.unavailable.needs_connection}
        </span>
      )}
    </>
  );
}

function FindHint() {
  const { frame, sale } = useModel();
  const words = frame.words.value.find;
  const stray = sale.strayScan.value;
  if (stray === null) {
    return null;
  }
  return (
    <p class="find-hint tone-text-danger row gap-2" role="alert">
      <FirstIcon name="circle-alert" size={18} />
      {words.notACard(stray)}
    </p>
  );
}
