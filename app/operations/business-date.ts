/** How a shop counts its days: those that close after midnight start the next one later. */
export interface BusinessDay {
  /** IANA name, such as Asia/Kuwait. */
  readonly timeZone: string;
  /** `05:00`: what is sold before belongs to the day before. */
  readonly startsAt: string;
}

/**
 * Gives the business date of instants, as `2026-11-20`. The formatter is made once, and not before the first sale:
 * making one costs more than a hundred commits.
 */
export function businessDates(day: BusinessDay): (epochMs: number) => string {
  const [hours = 0, minutes = 0] = day.startsAt.split(':').map(Number);
  let format: Intl.DateTimeFormat | null = null;
  let lastMinute = Number.NaN;
  let lastDate = '';
  return (epochMs) => {
    const minute = Math.floor(epochMs / 60_000);
    if (minute === lastMinute) return lastDate;
    format ??= wallClock(day.timeZone);
    const parts = new Map(format.formatToParts(epochMs).map(({ type, value }): [string, string] => [type, value]));
    const number = (type: string) => Number(parts.get(type));
    // By the wall clock, not by subtracting hours from the instant: a day with a clock change is 23 or 25 hours long.
    const isBeforeStart = number('hour') * 60 + number('minute') < hours * 60 + minutes;
    const date = new Date(Date.UTC(number('year'), number('month') - 1, number('day') - (isBeforeStart ? 1 : 0)));
    lastMinute = minute;
    lastDate = date.toISOString().slice(0, 10);
    return lastDate;
  };
}

function wallClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
}
