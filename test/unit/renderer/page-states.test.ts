import { describe, expect, it } from 'vitest';
import { createActivity } from '../../../renderer/screens/activity/state.ts';
import { createAttention } from '../../../renderer/screens/attention/state.ts';
import { createDayClose } from '../../../renderer/screens/day-close/state.ts';
import { createCashier } from '../../../renderer/state/cashier.ts';
import { createScans } from '../../../renderer/state/scans.ts';
import type { TillApi, TillReply } from '../../../shared/till/api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

interface Asked {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: (value: object) => Promise<void>;
}

/** An agent that answers when the test says so. */
function slowAgent(): { readonly api: TillApi; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const api: TillApi = {
    call: (command, input) =>
      new Promise((resolve) => {
        asked.push({
          command,
          input: { ...input },
          async answer(value) {
            resolve({ ok: true, value } as TillReply<never>);
            await new Promise((settled) => setImmediate(settled));
          },
        });
      }),
    onEvent: () => () => undefined,
    onLink: () => () => undefined,
  };
  return { api, asked };
}

describe('an export of the activity', () => {
  it('keeps to what was chosen when it began', async () => {
    const { api, asked } = slowAgent();
    const activity = createActivity({ api, clock: new ManualClock() });
    activity.narrow({ state: 'refused', text: 'R-' });
    const exports = () => asked.filter(({ input }) => input.limit === 500);
    void activity.exportAll({ write: () => undefined, save: () => undefined });
    activity.narrow({ state: null, text: 'other' });
    await exports()[0]?.answer({ operations: [], before_row: 7 });
    expect(exports().map(({ input }) => [input.states, input.text, input.before_row])).toEqual([
      [['refused'], 'R-', undefined],
      [['refused'], 'R-', 7],
    ]);
  });
});

describe('the days that are closed', () => {
  const closes = (...dates: readonly string[]) => ({
    closes: dates.map((business_date) => ({ business_date, closed_at: '', closed_by: 'Huda', open_count: 0 })),
  });

  it('stand there once, however often more of them are asked for at once', async () => {
    const { api, asked } = slowAgent();
    const dayClose = createDayClose({ api, clock: new ManualClock() });
    void dayClose.moreCloses();
    await asked[0]?.answer(closes('2026-11-19'));
    void dayClose.moreCloses();
    void dayClose.moreCloses();
    for (const question of asked.slice(1)) await question.answer(closes('2026-11-18'));
    expect(dayClose.closes.value?.map(({ business_date }) => business_date)).toEqual(['2026-11-19', '2026-11-18']);
    void dayClose.moreCloses();
    expect(asked.at(-1)?.input.before).toBe('2026-11-18');
  });

  it('are stepped through as often as it is pressed, also while one is being counted', () => {
    const { api, asked } = slowAgent();
    const dayClose = createDayClose({ api, clock: new ManualClock() });
    dayClose.show('2026-11-20');
    dayClose.step(-1);
    dayClose.step(-1);
    expect(asked.at(-1)).toMatchObject({ command: 'day.read', input: { business_date: '2026-11-18' } });
  });

  it('end with today', async () => {
    const { api, asked } = slowAgent();
    const dayClose = createDayClose({ api, clock: new ManualClock() });
    dayClose.show('2026-11-19');
    await asked[0]?.answer({ business_date: '2026-11-19', today: '2026-11-20' });
    for (let press = 0; press < 3; press += 1) dayClose.step(1);
    expect(asked.map(({ input }) => input.business_date)).toEqual(['2026-11-19', '2026-11-20']);
  });
});

describe('the badge that is asked for', () => {
  it('gives scans back to the sale, though it was asked for twice', () => {
    const scans = createScans();
    const cashier = createCashier({
      api: slowAgent().api,
      scans,
      sounds: { success: () => undefined, failure: () => undefined },
    });
    cashier.ask();
    cashier.ask();
    cashier.cancel();
    expect(scans.take('LC-1001')).toBe(false);
  });
});

describe('a PIN with a write-off', () => {
  it('may be typed in Arabic digits', async () => {
    const { api, asked } = slowAgent();
    const attention = createAttention({ api, clock: new ManualClock() });
    attention.begin(operationOf({ state: 'refused' }), 'write_off');
    attention.type({ reason: 'told', pin: '٤٧١١' });
    void attention.confirm();
    expect(asked.at(-1)).toMatchObject({ command: 'attention.write_off', input: { pin: '4711' } });
  });
});
