import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TillError, TillErrorCode } from '../../../shared/till/api.ts';
import { Icon } from '../../components/icon.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { TouchKeys, typeInto } from '../../components/touch-keys.tsx';
import type { Advice, Words } from '../../copy/index.ts';
import {
  type EnrollDetails,
  type Enrollment,
  type EnrollStep,
  isAtItsEnd,
  isCodeAlive,
  sendAgainInMs,
} from '../../enroll/enroll-flow.ts';
import { understandPhone } from '../../enroll/phone.ts';
import { countdown, maskedEmail, maskedPhone } from '../../format.ts';
import { useModel } from '../../state/model.ts';
import { ScanNote } from './scan-note.tsx';

type Code = Extract<EnrollStep, { kind: 'code' }>;

/** A new customer, from the phone to the card in their wallet. */
export function EnrollDialog({ enrollment }: { readonly enrollment: Enrollment }) {
  const { frame, enroll } = useModel();
  const words = frame.words.value.enroll;
  const dialog = useRef<HTMLDialogElement>(null);
  const [showsKeys, setShowsKeys] = useState(() => matchMedia('(any-pointer: coarse)').matches);
  const { step, busy } = enrollment;
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  // At each step, and after each mistake, what has to be entered next has the focus.
  const mistake =
    step.kind === 'code' ? step.codeProblem : step.kind === 'details' ? Object.keys(step.problems).join() : '';
  useLayoutEffect(() => {
    const wanted = dialog.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-first]');
    wanted?.focus();
    if (wanted instanceof HTMLInputElement) wanted.select();
  }, [step.kind, mistake, enrollment.failure]);
  const takesText = step.kind === 'details' || step.kind === 'code';
  return (
    <dialog
      ref={dialog}
      class="entry enroll"
      aria-labelledby="enroll-title"
      data-step={step.kind}
      onCancel={(event) => {
        event.preventDefault();
        enroll.close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
    >
      <form
        class="entry-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (takesText) void enroll.confirm();
          else enroll.useCustomer();
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
            <Steps at={step.kind} />
          </div>
          {takesText && (
            <button
              type="button"
              class="button button-ghost button-icon"
              aria-label={words.keyboard}
              aria-pressed={showsKeys}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setShowsKeys(!showsKeys)}
            >
              <Icon name="keyboard" />
            </button>
          )}
        </header>
        <ScanNote />
        <StepBody enrollment={enrollment} />
        {takesText && showsKeys && <Keys isCode={step.kind === 'code'} dialog={dialog} />}
        {enrollment.failure !== null && <FailureNote failure={enrollment.failure} />}
        <div class="entry-foot">
          <button type="button" class="button button-outline button-large" onClick={enroll.close}>
            {step.kind === 'done' ? words.close : words.cancel}
          </button>
          {(step.kind === 'code' || step.kind === 'known') && (
            <button type="button" class="button button-outline button-large" onClick={enroll.startAgain}>
              {words.otherNumber}
            </button>
          )}
          <button type="submit" class="button button-primary button-large entry-confirm" aria-disabled={busy}>
            {confirmWords(enrollment, words)}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function confirmWords({ step, busy }: Enrollment, words: Words['enroll']): string {
  switch (step.kind) {
    case 'details':
      return busy ? words.sending : words.sendCode;
    case 'code':
      return busy ? words.checking : words.check;
    case 'known':
      return words.useCustomer;
    case 'done':
      return words.startSale;
  }
}

const shownSteps = ['details', 'code', 'done'] as const;

function Steps({ at }: { readonly at: EnrollStep['kind'] }) {
  const { frame } = useModel();
  const words = frame.words.value.enroll;
  const { number } = frame.format.value;
  const index = at === 'known' ? 0 : shownSteps.indexOf(at);
  return (
    <p class="enroll-steps">
      <span class="visually-hidden">{words.stepOf(number(index + 1), number(shownSteps.length))}</span>
      {shownSteps.map((name, place) => (
        <span key={name} class="enroll-step" data-reached={place <= index ? '' : undefined}>
          {words.steps[name]}
        </span>
      ))}
    </p>
  );
}

function StepBody({ enrollment }: { readonly enrollment: Enrollment }) {
  const { step } = enrollment;
  switch (step.kind) {
    case 'details':
      return <DetailsStep enrollment={enrollment} />;
    case 'code':
      return <CodeStep enrollment={enrollment} step={step} />;
    case 'known':
      return <KnownStep step={step} details={enrollment.details} />;
    case 'done':
      return <DoneStep name={enrollment.details.name.trim()} walletUrl={step.walletUrl} />;
  }
}

function DetailsStep({ enrollment }: { readonly enrollment: Enrollment }) {
  const { frame } = useModel();
  const words = frame.words.value.enroll;
  const { phone } = enrollment.details;
  const understood = understandPhone(phone, frame.till.value?.currency ?? '');
  return (
    <div class="enroll-body enroll-details">
      <Field
        enrollment={enrollment}
        name="phone"
        inputMode="tel"
        isFirst
        note={understood === null ? words.phoneHint : words.understood(understood.shown)}
        isClear={understood !== null}
      />
      <Field enrollment={enrollment} name="name" inputMode="text" />
      <Field enrollment={enrollment} name="email" inputMode="email" />
    </div>
  );
}

interface FieldProps {
  readonly enrollment: Enrollment;
  readonly name: keyof EnrollDetails;
  readonly inputMode: 'tel' | 'text' | 'email';
  readonly isFirst?: boolean;
  readonly note?: string;
  /** The note says what the text was taken for. */
  readonly isClear?: boolean;
}

function Field({ enrollment, name, inputMode, isFirst = false, note, isClear = false }: FieldProps) {
  const { frame, enroll } = useModel();
  const words = frame.words.value.enroll;
  const { step, details } = enrollment;
  const problem = step.kind === 'details' ? step.problems[name] : undefined;
  const id = `enroll-${name}`;
  return (
    <div class={`field field-${name}`}>
      <label class="field-label" for={id}>
        {words[name]} {!isFirst && <span class="field-optional">{words.optional}</span>}
      </label>
      <input
        id={id}
        class={isFirst ? 'text-input text-input-large' : 'text-input'}
        type="text"
        inputMode={inputMode}
        autoComplete="off"
        spellcheck={false}
        dir={name === 'name' ? 'auto' : 'ltr'}
        maxLength={255}
        data-first={isFirst ? '' : undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-note`}
        value={details[name]}
        onInput={(event) => enroll.edit({ [name]: event.currentTarget.value })}
      />
      <p
        id={`${id}-note`}
        class={problem === undefined ? (isClear ? 'field-note field-clear' : 'field-note') : 'field-note field-error'}
        aria-live="polite"
      >
        {problem !== undefined && <Icon name="circle-alert" size={18} />}
        {problem === undefined && isClear && <Icon name="check" size={18} />}
        {problem === undefined ? (note ?? '\u00a0') : words.problems[problem]}
      </p>
    </div>
  );
}

function CodeStep({ enrollment, step }: { readonly enrollment: Enrollment; readonly step: Code }) {
  const { frame, enroll } = useModel();
  const words = frame.words.value.enroll;
  const { digits } = frame.format.value;
  const nowMs = frame.nowMs.value;
  const phone = understandPhone(enrollment.details.phone, frame.till.value?.currency ?? '');
  const leftMs = step.expiresAtMs - nowMs;
  const waitMs = sendAgainInMs(step, { epochMs: nowMs, monotonicMs: frame.monotonicMs.value });
  const isAlive = isCodeAlive(step, nowMs);
  const isEnd = isAtItsEnd(step, nowMs);
  const problem = step.codeProblem;
  return (
    <div class="enroll-body enroll-code">
      <p class="enroll-lead">{words.codeSent(phone?.shown ?? enrollment.details.phone)}</p>
      <div class="field">
        <label class="field-label" for="enroll-code">
          {words.code}
        </label>
        <input
          id="enroll-code"
          class="text-input code-input"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          data-first=""
          aria-invalid={problem !== null}
          aria-describedby="enroll-code-note"
          value={digits(step.code)}
          onInput={(event) => enroll.typeCode(event.currentTarget.value)}
        />
        <p
          id="enroll-code-note"
          class={problem === null ? 'field-note' : 'field-note field-error'}
          aria-live="polite"
          data-otp={problem ?? undefined}
        >
          {problem !== null && <Icon name="circle-alert" size={18} />}
          {problem !== null && words.otp[problem]}
          {problem === null && leftMs <= 0 && words.ranOut}
        </p>
      </div>
      <div class="enroll-again">
        <p class={isAlive ? 'enroll-clock' : 'enroll-clock enroll-clock-out'}>
          <Icon name="hourglass" size={18} />
          {leftMs > 0 ? words.validFor(digits(countdown(leftMs))) : words.ranOut}
        </p>
        {isEnd ? (
          <button type="button" class="button button-outline" onClick={enroll.startAgain}>
            <Icon name="rotate-ccw" size={18} />
            {words.startAgain}
          </button>
        ) : (
          <button
            type="button"
            class="button button-outline"
            disabled={waitMs > 0 || enrollment.busy}
            onClick={() => void enroll.sendAgain()}
          >
            <Icon name="rotate-ccw" size={18} />
            {waitMs > 0 ? words.sendAgainIn(digits(countdown(waitMs))) : words.sendAgain}
          </button>
        )}
      </div>
      <p class="enroll-resent" role="status">
        {isEnd ? words.atItsEnd : step.resent !== null && words.resent[step.resent]}
      </p>
    </div>
  );
}

interface KnownStepProps {
  readonly step: Extract<EnrollStep, { kind: 'known' }>;
  readonly details: EnrollDetails;
}

function KnownStep({ step: { profile }, details }: KnownStepProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const contact =
    profile?.phone != null
      ? maskedPhone(profile.phone)
      : profile?.email != null
        ? maskedEmail(profile.email)
        : maskedPhone(details.phone);
  return (
    <div class="enroll-body enroll-middle" role="status">
      <span class="tile tile-large tone-info">
        <Icon name="user-check" size={28} />
      </span>
      <h3 class="blank-title">{words.enroll.known}</h3>
      <p class="blank-code">
        <bdi>{profile?.name ?? words.customer.nameless}</bdi> <bdi dir="ltr">{contact}</bdi>
      </p>
      <p class="blank-text">{words.enroll.knownNext}</p>
    </div>
  );
}

function DoneStep({ name, walletUrl }: { readonly name: string; readonly walletUrl: string }) {
  const { frame } = useModel();
  const words = frame.words.value.enroll;
  return (
    <div class="enroll-body enroll-done" role="status">
      <QrCode text={walletUrl} label={words.wallet} />
      <div class="enroll-done-text">
        <span class="tile tile-large tone-success">
          <Icon name="circle-check" size={28} />
        </span>
        <h3 class="enroll-done-title">{name === '' ? words.doneNameless : words.done(name)}</h3>
        <p class="quiet">{words.doneNext}</p>
        <bdi dir="ltr" class="ref enroll-link">
          {walletUrl}
        </bdi>
      </div>
    </div>
  );
}

interface KeysProps {
  readonly isCode: boolean;
  readonly dialog: { readonly current: HTMLDialogElement | null };
}

/** The keys of the field that has the focus: digits for a number, letters for a name. */
function Keys({ isCode, dialog }: KeysProps) {
  const { frame } = useModel();
  const [kind, setKind] = useState('tel');
  useLayoutEffect(() => {
    const root = dialog.current;
    const note = (): void => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement) setKind(field.inputMode);
    };
    note();
    root?.addEventListener('focusin', note);
    return () => root?.removeEventListener('focusin', note);
  }, [dialog]);
  const mode = !isCode && (kind === 'text' || kind === 'email') ? 'letters' : 'digits';
  const script = kind === 'text' && frame.locale.value === 'ar' ? 'arabic' : 'latin';
  return (
    <div class="enroll-keys">
      <TouchKeys
        key={`${mode} ${script}`}
        label={frame.words.value.enroll.keyboard}
        mode={mode}
        startsIn={script}
        capitals={kind === 'text' ? 'next' : 'none'}
        onKey={(key) => {
          const field = document.activeElement;
          if (field instanceof HTMLInputElement) typeInto(field, key);
        }}
      />
    </div>
  );
}

function FailureNote({ failure }: { readonly failure: TillError }) {
  const { frame } = useModel();
  const { title, next } = failureAdvice(failure, frame.words.value);
  return (
    <div class="notice tone-danger-solid entry-failure" role="alert" data-state={failure.code}>
      <Icon name="triangle-alert" size={24} />
      <span>
        <strong>{title}</strong>
        <span class="notice-line">{next}</span>
      </span>
    </div>
  );
}

/** What an error of the agent means for an enrollment; the rest are said as everywhere. */
const failureNames: Readonly<Partial<Record<TillErrorCode, keyof Words['enroll']['failures']>>> = {
  not_sent: 'not_sent',
  offline: 'not_sent',
  agent_gone: 'unknown',
  books_unread: 'unknown',
  not_saved: 'not_saved',
  invalid: 'phone',
};
const templateProblems: ReadonlySet<unknown> = new Set(['template_not_found', 'template_id_required']);

function failureAdvice({ code, service_code, details }: TillError, words: Words): Advice {
  const { failures } = words.enroll;
  if (code === 'refused') {
    if (details?.some((detail) => templateProblems.has(detail)) === true) return failures.template;
    return service_code === 'VALIDATION_ERROR' ? failures.phone : failures.other;
  }
  const name = failureNames[code];
  return name === undefined ? words.errors[code] : failures[name];
}
