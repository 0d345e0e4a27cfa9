import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { durationInWords } from '../../format.ts';
import type { EnrollDetails, Enrollment, EnrollStep } from '../../state/enroll.ts';
import { useModel } from '../../state/model.ts';
import { enrollFailureWords } from './operation-words.ts';

/** A new customer: what they say, the code from their phone, and their card. */
export function EnrollDialog({ entry }: { readonly entry: Enrollment }) {
  const { frame, enroll } = useModel();
  const words = frame.words.value.enroll;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const { step } = entry;
  useLayoutEffect(() => {
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [step.kind]);
  const isOver = step.kind === 'enrolled' || step.kind === 'known';
  return (
    <dialog
      ref={dialog}
      class="entry enroll"
      aria-labelledby="enroll-title"
      onCancel={(event) => {
        event.preventDefault();
        enroll.close();
      }}
    >
      <form
        class="entry-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isOver) enroll.useCustomer();
          else void enroll.confirm();
        }}
      >
        <header class="entry-head">
          <span class="tile entry-tile tone-waiting">
            <Icon name="user-plus" size={24} />
          </span>
          <div class="two-lines">
            <h2 id="enroll-title" class="entry-title">
              {words.title}
            </h2>
            <p class="entry-who">{words.steps[step.kind]}</p>
          </div>
        </header>
        <div class="entry-body entry-body-single" data-enroll={step.kind}>
          <Step entry={entry} />
        </div>
        <Failure entry={entry} />
        <div class="entry-foot">
          <button type="button" class="button button-outline button-large" onClick={enroll.close}>
            {isOver ? words.close : frame.words.value.entry.cancel}
          </button>
          <button
            type="submit"
            class="button button-primary button-large entry-confirm"
            aria-disabled={entry.busy}
            data-first={isOver ? '' : undefined}
          >
            {entry.busy ? frame.words.value.entry.asking : words.confirm[step.kind]}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Step({ entry }: { readonly entry: Enrollment }) {
  const { frame } = useModel();
  const words = frame.words.value.enroll;
  switch (entry.step.kind) {
    case 'details':
      return <Details entry={entry} />;
    case 'code':
      return <Code entry={entry} step={entry.step} />;
    case 'known':
      return (
        <p class="once">
          <span class="tile tile-large tone-info">
            <Icon name="badge-check" size={28} />
          </span>
          <span>{words.known(entry.step.profile.name ?? frame.words.value.customer.nameless)}</span>
        </p>
      );
    case 'enrolled':
      return (
        <div class="enrolled">
          <QrCode text={entry.step.walletUrl} label={words.qr} />
          <div class="two-lines">
            <strong>{words.enrolled}</strong>
            <span class="quiet">{words.enrolledNext}</span>
          </div>
        </div>
      );
  }
}

function Details({ entry }: { readonly entry: Enrollment }) {
  const { frame } = useModel();
  const words = frame.words.value.enroll;
  return (
    <div class="entry-fields">
      <Field entry={entry} name="phone" type="tel" label={words.phone} note={words.phoneNote} isFirst />
      <Field entry={entry} name="name" type="text" label={words.name} note={words.optional} />
      <Field entry={entry} name="email" type="email" label={words.email} note={words.optional} />
    </div>
  );
}

interface FieldProps {
  readonly entry: Enrollment;
  readonly name: keyof EnrollDetails;
  readonly type: 'tel' | 'text' | 'email';
  readonly label: string;
  readonly note: string;
  readonly isFirst?: boolean;
}

function Field({ entry, name, type, label, note, isFirst = false }: FieldProps) {
  const { frame, enroll } = useModel();
  const isMissing = entry.missing === name;
  return (
    <div class="receipt">
      <label class="field-label" for={`enroll-${name}`}>
        {label}
      </label>
      <input
        id={`enroll-${name}`}
        class="text-input"
        type="text"
        inputMode={type}
        dir={name === 'name' ? 'auto' : 'ltr'}
        autoComplete="off"
        maxLength={255}
        data-first={isFirst ? '' : undefined}
        aria-invalid={isMissing}
        aria-describedby={`enroll-${name}-note`}
        value={entry.details[name]}
        onInput={(event) => enroll.type({ [name]: event.currentTarget.value })}
      />
      <p id={`enroll-${name}-note`} class={isMissing ? 'field-note field-error' : 'field-note'} aria-live="polite">
        {isMissing && <Icon name="circle-alert" size={18} />}
        {isMissing ? frame.words.value.enroll.missing.phone : note}
      </p>
    </div>
  );
}

function Code({ entry, step }: { readonly entry: Enrollment; readonly step: Extract<EnrollStep, { kind: 'code' }> }) {
  const { frame, enroll } = useModel();
  const words = frame.words.value.enroll;
  const format = frame.format.value;
  const leftMs = Date.parse(step.expiresAt) - frame.nowMs.value;
  const againInMs = step.againFromMs - frame.monotonicMs.value;
  const isMissing = entry.missing === 'code';
  const seconds = (ms: number): string => format.number(Math.max(0, Math.ceil(ms / 1000)));
  const left = leftMs < 60_000 ? words.seconds(seconds(leftMs)) : durationInWords(leftMs, frame.words.value, format);
  return (
    <div class="entry-fields">
      <div class="receipt">
        <label class="field-label" for="enroll-code">
          {words.code}
        </label>
        <input
          id="enroll-code"
          class="text-input code-input"
          type="text"
          inputMode="numeric"
          dir="ltr"
          autoComplete="off"
          maxLength={12}
          data-first=""
          aria-invalid={isMissing}
          aria-describedby="enroll-code-note"
          value={step.code}
          onInput={(event) => enroll.typeCode(event.currentTarget.value)}
        />
        <p id="enroll-code-note" class={isMissing ? 'field-note field-error' : 'field-note'}>
          {isMissing ? words.missing.code : leftMs > 0 ? words.codeLeft(left) : words.codeExpired}
        </p>
      </div>
      <button
        type="button"
        class="button button-outline"
        disabled={againInMs > 0 || entry.busy}
        onClick={() => void enroll.sendAgain()}
      >
        <Icon name="rotate-ccw" />
        {againInMs > 0 ? words.againIn(words.seconds(seconds(againInMs))) : words.again}
      </button>
    </div>
  );
}

function Failure({ entry }: { readonly entry: Enrollment }) {
  const { frame } = useModel();
  if (entry.failure === null) return null;
  const { title, next } = enrollFailureWords(entry.failure, frame.words.value);
  return (
    <div class="notice tone-danger-solid entry-failure" role="alert" data-state={entry.failure.code}>
      <Icon name="triangle-alert" size={24} />
      <span>
        <strong>{title}</strong>
        <span class="notice-line">{next}</span>
      </span>
    </div>
  );
}
