import type { Words } from '../copy/en/start.ts';
import { earnInWords, type Format } from '../copy/format.ts';
import type { Did } from './past.ts';

/** `Earned KWD 12.500`, `Spent 40 points`, `Gave Free cake`. */
export function didInWords({ way, value, given, isCoupon }: Did, words: Words, format: Format): string {
  const { did } = words;
  if (value === null) {
    if (way === 'earn') return did.earned('');
    if (isCoupon) return given === null ? did.usedCoupon : did.usedNamed(given);
    return given === null ? did.gaveReward : did.gave(given);
  }
  const written = earnInWords(value, words, format);
  if ('amount_minor' in value) return way === 'earn' ? did.earned(written) : did.spent.money(written);
  const unit = 'points' in value ? 'points' : 'stamps' in value ? 'stamps' : 'visits';
  return way === 'earn' ? did.added[unit](written) : did.spent[unit](written);
}
