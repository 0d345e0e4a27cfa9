interface SegmentsProps<Value> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: Value | null;
  readonly onChoose: (value: Value) => void;
}

/** A few choices side by side, one of them chosen. */
export function Segments<Value extends string | number>({
  legend,
  name,
  options,
  chosen,
  onChoose,
}: SegmentsProps<Value>) {
  return (
    <fieldset class="segments">
      <legend class="field-label">{legend}</legend>
      <div class="segments-row">
        {options.map(({ value, label }) => (
          <label key={value} class="segment tickable">
            <input
              type="radio"
              class="visually-hidden"
              name={name}
              checked={value === chosen}
              onChange={() => onChoose(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
