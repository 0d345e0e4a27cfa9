import { Icon } from '../components/icon.tsx';
import { Segments } from '../components/segments.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { Enrollment, TypedDetail } from './enroll-flow.ts';
import { useEnrollSteps } from './enroll-steps.ts';
import { understandPhone } from './phone.ts';

/** Asks for the phone, a name and an e-mail. Shows how the phone is understood. */
export function DetailsStep({ enrollment }: { readonly enrollment: Enrollment }) {
  const { frame } = useModel();
  const steps = useEnrollSteps();
  const words = useWords('enroll');
  const { phone, templateId } = enrollment.details;
  const templates = frame.till.value?.enroll_templates ?? [];
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
      {templates.length > 1 && (
        <Segments
          legend={words.template}
          name="enroll-template"
          options={templates.map(({ template_id, name }) => ({ value: template_id, label: name }))}
          chosen={templateId}
          onChoose={(chosen) => steps.edit({ templateId: chosen })}
        />
      )}
    </div>
  );
}

interface FieldProps {
  readonly enrollment: Enrollment;
  readonly name: TypedDetail;
  readonly inputMode: 'tel' | 'text' | 'email';
  readonly isFirst?: boolean;
  readonly note?: string;
  /** Whether the note says what the text was understood as. */
  readonly isClear?: boolean;
}

function Field({ enrollment, name, inputMode, isFirst = false, note, isClear = false }: FieldProps) {
  const steps = useEnrollSteps();
  const words = useWords('enroll');
  const { step, details } = enrollment;
  const problem = step.kind === 'details' ? step.problems[name] : undefined;
  const id = `enroll-${name}`;
  return (
    <div class={`enroll-field field-${name} field`}>
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
        readOnly={enrollment.busy}
        data-first={isFirst ? '' : undefined}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-note`}
        value={details[name]}
        onInput={(event) => steps.edit({ [name]: event.currentTarget.value })}
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
