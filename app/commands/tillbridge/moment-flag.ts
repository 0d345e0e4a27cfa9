import { dayMs, hourMs, minuteMs } from '../../../shared/lib/durations.ts';
import { businessDateSchema } from '../../../shared/till/day-views.ts';
import { WrongUseError } from './wrong-use.ts';

const unitsMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

/**
 * An instant (2026-11-20T05:00:00Z), or a time back from now (90m, 12h, 2d), as milliseconds since 1970.
 *
 * @throws WrongUseError
 */
export function momentOf(flag: string, text: string, nowMs: number): number {
  const back = /^(\d{1,6})([mhd])$/.exec(text);
  const unitMs = unitsMs[back?.[2] ?? ''];
  if (back !== null && unitMs !== undefined) return Math.max(0, nowMs - Number(back[1]) * unitMs);
  const instantMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instantMs)) return instantMs;
  throw new WrongUseError(`--${flag}: ${text} is neither an instant nor a time back such as 90m, 12h or 2d`);
}

/** What `--day` names; null when it is not given. @throws WrongUseError */
export function businessDateOf(values: ReadonlyMap<string, string>): string | null {
  const given = values.get('day');
  if (given === undefined) return null;
  const read = businessDateSchema.safeParse(given);
  if (read.success) return read.data;
  throw new WrongUseError(`--day: ${read.error.issues[0]?.message ?? 'is not a date'}`);
}
