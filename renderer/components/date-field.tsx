import { localeTable } from '../../shared/till/locales.ts';
import { useModel } from '../model.ts';

interface DateFieldProps {
  readonly id?: string;
  /** A day (`2026-11-20`), or a minute (`2026-11-20T14:02`) on the shop's clock; empty when none is chosen. */
  readonly value: string;
  readonly kind?: 'date' | 'datetime-local';
  /** The text while none is chosen. */
  readonly none: string;
  readonly max?: string;
  readonly label?: string;
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}

/**
 * A day as the language writes it. While it is changed, the browser's own field is shown, in its own order of day and
 * month.
 */
export function DateField(props: DateFieldProps) {
  const { kind = 'date', value, none, onChange } = props;
  const { frame } = useModel();
  // A wall time is not an instant, so no time zone may move it.
  const epochMs = Date.parse(kind === 'date' ? `${value}T00:00:00Z` : `${value}Z`);
  const isEmpty = Number.isNaN(epochMs);
  return (
    <span class="date-field">
      <input
        id={props.id}
        class="text-input"
        {...(kind === 'date' ? ({ type: 'date' } as const) : ({ type: 'datetime-local' } as const))}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-invalid={props.isWrong === true}
        value={value}
        max={props.max}
        onInput={(event) => {
          if (kind !== 'date') onChange(event.currentTarget.value);
        }}
        onChange={(event) => {
          if (kind === 'date') onChange(event.currentTarget.value);
        }}
      />
      <span class="date-shown row" data-empty={isEmpty} aria-hidden="true">
        {isEmpty ? none : inWords(epochMs, kind, localeTable[frame.locale.value].tag)}
      </span>
    </span>
  );
}

function inWords(epochMs: number, kind: 'date' | 'datetime-local', tag: string): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat(tag, kind === 'date' ? day : { ...day, ...time }).format(epochMs);
}
