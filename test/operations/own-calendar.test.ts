import { afterEach, expect, it, vi } from 'vitest';
import { businessCalendar } from '../../app/operations/requests/business-date.ts';

const zones = ['Asia/Kuwait', 'Africa/Cairo', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC'];
const quarterHourMs = 900_000;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it.each(zones)('counts the days of %s alike, whether the process lives there or not', (timeZone) => {
  const day = { timeZone, startsAt: '02:30' };
  // Around both clock changes of a year, north and south, and a few more.
  const instants = ['2026-03-08', '2026-04-05', '2026-04-24', '2026-10-04', '2026-10-30', '2026-11-01', '2027-01-01']
    .map((date) => Date.parse(`${date}T00:00:00Z`))
    .flatMap((midnight) => Array.from({ length: 192 }, (_, place) => midnight + (place - 96) * quarterHourMs));
  vi.stubEnv('TZ', 'Pacific/Chatham');
  const datesOfAll = () => {
    const calendar = businessCalendar(day);
    return instants.map((instant) => calendar.dateOf(instant));
  };
  const elsewhere = datesOfAll();
  vi.stubEnv('TZ', timeZone);
  const formatter = vi.spyOn(Intl, 'DateTimeFormat');
  expect(datesOfAll()).toEqual(elsewhere);
  expect(formatter).not.toHaveBeenCalled();
});
