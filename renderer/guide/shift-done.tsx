import { useEffect, useRef, useState } from 'preact/hooks';
import { minuteMs } from '../../shared/lib/durations.ts';
import type { TillAnswer } from '../../shared/till/api.ts';
import { Icon } from '../components/icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';

interface ShiftDoneProps {
  readonly startedAtMs: number;
  readonly onClose: () => void;
}

/** The end of a practice shift: a name, and a line in the log that says who has completed it. */
export function ShiftDone({ startedAtMs, onClose }: ShiftDoneProps) {
  const { api, clock, frame } = useModel();
  const words = useWords('guide').shift;
  const format = frame.format.value;
  const cashierName = frame.till.value?.cashier?.name ?? '';
  const [name, setName] = useState(cashierName);
  const [problem, setProblem] = useState<string | null>(null);
  const [certificate, setCertificate] = useState<TillAnswer<'practice.certify'> | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // The shift ends now. The time for typing the name does not count.
  const [minutes] = useState(() => Math.max(1, Math.round((clock.now() - startedAtMs) / minuteMs)));
  useEffect(() => field.current?.focus(), []);

  const certify = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') {
      setProblem(words.nameMissing);
      field.current?.focus();
      return;
    }
    const reply = await api.call('practice.certify', { name: name.trim(), minutes });
    setProblem(reply.ok ? null : words.notCertified);
    if (reply.ok) setCertificate(reply.value);
  };

  if (certificate !== null) {
    const at = format.dateTime(Date.parse(certificate.completed_at));
    return (
      <>
        <p class="shift-step two-lines" role="status">
          <strong>
            <Icon name="badge-check" size={20} />
            {words.certified(certificate.name, at)}
          </strong>
          <span class="shift-how">{words.certifiedNext(certificate.minutes, format.number(certificate.minutes))}</span>
        </p>
        <button type="button" class="button button-primary" onClick={onClose}>
          {words.close}
        </button>
      </>
    );
  }
  return (
    <form class="shift-form row gap-3" noValidate onSubmit={(event) => void certify(event)}>
      <strong>{words.finished}</strong>
      <label class="visually-hidden" for="shift-name">
        {words.nameLabel}
      </label>
      <input
        id="shift-name"
        ref={field}
        class="text-input"
        maxLength={80}
        autoComplete="off"
        placeholder={words.nameLabel}
        aria-invalid={problem !== null}
        aria-describedby="shift-problem"
        value={name}
        onInput={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <button type="submit" class="button button-primary">
        {words.certify}
      </button>
      <button type="button" class="button button-ghost" onClick={onClose}>
        {words.leave}
      </button>
      <span id="shift-problem" class="field-error" role="status">
        {problem}
      </span>
    </form>
  );
}
