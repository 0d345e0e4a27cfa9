import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { agoInWords, maskedContact } from '../copy/format.ts';
import type { Stage } from '../find/stage.ts';
import { useModel } from '../model.ts';
import { Cards } from './cards.tsx';
import { EntryPanel } from './entry-panel.tsx';

const Missing = loadLater(() => import('./missing.tsx').then((module) => module.Missing));

// Before any sale nothing of it is seen: it comes with the first look at the screen, behind what is seen.
const BesideNote = loadLater(() => import('./beside-note.tsx').then((module) => module.BesideNote));

const OutcomePanel = loadLater(() => import('./outcome-panel.tsx').then((module) => module.OutcomePanel));

/** The middle of the screen: who stands in front, and what they hold. */
export function CustomerPanel() {
  const { frame, sale } = useModel();
  const stage = sale.stage.value;
  const panel = useRef<HTMLElement>(null);
  const entry = sale.entry.value;
  // What is entered and what became of it stand in the place of the cards.
  const outcome = sale.outcome.value;
  const isTold = outcome !== null || entry !== null;
  // Somebody else's sale, looked up in Recent, is not told under this customer's name.
  const isOfOther = outcome?.isEarlier === true && outcome.card === null;
  const till = frame.till.value;
  const hasBeside = till !== null && (till.handed_over !== null || till.display?.check_in != null);
  const customerId = stage.kind === 'customer' ? stage.found.profile.customer_id : stage.kind;
  // The next customer begins at the top, however far down the last one's cards were.
  useLayoutEffect(() => panel.current?.scrollTo({ top: 0 }), [customerId]);
  return (
    <section
      ref={panel}
      class="customer"
      aria-label={frame.words.value.customer.region}
      aria-busy={stage.kind === 'finding'}
      // Whoever touches what is told still reads it: it stays.
      onPointerDown={sale.keepOutcome}
      onKeyDown={sale.keepOutcome}
    >
      <div class="stage-body" data-outcome={isTold ? '' : undefined} data-entry-open={entry === null ? undefined : ''}>
        {hasBeside && <BesideNote />}
        {!isOfOther && <StageView stage={stage} isTold={isTold} />}
        {entry !== null && <EntryPanel key={entry.entryId} entry={entry} />}
        <OutcomePanel />
      </div>
    </section>
  );
}

function StageView({ stage, isTold }: { readonly stage: Stage; readonly isTold: boolean }) {
  // A sale by the card's number alone has nobody in front.
  if (isTold && stage.kind !== 'customer') return null;
  switch (stage.kind) {
    case 'idle':
      return <NobodyYet />;
    case 'finding':
      return <Searching />;
    case 'missing':
      return <Missing stage={stage} />;
    case 'customer':
      return <Customer stage={stage} isTold={isTold} />;
  }
}

