import { beforeEach, describe, expect, it } from 'vitest';
import { createLeaving, type Leaving } from '../../../renderer/settings/leaving.ts';
import { createSettings, type SettingsScreenState } from '../../../renderer/settings/state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let api: AskedApi;
let settings: SettingsScreenState;

const shown = (values: Readonly<Record<string, string>>) => ({
  settings: Object.entries(values).map(([name, value]) => ({
    name,
    value,
    source: 'saved',
    locked: false,
    section: 'till',
    kind: 'text',
    default_value: '',
  })),
  problems: [],
  warnings: [],
  waiting: { sandbox: 0, production: 0 },
  restart_needed: false,
  asks_mode: false,
});

beforeEach(async () => {
  api = new AskedApi();
  settings = createSettings({ api, clock: new ManualClock() });
  void settings.read();
  await api.newest('settings.read').answer(shown({ shop: 'Avenues', lock: '5' }));
});

/** The agent has saved what it was asked to, and is read again. */
async function answerSaved(values: Readonly<Record<string, string>>): Promise<void> {
  await api.newest('settings.change').answer({ kind: 'saved' });
  await api.newest('settings.read').answer(shown(values));
}

describe('what is typed while the settings are saved', () => {
  beforeEach(() => {
    settings.type('shop', 'Marina');
    void settings.save();
  });

  it('stays, and is not called saved', async () => {
    settings.type('lock', '15');
    await answerSaved({ shop: 'Marina', lock: '5' });
    expect([settings.draft.value, settings.news.value]).toEqual([{ lock: '15' }, null]);
    void settings.save();
    expect(api.newest('settings.change').input.patch).toEqual({ lock: '15' });
  });

  it('stays in the same field, also where it is the value from before', async () => {
    settings.type('shop', 'Avenues');
    await answerSaved({ shop: 'Marina', lock: '5' });
    expect(settings.draft.value).toEqual({ shop: 'Avenues' });
  });

  it('is no change where it is the saved value again and nothing was saved', async () => {
    settings.type('shop', 'Avenues');
    await api.newest('settings.change').refuse('not_saved');
    expect(settings.draft.value).toEqual({});
  });

  it('is all that is left: with nothing typed, everything is saved', async () => {
    await answerSaved({ shop: 'Marina', lock: '5' });
    expect([settings.draft.value, settings.news.value]).toEqual([{}, { kind: 'saved' }]);
  });
});

describe('a screen of settings that is left', () => {
  let leaving: Leaving;
  let left: number;
  const leave = () => {
    left += 1;
  };

  beforeEach(() => {
    left = 0;
    leaving = createLeaving(settings);
    settings.type('shop', 'Marina');
  });

  it('while they are saved waits for the end, and asks nothing when everything is saved', async () => {
    void settings.save();
    expect(leaving.ask(leave)).toBe(true);
    expect([leaving.asked.value, left]).toEqual([false, 0]);
    await answerSaved({ shop: 'Marina', lock: '5' });
    expect([leaving.asked.value, left]).toEqual([false, 1]);
  });

  it('while they are saved asks when something is left then', async () => {
    void settings.save();
    leaving.ask(leave);
    await api.newest('settings.change').refuse('not_saved');
    expect([leaving.asked.value, left]).toEqual([true, 0]);
    leaving.stay();
    settings.discard();
    expect([leaving.asked.value, left]).toEqual([false, 0]);
  });

  it('asks after the question about what waits', async () => {
    void settings.save();
    leaving.ask(leave);
    await api.newest('settings.change').answer({ kind: 'needs_confirmation', waiting: { sandbox: 0, production: 3 } });
    expect([leaving.asked.value, left]).toEqual([false, 0]);
    settings.cancelConfirming();
    expect([leaving.asked.value, left]).toEqual([true, 0]);
  });

  it('asks at once when nothing is being saved, and goes when the changes are dropped', () => {
    expect(leaving.ask(leave)).toBe(true);
    expect(leaving.asked.value).toBe(true);
    settings.discard();
    expect([leaving.asked.value, left]).toEqual([false, 1]);
  });

  it('goes at once with nothing typed', () => {
    settings.discard();
    expect(leaving.ask(leave)).toBe(false);
  });
});
