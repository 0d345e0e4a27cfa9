import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { createDayClose } from '../../../renderer/day-close/state.ts';
import type { TillState } from '../../../shared/till/views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { tillStateOf } from '../../support/ui-fake-agent.ts';

const sara = { name: 'Sara', employee_ref: 'E-7' };
const omar = { name: 'Omar', employee_ref: 'E-8' };

/** The dialog that closes a day, opened while the till is as `before` says. */
async function openedDialog(before: Partial<TillState>) {
  const api = new AskedApi();
  const till = signal<TillState | null>(tillStateOf(before));
  const dayClose = createDayClose({ api, clock: new ManualClock(), till });
  dayClose.readAgain();
  await api.newest('day.read').answer({ business_date: '2026-11-20', open: { waiting: 0, attention: 0 } });
  dayClose.begin();
  const setTill = (change: Partial<TillState>) => {
    till.value = tillStateOf({ ...before, ...change });
  };
  return { api, dayClose, setTill };
}

describe('whose name a closing gets', () => {
  it('is that of the cashier who signs in while the manager’s PIN is asked for', async () => {
    const { api, dayClose, setTill } = await openedDialog({ has_managers: true });
    expect(dayClose.signer.value).toEqual({ as: 'manager' });
    dayClose.change({ pin: '47' });
    setTill({ cashier: sara });
    dayClose.forgetPin();
    expect(dayClose.signer.value).toEqual({ as: 'cashier', name: 'Sara' });
    void dayClose.confirm();
    expect(api.newest('day.close').input).toEqual({
      business_date: '2026-11-20',
      closed_by: 'Sara',
      acknowledged_open: 0,
    });
  });

  it('is that of whoever took the till over since', async () => {
    const { api, dayClose, setTill } = await openedDialog({ cashier: sara });
    setTill({ cashier: omar });
    void dayClose.confirm();
    expect(api.newest('day.close').input).toMatchObject({ closed_by: 'Omar' });
  });

  it('is a manager’s again when the cashier has signed out, and wants a PIN', async () => {
    const { api, dayClose, setTill } = await openedDialog({ has_managers: true, cashier: sara });
    setTill({ cashier: null });
    void dayClose.confirm();
    expect(dayClose.closing.value?.problem).toBe('by_missing');
    dayClose.change({ pin: '4711' });
    void dayClose.confirm();
    expect(api.newest('day.close').input).toMatchObject({ pin: '4711' });
  });

  it('is typed where nobody can sign in, and stays as it was typed', async () => {
    const { api, dayClose, setTill } = await openedDialog({});
    dayClose.change({ by: ' Huda ' });
    setTill({ connection: { state: 'offline', cause: null, since: '2026-11-20T14:14:00.000Z' } });
    void dayClose.confirm();
    expect(api.newest('day.close').input).toMatchObject({ closed_by: 'Huda' });
  });
});

describe('a manager’s PIN for a closing', () => {
  it('is forgotten for whoever comes next, also while it is checked', async () => {
    const { api, dayClose } = await openedDialog({ has_managers: true });
    dayClose.change({ pin: '4711' });
    void dayClose.confirm();
    dayClose.forgetPin();
    await api.newest('day.close').answer({ kind: 'needs_acknowledgement', open: { waiting: 1, attention: 0 } });
    expect(dayClose.closing.value).toMatchObject({ pin: '', problem: 'more_open' });
  });
});
