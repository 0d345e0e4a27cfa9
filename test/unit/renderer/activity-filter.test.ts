import { describe, expect, it } from 'vitest';
import { couldMatch, everything, isNarrowed, questionOf } from '../../../renderer/activity/filter.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

const operation = operationOf({ external_ref: 'R-1002', customer_name: 'Fatima', employee_ref: '7', state: 'queued' });
const passes = (part: Partial<typeof everything>, today: string | null = null) =>
  couldMatch(operation, { ...everything, ...part }, today);

describe('a filter', () => {
  it('is narrow when anything but spaces is in it', () => {
    expect([isNarrowed(everything), isNarrowed({ ...everything, text: ' ' })]).toEqual([false, false]);
    const parts = [
      { state: 'waiting' },
      { day: '2026-11-20' },
      { text: 'x' },
      { kind: 'earn' },
      { cashier: '' },
    ] as const;
    expect(parts.map((part) => isNarrowed({ ...everything, ...part }))).toEqual(parts.map(() => true));
  });

  it('asks for what is chosen alone', () => {
    expect(questionOf(everything, 200, null)).toEqual({ limit: 200 });
  });

  it('asks for each part of it, from a row on', () => {
    const filter = { state: 'refused', day: '2026-11-20', text: ' ١٠٠٢', kind: 'earn', cashier: '' } as const;
    expect(questionOf(filter, 200, 480)).toEqual({
      limit: 200,
      states: ['refused'],
      business_date: '2026-11-20',
      kind: 'earn',
      employee_ref: '',
      text: '1002',
      before_row: 480,
    });
  });

  it('asks for each state of a group', () => {
    const { states } = questionOf({ ...everything, state: 'waiting' }, 200, null);
    expect(states).toContain('queued');
    expect(states?.length).toBeGreaterThan(1);
  });
});

describe('a new operation', () => {
  it('passes where nothing is chosen', () => {
    expect(passes({})).toBe(true);
  });

  it('passes by its state or its group', () => {
    expect([passes({ state: 'queued' }), passes({ state: 'waiting' })]).toEqual([true, true]);
    expect([passes({ state: 'refused' }), passes({ state: 'attention' })]).toEqual([false, false]);
  });

  it('passes on the current day alone', () => {
    expect(passes({ day: '2026-11-20' }, '2026-11-20')).toBe(true);
    expect(passes({ day: '2026-11-19' }, '2026-11-20')).toBe(false);
    expect(passes({ day: '2026-11-20' })).toBe(false);
  });

  it('passes by its kind and its cashier', () => {
    expect([passes({ kind: 'earn' }), passes({ kind: 'undo' })]).toEqual([true, false]);
    expect([passes({ cashier: '7' }), passes({ cashier: '' })]).toEqual([true, false]);
  });

  it('passes by a part of its reference or of its customer, whichever digits and letters are typed', () => {
    expect([passes({ text: '١٠٠٢' }), passes({ text: 'fatI' }), passes({ text: ' ' })]).toEqual([true, true, true]);
    expect(passes({ text: '1003' })).toBe(false);
  });
});
