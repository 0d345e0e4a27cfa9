import { useWords } from '../copy/use-words.ts';

interface ReasonFieldProps {
  readonly value: string;
  readonly isMissing: boolean;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  readonly onInput: (reason: string) => void;
}

/** The reason of a decision, which the operation's history keeps. */
export function ReasonField({ value, isMissing, isFirst = false, onInput }: ReasonFieldProps) {
  const own = useWords('attention');
  return (
    <div class="receipt">
      <label class="field-label" for="decide-reason">
        {own.reason}
      </label>
      <input
        id="decide-reason"
        class="text-input"
        type="text"
        dir="auto"
        autoComplete="off"
        maxLength={255}
        data-first={isFirst ? '' : undefined}
        aria-invalid={isMissing}
        aria-describedby="decide-reason-note"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id="decide-reason-note" class={isMissing ? 'field-note field-error' : 'field-note'} aria-live="polite">
        {isMissing ? own.reasonMissing : own.reasonNote}
      </p>
    </div>
  );
}