function NobodyYet() {
  const { frame, sale } = useModel();
  const words = frame.words.value.customer;
  const practiceCards = frame.till.value?.practice_cards ?? [];
  const isSandbox = frame.till.value?.mode === 'sandbox';
  return (
    <div class="blank stack gap-2">
      <div class="blank-cards" aria-hidden="true">
        <span class="blank-card blank-card-back" />
        <span class="blank-card blank-card-front stack gap-2">
          <span class="blank-chip" />
          <span class="blank-line" />
          <span class="blank-line blank-line-short" />
        </span>
        <span class="blank-beam" />
      </div>
      <h2 class="blank-title">{words.emptyTitle}</h2>
      <p class="blank-text">{words.emptyNext}</p>
      {isSandbox && practiceCards.length === 0 && <p class="blank-note">{words.emptySandbox}</p>}
      {practiceCards.length > 0 && (
        <div class="practice stack gap-3">
          <p class="practice-title">{words.practice}</p>
          <ul class="practice-cards panel stack">
            {practiceCards.map(({ loyalty_id, customer_name }) => (
              <li key={loyalty_id}>
                <button type="button" class="practice-card row gap-3" onClick={() => sale.scan(loyalty_id)}>
                  <Icon name="id-card" />
                  <bdi dir="ltr" class="practice-number">
                    {loyalty_id}
                  </bdi>
                  {customer_name !== null && <bdi class="practice-name cut">{customer_name}</bdi>}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Searching() {
  const { frame } = useModel();
  return (
    <div class="skeletons stack gap-5">
      <p class="visually-hidden" role="status">
        {frame.words.value.customer.searching}
      </p>
      <div class="customer-head row gap-4" aria-hidden="true">
        <span class="skeleton skeleton-avatar" />
        <span class="stack gap-2">
          <span class="skeleton skeleton-name" />
          <span class="skeleton skeleton-line" />
          <span class="skeleton skeleton-line skeleton-line-short" />
        </span>
      </div>
      <div class="cards-grid" aria-hidden="true">
        <span class="skeleton skeleton-card" />
        <span class="skeleton skeleton-card" />
      </div>
    </div>
  );
}

interface CustomerProps {
  readonly stage: Extract<Stage, { kind: 'customer' }>;
  /** What became of their sale stands in the place of their cards. */
  readonly isTold: boolean;
}

function Customer({ stage, isTold }: CustomerProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value.customer;
  const format = frame.format.value;
  const { profile, source } = stage.found;
  const asOfMs = Date.parse(profile.balances_as_of);
  const ago = agoInWords(asOfMs, frame.nowMs.value, frame.words.value, format);
  const contact = maskedContact(profile);
  return (
    <div class="customer-content stack gap-5" data-source={source}>
      <div class="customer-head row gap-4">
        <span class="avatar" aria-hidden="true">
          {initialsOf(profile.name) ?? <Icon name="id-card" size={24} />}
        </span>
        <div class="customer-who">
          <h2 class="customer-name">
            <bdi>{profile.name ?? words.nameless}</bdi>
          </h2>
          <p class="customer-facts row wrap">
            {contact !== null && (
              <bdi dir="ltr" class="fact">
                {contact}
              </bdi>
            )}
            {profile.verified ? (
              <span class="badge tone-success">
                <Icon name="badge-check" size={16} />
                {words.verified}
              </span>
            ) : (
              <span class="badge tone-neutral">
                <Icon name="circle-help" size={16} />
                {words.notVerified}
              </span>
            )}
            {source === 'kept' && isTold && <span class="fact">{words.kept(ago)}</span>}
            {source === 'service' && frame.nowMs.value - asOfMs >= minuteMs && (
              <span class="fact fact-time">{words.asOf(ago, format.dateTime(asOfMs))}</span>
            )}
          </p>
        </div>
      </div>
      {source === 'kept' && !isTold && (
        <p class="notice tone-warning">
          <Icon name="cloud-off" />
          <span>
            <strong>{words.kept(ago)}</strong>
            <span class="notice-line">{words.keptNext(format.dateTime(asOfMs))}</span>
          </span>
        </p>
      )}
      {isTold ? null : profile.cards.length === 0 ? (
        <div class="blank blank-small stack gap-2">
          <h3 class="blank-title">{words.noCards}</h3>
          <p class="blank-text">{words.noCardsNext}</p>
        </div>
      ) : (
        <Cards cards={profile.cards} chosen={stage.cardId} onChoose={sale.chooseCard} />
      )}
    </div>
  );
}

/** Younger balances are those of now. */
const minuteMs = 60_000;

function initialsOf(name: string | null): string | null {
  const parts = name?.trim().split(/\s+/) ?? [];
  const [first, last] = [parts[0]?.at(0), parts.length > 1 ? parts.at(-1)?.at(0) : undefined];
  // Arabic letters join: two initials side by side would read as a word.
  if (first !== undefined && /\p{Script=Arabic}/u.test(first)) return first;
  return first === undefined ? null : (first + (last ?? '')).toLocaleUpperCase();
}
