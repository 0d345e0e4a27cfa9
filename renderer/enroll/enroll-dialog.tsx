import { useRef, useState } from 'preact/hooks';
import { DialogFoot } from '../components/dialog-foot.tsx';
import { DialogHead } from '../components/dialog-parts.tsx';
import { Icon } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import type { EnrollWords } from '../copy/en/enroll.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { ScanNote } from '../sale/scan-note.tsx';
import { CodeStep } from './code-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { EnrollFailure } from './enroll-failure.tsx';
import type { Enrollment, EnrollStep } from './enroll-flow.ts';
import { EnrollKeys } from './enroll-keys.tsx';
import { useEnrollSteps } from './enroll-steps.ts';
import { DoneStep, KnownStep } from './last-steps.tsx';

/** Enrolls a new customer, from the phone to the card in their wallet. */
export function EnrollDialog({ enrollment }: { readonly enrollment: Enrollment }) {
  const steps = useEnrollSteps();
  const words = useWords('enroll');
  const dialog = useRef<HTMLDialogElement>(null);
  const [showsKeys, setShowsKeys] = useState(() => matchMedia('(any-pointer: coarse)').matches);
  const { step, busy } = enrollment;
  const problem =
    step.kind === 'code' ? step.codeProblem : step.kind === 'details' ? Object.keys(step.problems).join() : null;
  const takesText = step.kind === 'details' || step.kind === 'code';
  return (
    <ModalForm
      titleId="enroll-title"
      look="enroll"
      thenTo="find_box"
      dialog={dialog}
      step={step.kind}
      mistake={problem === null || problem === '' ? enrollment.failure : problem}
      data-step={step.kind}
      onLeave={steps.close}
      onConfirm={() => {
        if (takesText) void steps.confirm();
        else steps.useCustomer();
      }}
    >
      <DialogHead
        titleId="enroll-title"
        title={words.title}
        icon="user-plus"
        aside={
          takesText && (
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
          )
        }
      >
        <Steps at={step.kind} />
      </DialogHead>
      <ScanNote />
      <StepBody enrollment={enrollment} />
      {takesText && showsKeys && <EnrollKeys isCode={step.kind === 'code'} dialog={dialog} />}
      {enrollment.failure !== null && <EnrollFailure failure={enrollment.failure} />}
      <DialogFoot
        cancel={step.kind === 'done' ? words.close : words.cancel}
        onCancel={steps.close}
        confirm={confirmWords(enrollment, words)}
        isIdle={busy}
        isFirst={!takesText}
      >
        {(step.kind === 'code' || step.kind === 'known') && (
          <button type="button" class="button button-outline button-large" onClick={steps.startAgain}>
            {words.otherNumber}
          </button>
        )}
      </DialogFoot>
    </ModalForm>
  );
}

function confirmWords({ step, busy }: Enrollment, words: EnrollWords): string {
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
  const words = useWords('enroll');
  const { number } = frame.format.value;
  const index = at === 'known' ? 0 : shownSteps.indexOf(at);
  return (
    <p class="enroll-steps">
      <span class="visually-hidden">{words.stepOf(number(index + 1), number(shownSteps.length))}</span>
      {shownSteps.map((name, place) => (
        <span key={name} class="enroll-step row gap-2" data-reached={place <= index ? '' : undefined}>
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
