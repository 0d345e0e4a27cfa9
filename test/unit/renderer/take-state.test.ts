import { type Signal, signal } from '@preact/signals';
import { beforeEach, expect, it } from 'vitest';
import { takeState } from '../../../renderer/customer/take-state.ts';
import { createVisit, type Visit } from '../../../renderer/customer/visit.ts';
import type { DisplayState, DisplayView } from '../../../shared/till/display-views.ts';
import type { Locale } from '../../../shared/till/locales.ts';
import { ManualClock } from '../../support/manual-clock.ts';

// The customers' screen, from one customer to the next.
let visit: Visit;
let state: Signal<DisplayState | null>;
let chosen: Signal<Locale | null>;
const nobody: DisplayView = { kind: 'nobody' };
const customer = (is_confirmed: boolean): DisplayView => ({
  kind: 'customer',
  is_confirmed,
  name: null,
  balance: null,
  progress: null,
  rewards: [],
  sale: null,
  happened: null,
  is_kept: false,
});
function show(...views: readonly DisplayView[]): void {
  for (const view of views) {
    takeState({ view, locale: 'en', shop: 'Shop', currency: 'KWD', is_online: true }, { state, chosen, visit });
  }
}

beforeEach(async () => {
  state = signal(null);
  chosen = signal(null);
  visit = createVisit({
    async ask(command) {
      const outcome = command === 'display.join' ? 'joined' : 'unknown';
      return { ok: true, value: { outcome, wallet_url: 'https://wallet.example/a' } } as never;
    },
    clock: new ManualClock(),
    newId: () => 'attempt-1',
    currency: () => 'KWD',
  });
  show(nobody);
  for (const digit of '50012345') visit.press(digit as '5');
  await visit.goOn();
  await visit.goOn();
  expect(visit.step.value).toEqual({ kind: 'joined', walletUrl: 'https://wallet.example/a' });
});

it('who has joined keeps the code of their card until their sale is over', () => {
  show(customer(false), customer(true), customer(true));
  expect(visit.step.value.kind).toBe('joined');
  chosen.value = 'ar';
  show(nobody);
  expect([visit.step.value.kind, chosen.value]).toEqual(['phone', null]);
});

it('the customer after them is not shown their code', () => {
  show(customer(false), nobody, customer(false));
  expect(visit.step.value.kind).toBe('phone');
});

it('a customer whose card is scanned before theirs is not shown their code', () => {
  show(customer(true));
  expect(visit.step.value.kind).toBe('phone');
});

it('keys that were begun by one customer are free when another one is in front', () => {
  visit.end();
  visit.press('5');
  show(customer(false));
  expect(visit.typed.value).toBe('');
});
