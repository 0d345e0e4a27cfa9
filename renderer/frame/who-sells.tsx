import { useEffect } from 'preact/hooks';
import { DialogFoot } from '../components/dialog-foot.tsx';
import { DialogHead } from '../components/dialog-parts.tsx';
import { Icon } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import { errorAdvice } from '../copy/error-advice.ts';
import { useModel } from '../model.ts';
import type { Asking } from './cashier.ts';
import { PinStep } from './pin-step.tsx';

/** Asks who sells. The cashier scans a badge or types its number, or chooses a name and types the PIN. */
export function WhoSells({ asking }: { readonly asking: Asking }) {
  const { frame, cashier } = useModel();
  const words = frame.words.value;
  const shut = frame.till.value?.sign_in ?? null;
  const isShut = shut !== null;
  const titles = { locked: words.cashier.lockedTitle, needed: words.cashier.neededTitle };
  const problem = asking.failure === null ? null : errorAdvice(asking.failure, words, frame.format.value);
  // A dialog that the browser has closed opens again, but a shut screen is not open for a moment. So the key is stopped.
  useEffect(() => {
    if (!isShut) return undefined;
    const keepShut = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') event.preventDefault();
    };
    window.addEventListener('keydown', keepShut, true);
    return () => window.removeEventListener('keydown', keepShut, true);
  }, [isShut]);
  const title = shut === null ? words.cashier.title : titles[shut];
  const tooSoon = asking.isTooSoon ? words.cashier.tooSoon : null;
  const problemText = problem === null ? tooSoon : `${problem.title}. ${problem.next}`;
  return (
    <ModalForm
      titleId="who-title"
      look={isShut ? 'who who-page shut-dialog' : 'who'}
      data-shut={shut ?? ''}
      thenTo={isShut ? 'opener' : 'find_box'}
      step={asking.name ?? ''}
      mistake={asking.failure}
      onLeave={asking.name === null ? cashier.cancel : cashier.back}
      onConfirm={() => void cashier.confirm()}
    >
      {isShut && <TillClock />}
      {/* No field has the focus, so that keys that were being typed when the screen locked do nothing. */}
      <div class="who-head" tabIndex={-1} data-first={shut === 'locked' && asking.name === null ? '' : undefined}>
        <DialogHead titleId="who-title" title={title} icon={shut === 'locked' ? 'lock' : 'id-card'} tone="info">
          {shut === 'locked' && <span class="quiet">{words.cashier.waits}</span>}
        </DialogHead>
      </div>
      {asking.name === null ? (
        <NamesStep asking={asking} problem={problemText} isFirst={shut !== 'locked'} />
      ) : (
        <PinStep name={asking.name} asking={asking} problem={problemText} />
      )}
      <DialogFoot
        cancel={asking.name !== null ? words.cashier.back : isShut ? null : words.entry.cancel}
        onCancel={asking.name === null ? cashier.cancel : cashier.back}
        confirm={words.cashier.signIn}
        isIdle={asking.busy || asking.text === ''}
      />
    </ModalForm>
  );
}

/** The till's name and the time. A locked screen shows nothing else of the shop. */
function TillClock() {
  const { frame } = useModel();
  return (
    <div class="who-till">
      <bdi class="who-device">{frame.till.value?.device_name}</bdi>
      <time class="who-clock">{frame.format.value.time(frame.nowMs.value)}</time>
    </div>
  );
}

interface NamesStepProps {
  readonly asking: Asking;
  readonly problem: string | null;
  /** Whether the field has the focus from the start. */
  readonly isFirst: boolean;
}

function NamesStep({ asking, problem, isFirst }: NamesStepProps) {
  const { frame, cashier } = useModel();
  const words = frame.words.value.cashier;
  const named = frame.till.value?.cashiers.filter(({ has_pin: hasPin }) => hasPin) ?? [];
  return (
    <div class="who-body">
      <p class="who-scan row gap-3">
        <Icon name="scan-line" size={28} />
        <strong>{named.length === 0 ? words.scan : words.scanOrName}</strong>
      </p>
      {named.length > 0 && (
        <ul class="who-names" aria-label={words.names}>
          {named.map(({ name, employee_ref }) => (
            <li key={employee_ref}>
              <button
                type="button"
                class="button button-outline who-name"
                data-name={employee_ref}
                onClick={() => cashier.pick(name)}
              >
                <bdi class="cut">{name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="who-badge">
        <label class="field-label" for="badge-number">
          {words.badge}
        </label>
        <input
          id="badge-number"
          class="text-input text-input-large"
          // The number is hidden, because everybody who reads it could sign in with it.
          type="password"
          autoComplete="off"
          maxLength={255}
          data-first={isFirst ? '' : undefined}
          readOnly={asking.busy}
          aria-invalid={problem !== null}
          aria-describedby="badge-note"
          value={asking.text}
          onInput={(event) => cashier.type(event.currentTarget.value)}
        />
        <p id="badge-note" class={problem === null ? 'field-note' : 'field-note field-error'} aria-live="polite">
          {problem !== null && <Icon name="circle-alert" size={18} />}
          {problem ?? words.hint}
        </p>
      </div>
    </div>
  );
}
