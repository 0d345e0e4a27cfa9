import './customer.css';
import { effect, type Signal, signal } from '@preact/signals';
import { render } from 'preact';
import { defaultCurrency } from '../../shared/contract/default-currency.ts';
import type { TillReply } from '../../shared/till/api.ts';
import type { DisplayAnswers, DisplayCommand, DisplayState } from '../../shared/till/display-views.ts';
import { type Locale, locales, localeTable } from '../../shared/till/locales.ts';
import { agentLine } from '../shell/agent-line.ts';
import { tokenOf } from '../shell/opening-token.ts';
import { pageClock } from '../shell/page-clock.ts';
import { readReply } from '../shell/reply.ts';
import { browserSessionKeeper } from '../shell/session-key.ts';
import { CustomerPage } from './customer-page.tsx';
import { displayStateIn } from './display-state.ts';
import { takeState } from './take-state.ts';
import { createVisit } from './visit.ts';

/** Null while there is no connection to the till. Then no customer is shown. */
const state: Signal<DisplayState | null> = signal(null);
const isEnded = signal(false);
/** The language that the customer chose; null for the till's language. */
const chosen: Signal<Locale | null> = signal(null);

const url = new URL('/customer/line', window.location.href);
url.protocol = 'ws:';
const line = agentLine(
  {
    url: url.href,
    clock: pageClock,
    random: () => Math.random(),
    openSocket: (address) => new WebSocket(address),
    meeting: { keeper: browserSessionKeeper(window), takeToken: tokenOf(window), origin: window.location.origin },
    onNoSession() {
      isEnded.value = true;
    },
  },
  displayStateIn,
);

async function ask<C extends DisplayCommand>(command: C, input: object): Promise<TillReply<DisplayAnswers[C]>> {
  return readReply(await line.ask(command, input));
}

const visit = createVisit({
  ask,
  clock: pageClock,
  newId: () => crypto.randomUUID(),
  currency: () => state.value?.currency ?? defaultCurrency,
});

const take = (next: DisplayState): void => takeState(next, { state, chosen, visit });

line.onEvent(take);
line.onLink((link) => {
  if (link !== 'open') {
    state.value = null;
    visit.end();
    return;
  }
  void ask('display.read', {}).then((reply) => {
    if (reply.ok) take(reply.value);
  });
});

effect(() => {
  const locale = chosen.value ?? state.value?.locale ?? 'en';
  document.documentElement.lang = locale;
  document.documentElement.dir = localeTable[locale].direction;
});

const root = document.getElementById('app');
if (root !== null) {
  render(
    <CustomerPage
      state={state}
      isEnded={isEnded}
      visit={visit}
      chosen={chosen}
      onOther={(locale) => {
        chosen.value = locales.find((other) => other !== locale) ?? locale;
      }}
    />,
    root,
  );
}
