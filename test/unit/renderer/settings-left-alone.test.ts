import { beforeEach, describe, expect, it } from 'vitest';
import { createPeople, type PeopleState } from '../../../renderer/settings/people-state.ts';
import { createSettings, type SettingsScreenState } from '../../../renderer/settings/state.ts';
import { createTokens, type TokensState } from '../../../renderer/settings/tokens-state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';

// A badge or the lock has closed what the manager had open, and the answer they had asked for comes after that.
let api: AskedApi;
let settings: SettingsScreenState;
let tokens: TokensState;
let people: PeopleState;
const read = {
  settings: [
    {
      name: 'mode',
      value: 'production',
      source: 'saved',
      locked: false,
      section: 'service',
      kind: 'text',
      default_value: '',
    },
  ],
  problems: [],
  warnings: [],
  waiting: { sandbox: 0, production: 3 },
  restart_needed: false,
  asks_mode: false,
};

/** A manager types the PIN, and what is behind it is read. */
async function enter(pin: string): Promise<void> {
  void settings.session.open(pin);
  await api.newest('settings.read').answer(read);
}

/** What the screen does when somebody else may stand there. */
function leaveAlone(): void {
  settings.session.leftAlone();
  tokens.close();
  people.close();
}
const counted = (command: Parameters<AskedApi['newest']>[0]) =>
  api.asked.filter((asked) => asked.command === command).length;

beforeEach(async () => {
  api = new AskedApi();
  settings = createSettings({ api, clock: new ManualClock() });
  tokens = createTokens(settings.session);
  people = createPeople(settings.session);
  void settings.read();
  await api.newest('settings.read').refuse('pin_needed');
  await enter('2580');
});

describe.each(['at the gate', 'behind the gate, with the next manager'])('an answer that comes late, %s', (where) => {
  const left = async (): Promise<void> => {
    leaveAlone();
    if (where !== 'at the gate') await enter('1357');
  };

  it('shows no new token', async () => {
    tokens.begin();
    tokens.type({ name: 'kiosk', prefix: 'K' });
    void tokens.make();
    await left();
    await api.newest('tokens.make').answer({ kind: 'made', token: 'tb_secret', facts: { name: 'kiosk' } });
    expect([tokens.made.value, tokens.form.value]).toEqual([null, null]);
    // The list behind an open gate shows it.
    expect(counted('tokens.list')).toBe(where === 'at the gate' ? 0 : 1);
  });

  it.each(['not_saved', 'invalid'] as const)('opens the form for a token no more (%s)', async (how) => {
    tokens.begin();
    tokens.type({ name: 'kiosk', prefix: 'K' });
    void tokens.make();
    await left();
    if (how === 'invalid') await api.newest('tokens.make').answer({ kind: 'invalid', field: 'prefix' });
    else await api.newest('tokens.make').refuse(how);
    expect(tokens.form.value).toBeNull();
  });

  it('touches no form that was opened since', async () => {
    tokens.begin();
    tokens.type({ name: 'kiosk', prefix: 'K' });
    void tokens.make();
    await left();
    tokens.begin();
    tokens.type({ name: 'bar' });
    await api.newest('tokens.make').refuse('not_saved');
    expect(tokens.form.value).toMatchObject({ name: 'bar', busy: false, failure: null });
  });

  it('asks again for no revoking and no removing', async () => {
    tokens.askRevoke('kiosk');
    void tokens.revoke();
    people.askRemove({ name: 'Mona', role: 'manager', employee_ref: null, has_pin: true });
    void people.remove();
    await left();
    await api.newest('tokens.revoke').refuse('not_saved');
    await api.newest('people.remove').refuse('not_saved');
    expect([tokens.revoking.value, people.removing.value]).toEqual([null, null]);
  });

  it.each(['refused', 'invalid', 'added'])('brings no typed PIN back (%s)', async (how) => {
    people.begin('manager');
    people.type({ name: 'Mona', pin: '8642', pinAgain: '8642' });
    void people.add();
    await left();
    const asked = api.newest('people.add_manager');
    if (how === 'refused') await asked.refuse('not_saved');
    else await asked.answer(how === 'invalid' ? { kind: 'invalid', field: 'pin' } : { kind: 'added' });
    expect(people.form.value).toBeNull();
  });

  it('asks nobody to confirm what they did not change', async () => {
    settings.type('mode', 'sandbox');
    void settings.save();
    await left();
    const waiting = { sandbox: 0, production: 3 };
    await api.newest('settings.change').answer({ kind: 'needs_confirmation', waiting });
    expect([settings.confirming.value, settings.saving.value]).toEqual([null, false]);
    expect(settings.draft.value).toEqual({ mode: 'sandbox' });
  });
});

it('an added first manager is not the one who stands there when the screen was left meanwhile', async () => {
  people.begin('manager');
  settings.session.end();
  people.type({ name: 'Mona', pin: '8642', pinAgain: '8642' });
  void people.add();
  leaveAlone();
  await api.newest('people.add_manager').answer({ kind: 'added' });
  void settings.read();
  expect(api.newest('settings.read').input).toEqual({});
});
