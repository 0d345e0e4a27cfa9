import { describe, expect, it } from 'vitest';
import { afterwards, nextLookInMs, watchAfter } from '../../app/store/schema/watch-schedule.ts';
import { operationEvents, operationStates } from '../../shared/machines/operation.ts';
import { isInTheBooks, operationIntents } from '../../shared/machines/operation-intents.ts';

const minuteMs = 60_000;

describe('the looks at what may still come', () => {
  it('are 2 and 10 minutes, 1, 6 and 24 hours after it was left', () => {
    const times: number[] = [];
    for (let atMs = 0, looks = 0; ; looks += 1) {
      const nextInMs = nextLookInMs('whole', looks);
      if (nextInMs === null) break;
      atMs += nextInMs;
      times.push(atMs / minuteMs);
    }
    expect(times).toEqual([2, 10, 60, 360, 1440]);
  });

  it('are planned for every kind of write that the books show, and for no other', () => {
    for (const intent of operationIntents) expect(afterwards[intent] === 'looked_up').toBe(isInTheBooks(intent));
  });

  const step = {
    intent: 'earn',
    from: 'sending',
    event: 'refuse',
    wasMaybeSent: false,
    hasLeft: true,
    isOfEarlierRun: false,
    code: null,
    bodyVersion: 1,
  } as const;
  it.each([
    ['a refusal of the first attempt', step, 'once'],
    ['a refusal after an attempt without an answer', { ...step, wasMaybeSent: true }, 'whole'],
    [
      'a refusal as a double of what was changed',
      { ...step, code: 'DUPLICATE_TRANSACTION', bodyVersion: 2 },
      'at_once',
    ],
    ['a proven absence', { ...step, from: 'unknown', event: 'prove_absent', wasMaybeSent: true }, 'whole'],
    ['a write-off in doubt', { ...step, from: 'unknown', event: 'write_off', wasMaybeSent: true }, 'whole'],
    ['a cancellation after an attempt', { ...step, from: 'queued', event: 'cancel' }, 'once'],
    ['a cancellation before any', { ...step, from: 'queued', event: 'cancel', hasLeft: false }, null],
    [
      'a cancellation before any, of what an earlier run had saved',
      { ...step, from: 'queued', event: 'cancel', hasLeft: false, isOfEarlierRun: true },
      'at_once',
    ],
    ['a late success', { ...step, from: 'written_off', event: 'apply' }, 'at_once'],
  ] as const)('after %s', (_, facts, schedule) => {
    expect(watchAfter(facts)?.schedule ?? null).toBe(schedule);
  });

  it('are none in the normal life of a sale', () => {
    const normal = ['mark', 'not_sent', 'lose', 'accept', 'apply', 'fail', 'miss', 'reverse'] as const;
    const alive = operationStates.filter((state) => !['refused', 'cancelled', 'written_off'].includes(state));
    for (const event of normal) {
      for (const from of alive) expect(watchAfter({ ...step, from, event })).toBeNull();
    }
    expect(operationEvents).toEqual(expect.arrayContaining([...normal]));
  });
});
