import { minuteMs } from '../../../shared/lib/durations.ts';

/** How a shop counts its days: those that close after midnight start the next one later. */
interface BusinessDay {
  /** IANA name, such as Asia/Kuwait. */
  readonly timeZone: string;
  /** `05:00`: what is sold before belongs to the day before. */
  readonly startsAt: string;
}

/** What a clock on the wall shows. */
interface WallTime {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  readonly minuteOfDay: number;
}

/** The shop's own days. */
export interface BusinessCalendar {
  /** The business day of an instant, as `2026-11-20`. */
  dateOf(epochMs: number): string;
}

/** What it needs of the time zone is made once, and not before the first sale. */
export function businessCalendar(day: BusinessDay): BusinessCalendar {
  const [hours = 0, minutes = 0] = day.startsAt.split(':').map(Number);
  let wallTime: ((epochMs: number) => WallTime) | null = null;
  let lastMinute = Number.NaN;
  let lastDate = '';
  const dateOf = (epochMs: number): string => {
    const minute = Math.floor(epochMs / minuteMs);
    if (minute === lastMinute) return lastDate;
    wallTime ??= process.env.TZ === day.timeZone ? wallTimeHere : wallTimeIn(day.timeZone);
    const found = wallTime(epochMs);
    // By the wall clock, not by subtracting hours from the instant: a day with a clock change is 23 or 25 hours long.
    const isBeforeStart = found.minuteOfDay < hours * 60 + minutes;
    const date = new Date(Date.UTC(found.year, found.month, found.day - (isBeforeStart ? 1 : 0)));
    lastMinute = minute;
    lastDate = date.toISOString().slice(0, 10);
    return lastDate;
  };
  return { dateOf };
}

/** Where the process itself lives in the time zone: this calendar is there at once. */
function wallTimeHere(epochMs: number): WallTime {
  const local = new Date(epochMs);
  return {
    year: local.getFullYear(),
    month: local.getMonth(),
    day: local.getDate(),
    minuteOfDay: local.getHours() * 60 + local.getMinutes(),
  };
}

/** Making the first formatter of a process takes 10 ms, more than a hundred commits. */
function wallTimeIn(timeZone: string): (epochMs: number) => WallTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (epochMs) => {
    const parts = new Map(format.formatToParts(epochMs).map(({ type, value }): [string, string] => [type, value]));
    const number = (type: string) => Number(parts.get(type));
    return {
      year: number('year'),
      month: number('month') - 1,
      day: number('day'),
      minuteOfDay: number('hour') * 60 + number('minute'),
    };
  };
}
