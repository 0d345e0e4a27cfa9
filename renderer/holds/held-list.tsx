import { useRef } from 'preact/hooks';
import type { HoldView } from '../../shared/till/hold-views.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useUnreadStopped } from '../components/unread-stopped.ts';
import type { Words } from '../copy/en/start.ts';
import { countdown } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { failureWords, heldAmount, shortReference } from '../operation/operation-words.ts';
import { canAskNow } from '../operation/operations.ts';
import type { Tone } from '../operation/outcome.ts';
import { openPaid } from '../sale/entry/aims.ts';
import { askForHold, type HoldAction } from './hold-action.ts';

const looks: Readonly<Record<HoldView['state'], { readonly icon: IconName; readonly tone: Tone }>> = {
  asking: { icon: 'hourglass', tone: 'info' },
  reserved: { icon: 'package', tone: 'waiting' },
  closing: { icon: 'hourglass', tone: 'info' },
  expired: { icon: 'timer', tone: 'warning' },
};

/** What is held on customers' cards for orders that are not paid yet. */
export function HeldList() {
  const { frame, holds } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const held = holds.holds.value ?? [];
  const list = useRef<HTMLUListElement>(null);
  const rows = held.map(({ hold_id, state }) => `${hold_id} ${state}`).join();
  // The first hold comes above Recent, which moves down.
  const stopUnread = useUnreadStopped(list, rows, { isPushedIn: true });
  return (
    <section class="held" aria-label={words.holds.region}>
      <h2 class="section-title">{words.holds.region}</h2>
      {/* Screen readers read it when a state changes, not each second. */}
      <p class="visually-hidden" role="status">
        {held.map((hold) => `${heldAmount(hold, words, format)}: ${holdState(hold, words)}`).join('. ')}
      </p>
      <ul ref={list} class="stack gap-2" onClickCapture={stopUnread}>
        {held.map((hold) => (
          <HeldRow key={hold.hold_id} hold={hold} />
        ))}
      </ul>
    </section>
  );
}

function HeldRow({ hold }: { readonly hold: HoldView }) {
  const { frame, holds } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const { icon, tone } = looks[hold.state];
  const news = holds.news.value.get(hold.hold_id);
  const failure =
    news?.kind === 'failed' ? failureWords(news.error, words, { hasOther: false }, words.holds.notSent.ending) : null;
  return (
    <li class="sale-row panel" data-hold={hold.cart_ref} data-state={hold.state}>
      <span class={`tile tone-${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="row-text">
        <p class="row-first">
          <span class="row-amount">
            <bdi>{heldAmount(hold, words, format)}</bdi>
          </span>
          <HeldFor hold={hold} />
        </p>
        <p class="row-second">
          <span class={`row-state tone-text-${tone}`}>{holdState(hold, words)}</span>
          <bdi class="row-who">{hold.customer_name ?? hold.identifier_hint ?? words.customer.nameless}</bdi>
        </p>
        <p class="row-third" title={hold.cart_ref}>
          <bdi dir="ltr" class="ref">
            {shortReference(hold.cart_ref)}
          </bdi>
        </p>
        {failure !== null && (
          <p class="row-reason" role="alert">
            {failure.title}. {failure.next}
          </p>
        )}
      </div>
      <HeldActions hold={hold} isBusy={news?.kind === 'busy'} />
    </li>
  );
}

function holdState(hold: HoldView, words: Words): string {
  return hold.closing === null ? words.holds.states[hold.state] : words.holds.closing[hold.closing];
}

/** `14:32`: the time that the hold has left. Screen readers do not read it each second. */
function HeldFor({ hold }: { readonly hold: HoldView }) {
  const { frame } = useModel();
  if (hold.state !== 'reserved' || hold.expires_at === null) return null;
  const leftMs = Math.max(0, Date.parse(hold.expires_at) - frame.serviceNowMs.value);
  return (
    <time class="held-left" dateTime={hold.expires_at} aria-live="off">
      {frame.format.value.digits(countdown(leftMs))}
    </time>
  );
}

function HeldActions({ hold, isBusy }: { readonly hold: HoldView; readonly isBusy: boolean }) {
  const { api, frame, holds, sale, newId } = useModel();
  const words = frame.words.value.holds.actions;
  const isDisabled = isBusy || !canAskNow(frame.connection.value);
  const act = (action: HoldAction) => () =>
    void holds.act(hold, { ask: () => askForHold(api, hold, action, newId), isRelease: action === 'release' });
  switch (hold.state) {
    case 'asking':
      return (
        <div class="row-ask">
          <button type="button" class="button button-outline" disabled={isDisabled} onClick={act('give_up')}>
            {words.giveUp}
          </button>
          <button type="button" class="button button-primary" disabled={isDisabled} onClick={act('ask')}>
            {words.ask}
          </button>
        </div>
      );
    case 'closing':
      return (
        <div class="row-ask">
          <button type="button" class="button button-outline" disabled={isDisabled} onClick={act('ask')}>
            {words.ask}
          </button>
        </div>
      );
    case 'reserved':
      return (
        <div class="row-ask">
          <button type="button" class="button button-outline" disabled={isDisabled} onClick={act('release')}>
            {words.release}
          </button>
          <button
            type="button"
            class="button button-primary"
            disabled={isDisabled}
            onClick={() => sale.present(openPaid(newId(), hold))}
          >
            {words.commit}
          </button>
        </div>
      );
    case 'expired':
      return (
        <div class="row-ask">
          <button type="button" class="button button-outline" disabled={isDisabled} onClick={act('release')}>
            {words.drop}
          </button>
          <button type="button" class="button button-primary" disabled={isDisabled} onClick={act('again')}>
            {words.again}
          </button>
        </div>
      );
  }
}
