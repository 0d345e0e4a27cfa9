export interface PinFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly isReadOnly?: boolean;
  readonly onInput: (pin: string) => void;
}

/** Where a manager confirms something in a dialog that is open. */
export function PinField({ id, label, value, isReadOnly = false, onInput }: PinFieldProps) {
  return (
    <div class="receipt">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="text-input code-input"
        type="password"
        inputMode="numeric"
        dir="ltr"
        autoComplete="off"
        maxLength={12}
        readOnly={isReadOnly}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
