import type { DisplayView, Happened } from '../../shared/till/display-views.ts';
import { apart } from '../../shared/words/direction.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import type { Format } from '../copy/format.ts';
import type { CustomerWords } from './words.ts';

type Customer = Extract<DisplayView, { kind: 'customer' }>;
type ShownBalance = NonNullable<Customer['balance']>;

interface AtTheTillProps {
  readonly view: Customer;
  readonly isOnline: boolean;
  readonly words: CustomerWords;
  readonly format: Format;
}

/** The customer at the till: their reward before they pay, what they have, and what the sale added. */
export function AtTheTill(props: AtTheTillProps) {
  const { view, words, format } = props;
  const { happened, rewards, balance } = view;
  if (!view.is_confirmed) {
    return (
      <main class="cw cw-one" data-customer="checked-in" aria-live="polite">
        <h1>{greeting(view, words)}</h1>
        <p>{words.foundNext}</p>
        <Foot view={{ ...view, name: null }} words={words} format={format} />
      </main>
    );
  }
  if (happened !== null) return <WhatHappened {...props} happened={happened} />;
  const [reward] = rewards;
  if (reward !== undefined) {
    return (
      <main class="cw cw-one cw-gift" data-customer="reward" aria-live="polite">
        <span class="cw-seal">
          <Icon name="gift" size={88} />
        </span>
        <h1>{reward === '' ? words.rewardYours : words.yours(apart(reward))}</h1>
        <p>{words.tellUs}</p>
        <Foot view={view} words={words} format={format} />
      </main>
    );
  }
  return (
    <main class="cw cw-one" data-customer="balance" aria-live="polite">
      <h1>{greeting(view, words)}</h1>
      {balance !== null && (
        <p class="cw-big">
          <bdi>{figure(balance, format)}</bdi> <span>{words.deeds.units[balance.dimension](balance.value)}</span>
        </p>
      )}
      <Progress view={view} words={words} format={format} />
      {view.is_kept && <p class="cw-note">{words.earlier}</p>}
      <Foot view={{ ...view, name: null, balance: null }} words={words} format={format} />
    </main>
  );
}

function WhatHappened({ happened, ...props }: AtTheTillProps & { readonly happened: Happened }) {
  const { view, words, format } = props;
  const message = inWords(happened, props);
  return (
    <main class={`cw cw-one ${message.isSure ? 'cw-gift' : ''}`} data-customer={happened.kind} aria-live="polite">
      <span class={message.isSure ? 'cw-seal' : 'cw-seal cw-seal-quiet'}>
        <Icon name={message.icon} size={88} />
      </span>
      <h1>{message.hero}</h1>
      <p>
        {message.next ??
          (view.balance === null ? words.thanks : words.deeds.now(balanceText(view.balance, words, format)))}
      </p>
      {message.isSure && happened.kind !== 'given' && <Progress view={view} words={words} format={format} />}
    </main>
  );
}

interface Message {
  readonly icon: IconName;
  readonly hero: string;
  readonly next: string | null;
  readonly isSure: boolean;
}

function inWords(happened: Happened, { words, format, isOnline }: AtTheTillProps): Message {
  switch (happened.kind) {
    case 'gained':
      return {
        icon: 'check',
        hero: words.deeds.plus(balanceText(happened.gain, words, format)),
        next: null,
        isSure: true,
      };
    case 'added': {
      const { money } = happened;
      const hero = money === null ? words.thanks : words.added(format.money(money.amount_minor, money.currency));
      return { icon: 'check', hero, next: null, isSure: true };
    }
    case 'follows': {
      const { money } = happened;
      const hero = money === null ? words.saved : format.money(money.amount_minor, money.currency);
      const next = isOnline ? words.soon : `${words.follow}. ${words.followNext}`;
      return { icon: 'cloud-upload', hero, next, isSure: false };
    }
    case 'given': {
      const { name } = happened;
      const hero = name === null ? words.rewardGiven : words.given(apart(name));
      return { icon: 'gift', hero, next: null, isSure: true };
    }
    case 'spent':
      return { icon: 'check', hero: words.spent(balanceText(happened.spent, words, format)), next: null, isSure: true };
  }
}

function Progress({ view, words, format }: Omit<AtTheTillProps, 'isOnline'>) {
  const { progress } = view;
  if (progress === null) return null;
  const { unit, left, share, reward } = progress;
  const written = format.number(left);
  const { toNext, toNamed } = words.deeds;
  return (
    <div class="cw-goal">
      <div class="cw-bar">
        <svg class="cw-track" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="cw-track-ground" width="100" height="4" />
          <rect class="cw-track-fill" width={Math.round(100 * share)} height="4" />
        </svg>
        <Icon name="gift" size={56} />
      </div>
      <p class="cw-goal-text">
        {reward === null ? toNext[unit](left, written) : toNamed[unit](left, written, apart(reward))}
      </p>
    </div>
  );
}

function Foot({ view, words, format }: Omit<AtTheTillProps, 'isOnline'>) {
  const { name, balance, sale } = view;
  const who = [name === null ? null : apart(name), balance === null ? null : balanceText(balance, words, format)];
  const line = who.flatMap((part) => part ?? []).join(' · ');
  if (sale === null && line === '') return null;
  return (
    <footer class="cw-foot">
      <span>{line === '' ? words.thisSale : line}</span>
      {sale !== null && <b>{format.money(sale.amount_minor, sale.currency)}</b>}
    </footer>
  );
}

function greeting({ name }: Customer, words: CustomerWords): string {
  return name === null ? words.helloNobody : words.hello(apart(name));
}

function figure({ value, currency, dimension }: ShownBalance, format: Format): string {
  return dimension === 'cashback' && currency !== null ? format.money(value, currency) : format.number(value);
}

function balanceText(balance: ShownBalance, words: CustomerWords, format: Format): string {
  const { dimension, value } = balance;
  return dimension === 'cashback'
    ? figure(balance, format)
    : words.deeds.counts[dimension](value, format.number(value));
}
