import { type Locale, localeTable } from '../../shared/till/locales.ts';
import { knownTimeZone } from '../copy/format.ts';

const secondMs = 1000;

/** Writes times to the second, and durations. */
export interface LabFormat {
  /** `21:13:05`. */
  readonly second: (epochMs: number) => string;
  /** `Friday 20 November 2026`. */
  readonly day: (epochMs: number) => string;
  /** `21 Nov 2026, 18:13`. */
  readonly date: (epochMs: number) => string;
  /** `one, two and three`. */
  readonly list: (parts: readonly string[]) => string;
  /** `2 hours`: a duration in its largest unit. A part of a second counts as a second. */
  readonly length: (ms: number) => string;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export function makeLabFormat(locale: Locale, timeZone: string): LabFormat {
  const { tag } = localeTable[locale];
  const zone = knownTimeZone(timeZone);
  const second = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', hourCycle: 'h23', ...zone });
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'full', ...zone });
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', ...zone });
  const list = new Intl.ListFormat(tag);
  return {
    date: (epochMs) => date.format(epochMs),
    list: (parts) => list.format(parts),
    second: (epochMs) => second.format(epochMs),
    day: (epochMs) => day.format(epochMs),
    length(ms) {
      const seconds = Math.max(0, Math.ceil(ms / secondMs));
      const [unit, size] = units.find(([, least]) => seconds >= least) ?? ['second', 1];
      const value = Math.floor((seconds / size) * 10) / 10;
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        maximumFractionDigits: value < 10 && (unit === 'day' || unit === 'hour') ? 1 : 0,
      }).format(value);
    },
  };
}
