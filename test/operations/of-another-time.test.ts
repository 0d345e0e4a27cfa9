import { describe, expect, it } from 'vitest';
import { isOfAnotherTime, type ToldRecord } from '../../app/operations/ownership/same-record.ts';

const at = (time: string): string => `2026-11-27T${time}:00.000Z`;
const ms = (time: string): number => Date.parse(at(time));

/** A sale of 10:00 that was sent at 10:02 and at 14:00, and of which the till knows no answer. */
function isAnothers(record: ToldRecord, rangeMs = 0): boolean {
  const send = { firstSentAtMs: ms('10:02'), possibleMs: [ms('10:02'), ms('14:00')], rangeMs, nowMs: ms('14:30') };
  return isOfAnotherTime(record, { occurredAtMs: ms('10:00'), sends: [send], isFirstAnswer: false });
}

describe('a record of the same customer, value and number is another till’s', () => {
  it.each([
    ['the sale’s own time, about', '10:01', undefined, false],
    ['the time of a send, about', '14:03', undefined, false],
    ['a time of no send', '12:00', undefined, true],
    ['a time of no send, completed at a send', '12:00', '14:01', false],
    ['a time of no send, completed then', '12:00', '12:01', true],
  ] as const)('by its time: %s', (_, noted, completed, expected) => {
    const record = { occurred_at: at(noted), ...(completed === undefined ? {} : { completed_at: at(completed) }) };
    expect(isAnothers(record)).toBe(expected);
  });

  it('five minutes from a send, and by as much more as the clock may have been set', () => {
    const record = { occurred_at: at('14:07') };
    expect([isAnothers(record), isAnothers(record, 60_000), isAnothers(record, 3 * 60_000)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
