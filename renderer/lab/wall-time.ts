import { minuteMs } from '../../shared/lib/durations.ts';

/** How far a zone's wall clock is ahead of UTC at an instant. */
function offsetMs(epochMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(epochMs);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((other) => other.type === type)?.value ?? '0');
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(epochMs / 1000) * 1000;
}

/** The instant of `2026-11-20T18:13` in this zone; null when the text is no date and time. */
export function instantOf(wallText: string, timeZone: string): number | null {
  const wall = Date.parse(`${wallText}Z`);
  if (Number.isNaN(wall)) return null;
  // The second step is for the days on which the clocks change.
  const guess = wall - offsetMs(wall, timeZone);
  return wall - offsetMs(guess, timeZone);
}

/** The text in a field for date and time, to the minute. */
export function wallTextOf(epochMs: number, timeZone: string): string {
  const wall = Math.floor(epochMs / minuteMs) * minuteMs;
  return new Date(wall + offsetMs(wall, timeZone)).toISOString().slice(0, 16);
}
