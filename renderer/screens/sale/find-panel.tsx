import { useState } from 'preact/hooks';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Keypad } from '../../components/keypad.tsx';
import { findBoxId } from '../../find/focus.ts';
import { type LookUpKind, lookUpKinds } from '../../find/shape.ts';
import { useModel } from '../../state/model.ts';

const kindIcons: Readonly<Record<LookUpKind, IconName>> = { card: 'id-card', phone: 'phone', email: 'mail' };
const findKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '0', 'erase'] as const;

/** One box for whatever the customer hands over. */
export function FindPanel() {
  const { frame, sale } = useModel();
  const [keypadOpen, setKeypadOpen] = useState(false);
  const words = frame.words.value.find;
  const query = sale.query.value;
  const shape = sale.shape.value;
  const submit = (event: Event): void => {
    event.preventDefault();
    setKeypadOpen(false);
    sale.find();
  };
  return (
    <section class="find" aria-label={words.title}>
      <form onSubmit={submit} noValidate>
        <label class="field-label" for={findBoxId}>
          {words.label}
        </label>
        <div class="find-box">
          <span class="find-icon">
            <Icon name="scan-line" size={22} />
          </span>
          <input
            id={findBoxId}
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
            value={query}
            onInput={(event) => sale.type(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              if (keypadOpen) setKeypadOpen(false);
              else sale.clear();
            }}
          />
          {query !== '' && (
            <button type="button" class="button button-ghost button-icon" aria-label={words.clear} onClick={sale.clear}>
              <Icon name="x" />
            </button>
          )}
          <button
            type="button"
            class="button button-ghost button-icon"
            aria-label={words.keypad}
            aria-expanded={keypadOpen}
            onClick={() => setKeypadOpen(!keypadOpen)}
          >
            <Icon name="keyboard" />
          </button>
        </div>
        <div class="find-below">
          <p id="find-taken-for" class="visually-hidden" aria-live="polite">
            {shape === 'unclear' && words.unclear}
            {shape !== 'unclear' && shape !== 'empty' && `${words.takenFor}: ${words.kinds[shape]}`}
          </p>
          {shape === 'empty' && <FindHint />}
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
                    <Icon name={kindIcons[kind]} size={18} />
                    {words.kinds[kind]}
                  </button>
                ))}
              </fieldset>
              <button type="submit" class="button button-primary find-submit">
                {words.submit}
                <Icon name="arrow-right" mirrors />
              </button>
            </>
          )}
        </div>
        {keypadOpen && (
          <div class="find-keypad">
            <Keypad
              keys={findKeys}
              label={words.keypad}
              eraseLabel={words.erase}
              write={(key) => key}
              onPress={(key) => sale.type(key === 'erase' ? query.slice(0, -1) : query + key)}
            />
          </div>
        )}
      </form>
    </section>
  );
}

function FindHint() {
  const { frame, sale } = useModel();
  const words = frame.words.value.find;
  const stray = sale.strayScan.value;
  if (stray === null) {
    return (
      <p class="find-hint">
        <span class="pulse-dot" aria-hidden="true" />
        {words.ready}
      </p>
    );
  }
  return (
    <p class="find-hint tone-text-danger" role="alert">
      <Icon name="circle-alert" size={18} />
      {words.notACard(stray)}
    </p>
  );
}
