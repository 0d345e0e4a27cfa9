import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { createAttention } from '../../../renderer/attention/state.ts';
import { createDayClose } from '../../../renderer/day-close/state.ts';
import { noLimits } from '../../../renderer/operation/entry.ts';
import { createPeople } from '../../../renderer/settings/people-state.ts';
import { createSession } from '../../../renderer/settings/session.ts';
import { createTokens } from '../../../renderer/settings/tokens-state.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { operationOf } from '../../support/ui-fake-agent.ts';

const refused = operationOf({ state: 'refused', cause: 'refused', card_id: 'card_1' });

function openedSession() {
  const api = new AskedApi();
  const on = { opened: () => Promise.resolve(null), closed: () => undefined };
  return { api, session: createSession({ api, clock: new ManualClock() }, on) };
}

function openedAttention() {
  const api = new AskedApi();
  return { api, attention: createAttention({ api, clock: new ManualClock() }) };
}

/** What a dialog shows once something else was typed while its answer is waited for. */
describe('what is being sent stays as it was confirmed', () => {
  it('in a correction: its value, its card and its reason', () => {
    const { correction } = openedAttention().attention;
    correction.begin(refused);
    correction.type({ text: '12.500', cardId: 'card_2', reason: 'typed wrong' });
    void correction.confirm(noLimits);
    const sent = correction.correcting.value;
    expect(sent?.busy).toBe(true);
    correction.type({ text: '15.500' });
    correction.type({ cardId: 'card_3' });
    correction.type({ reason: 'other' });
    void correction.readCards();
    expect(correction.correcting.value).toEqual(sent);
  });

  it('in a decision', () => {
    const { attention } = openedAttention();
    attention.begin(refused, 'write_off');
    attention.type({ reason: 'told', pin: '4711' });
    void attention.confirm();
    const sent = attention.deciding.value;
    expect(sent?.busy).toBe(true);
    attention.type({ reason: 'other', pin: '471' });
    expect(attention.deciding.value).toEqual(sent);
  });

  it('in the closing of a day', async () => {
    const api = new AskedApi();
    const dayClose = createDayClose({ api, clock: new ManualClock(), till: signal(null) });
    dayClose.readAgain();
    await api.newest('day.read').answer({ business_date: '2026-11-20', open: { waiting: 0, attention: 0 } });
    dayClose.begin();
    dayClose.change({ by: 'Huda' });
    void dayClose.confirm();
    const sent = dayClose.closing.value;
    expect(sent?.busy).toBe(true);
    dayClose.change({ by: 'Mona', hasSeen: true });
    expect(dayClose.closing.value).toEqual(sent);
  });

  it('in a new person and a new token', () => {
    const { session } = openedSession();
    const people = createPeople(session);
    people.begin('cashier');
    people.type({ name: 'Sara', employeeRef: 'E-7', badge: 'BADGE-7' });
    void people.add();
    const person = people.form.value;
    people.type({ name: 'Mona' });
    const tokens = createTokens(session);
    tokens.begin();
    tokens.type({ name: 'kiosk', prefix: 'K' });
    void tokens.make();
    const token = tokens.form.value;
    tokens.type({ prefix: 'L' });
    expect([person?.busy, token?.busy]).toEqual([true, true]);
    expect([people.form.value, tokens.form.value]).toEqual([person, token]);
  });
});

describe('a PIN with a correction', () => {
  it('is typed anew after any answer that corrects nothing', async () => {
    const { api, attention } = openedAttention();
    const { correction } = attention;
    correction.begin(refused);
    correction.type({ text: '13.500', reason: 'typed wrong' });
    void correction.confirm(noLimits);
    // Another screen may have changed it since: the agent is told which version the dialog shows.
    expect(api.newest('attention.correct').input).toMatchObject({ version: refused.version });
    await api.newest('attention.correct').refuse('pin_needed');
    correction.type({ pin: '4711' });
    void correction.confirm(noLimits);
    await api.newest('attention.correct').refuse('offline');
    expect(correction.correcting.value).toMatchObject({ busy: false, pin: '' });
  });
});
