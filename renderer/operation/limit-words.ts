import { assertNever } from '../../shared/lib/assert-never.ts';
import type { LimitName } from '../../shared/till/limits.ts';
import type { Words } from '../copy/en/start.ts';
import { earnInWords, type Format } from '../copy/format.ts';
import { type Limits, type NumberKind, saleLimits } from './entry.ts';

/** A limit that an operation would pass, in words. @param limit.value money in minor units of the currency */
export function limitInWords(
  { name, value, currency }: { readonly name: LimitName; readonly value: number; readonly currency: string },
  words: Words,
  format: Format,
): string {
  const { sale, hour } = words.entry.aboveLimit;
  switch (name) {
    case 'max_amount_minor':
      return sale(format.money(value, currency));
    case 'max_points':
      return sale(earnInWords({ points: value }, words, format));
    case 'max_stamps':
      return sale(earnInWords({ stamps: value }, words, format));
    case 'max_visits':
      return sale(earnInWords({ visits: value }, words, format));
    case 'max_amount_per_hour_minor':
      return hour(format.money(value, currency));
    case 'max_points_per_hour':
      return hour(earnInWords({ points: value }, words, format));
    case 'max_stamps_per_hour':
      return hour(earnInWords({ stamps: value }, words, format));
    case 'max_visits_per_hour':
      return hour(earnInWords({ visits: value }, words, format));
    case 'max_rewards_per_hour':
      return hour(words.entry.limitOfRewards(value, format.number(value)));
    default:
      return assertNever(name);
  }
}

/** The till's limit of one sale, in words. */
export function saleLimitInWords(kind: NumberKind, limits: Limits, words: Words, format: Format): string {
  const name = saleLimits[kind.unit];
  return limitInWords(
    { name, value: limits[name], currency: kind.unit === 'money' ? kind.currency : '' },
    words,
    format,
  );
}
