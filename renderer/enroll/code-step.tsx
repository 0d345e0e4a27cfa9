import { Icon } from '../components/icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { countdown } from '../copy/format.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { type Enrollment, type EnrollStep, isAtItsEnd, isCodeAlive, sendAgainInMs } from './enroll-flow.ts';
import { useEnrollSteps } from './enroll-steps.ts';
import { understandPhone } from './phone.ts';

const PracticeCode = loadLater(
  () => import('../lab/practice-code.tsx'),
  (module) => module.PracticeCode,
  'lab',
);

type Code = Extract<EnrollStep, { kind: 'code' }>;

/** Asks for the code from the customer's phone. Shows how long it is valid, and can send another one. */
export function CodeStep({ enrollment, step }: { readonly enrollment: Enrollment; readonly step: Code }) {
  const { frame } = useModel();
  const steps = useEnrollSteps();
  const words = useWords('enroll');
  const { digits } = frame.format.value;
  const phone = understandPhone(enrollment.details.phone, frame.till.value?.currency ?? '');
  const serviceNowMs = frame.serviceNowMs.value;
  const leftMs = step.expiresAtMs - serviceNowMs;
  const waitMs = sendAgainInMs(step, { epochMs: frame.nowMs.value, monotonicMs: frame.monotonicMs.value });
  const isAlive = isCodeAlive(step, serviceNowMs);
  const isEnd = isAtItsEnd(step, serviceNowMs);
  const problem = step.codeProblem;
  return (
    <div class="enroll-body enroll-code">
      <p class="enroll-lead">{words.codeSent(phone?.shown ?? enrollment.details.phone)}</p>
      <div class="enroll-field field">
        <label class="field-label" for="enroll-code">
          {words.code}
        </label>
        <div class="code-row">
          <input
            id="enroll-code"
            class="text-input code-input"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            data-first=""
            readOnly={enrollment.busy}
            aria-invalid={problem !== null}
            aria-describedby="enroll-code-note"
            value={digits(step.code)}
            onInput={(event) => steps.typeCode(event.currentTarget.value)}
          />
          {frame.till.value?.lab != null && (
            <PracticeCode enrollmentId={step.enrollmentId} expiresAtMs={step.expiresAtMs} onUse={steps.typeCode} />
          )}
        </div>
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
      <div class="enroll-again stack gap-2">
        <p class={isAlive ? 'enroll-clock row gap-2' : 'enroll-clock enroll-clock-out row gap-2'}>
          <Icon name="hourglass" size={18} />
          {leftMs > 0 ? words.validFor(digits(countdown(leftMs))) : words.ranOut}
        </p>
        {isEnd ? (
          <button type="button" class="button button-outline" onClick={steps.startAgain}>
            <Icon name="rotate-ccw" size={18} />
            {words.startAgain}
          </button>
        ) : (
          <button
            type="button"
            class="button button-outline"
            disabled={waitMs > 0 || enrollment.busy}
            onClick={() => void steps.sendAgain()}
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
