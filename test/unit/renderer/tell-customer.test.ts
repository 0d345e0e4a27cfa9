import { beforeEach, describe, expect, it } from 'vitest';
import { openCopy } from '../../../renderer/copy/copy.ts';
import { tellCustomer } from '../../../renderer/display/tell-customer.ts';
import { createModel, type Model } from '../../../renderer/model.ts';
import type { TillState } from '../../../shared/till/views.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { profileOf, tillStateOf } from '../../support/ui-fake-agent.ts';

// Who checked in at the customers' screen, as the cashier's page takes them: with answers that come when a test says so.
let api: AskedApi;
let model: Model;
const phone = '50012345';
const state = (changes: Partial<TillState>): void =>
  api.tell({ type: 'state', state: tillStateOf({ display: { check_in: { id: 'check-in-1', phone } }, ...changes }) });
const finds = () => api.asked.filter(({ command }) => command === 'customer.find').length;
const shows = () => api.asked.filter(({ command }) => command === 'display.show').length;

beforeEach(async () => {
  api = new AskedApi();
  const clock = new ManualClock();
  model = createModel({
    api,
    clock,
    newId: () => crypto.randomUUID(),
    sounds: { success: () => undefined, failure: () => undefined },
    memory: { read: () => null, write: () => undefined },
    copy: await openCopy({ clock, locale: 'en' }),
  });
  api.open();
  state({ display: { check_in: null } });
  tellCustomer(model);
});

describe('somebody who has checked in', () => {
  it('is looked up once, also when the look-up fails', async () => {
    state({});
    expect([finds(), api.newest('customer.find').input]).toMatchObject([1, { identifier: { phone } }]);
    await api.newest('customer.find').refuse('offline');
    expect([model.sale.stage.value.kind, finds()]).toEqual(['missing', 1]);
  });

  it('shows nothing of theirs before somebody at the till takes them up', async () => {
    const newestView = () => (api.newest('display.show').input as { readonly view: object }).view;
    const arrive = async (id: string) => {
      state({ display: { check_in: { id, phone } } });
      await api.newest('customer.find').answer({ source: 'service', profile: profileOf({}) });
      state({ display: { check_in: null } });
    };
    await arrive('check-in-1');
    expect(newestView()).toMatchObject({ kind: 'customer', is_confirmed: false });
    model.sale.open('earn_amount');
    expect(newestView()).toMatchObject({ is_confirmed: false });
    model.sale.typeAmount('5');
    expect(newestView()).toMatchObject({ is_confirmed: true });
    model.sale.cancel();
    expect(newestView()).toMatchObject({ is_confirmed: true });
    model.sale.clear();
    await arrive('check-in-2');
    expect(newestView()).toMatchObject({ is_confirmed: false });
    // The same phone, asked for by hand at the till.
    model.sale.bringBeside({ kind: 'phone', text: phone });
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({}) });
    expect(newestView()).toMatchObject({ is_confirmed: true });
  });

  it('shown by hand leaves a card that waits waiting, for the customer after them', async () => {
    const found = { source: 'service', profile: profileOf({}) } as const;
    const wanted = () => api.newest('customer.find').input;
    model.sale.scan('LC-1001');
    await api.newest('customer.find').answer(found);
    model.sale.open('earn_amount');
    model.sale.typeAmount('5');
    model.sale.scan('LC-1002');
    model.sale.bringBeside({ kind: 'phone', text: phone });
    expect(wanted()).toMatchObject({ identifier: { phone } });
    await api.newest('customer.find').answer(found);
    expect([wanted(), model.sale.waitingScan.value]).toMatchObject([{ identifier: { phone } }, 'LC-1002']);
    model.sale.open('earn_amount');
    model.sale.clear();
    expect([wanted(), model.sale.waitingScan.value]).toMatchObject([{ identifier: { loyalty_id: 'LC-1002' } }, null]);
  });

  it('waits until the screen is unlocked', async () => {
    state({ sign_in: 'locked' });
    expect(finds()).toBe(0);
    state({});
    expect(finds()).toBe(1);
  });

  it('waits for what is being typed', () => {
    model.sale.type('500', true);
    state({});
    expect([finds(), model.sale.query.value]).toEqual([0, '500']);
    model.sale.type('', false);
    expect(finds()).toBe(1);
  });
});

describe('the customers’ screen', () => {
  it('is told after the lock what has changed meanwhile', async () => {
    state({});
    await api.newest('customer.find').answer({ source: 'service', profile: profileOf({}) });
    const before = shows();
    state({ display: { check_in: null }, sign_in: 'locked' });
    model.sale.clear();
    expect(shows()).toBe(before);
    state({ display: { check_in: null } });
    expect([shows(), api.newest('display.show').input]).toEqual([before + 1, { view: { kind: 'nobody' } }]);
  });
});
