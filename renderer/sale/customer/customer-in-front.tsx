import { Icon } from '../../components/icon.tsx';
import { useWords } from '../../copy/use-words.ts';
import type { Stage } from '../../find/stage.ts';
import { useModel } from '../../model.ts';
import { earnsOf } from '../../operation/operations.ts';
import { OnTheWay } from './card-parts.tsx';
import { Cards } from './cards.tsx';
import { LastFive } from './last-five.tsx';
import { lastFive, lastVisitMs, onTheWay } from './past.ts';

interface CustomerInFrontProps {
  /** Whether an entry or an outcome is shown in the place of their cards. */
  readonly isTold: boolean;
}

/** What the customer in front holds, and what they did last. Their name stands above it. */
export function CustomerInFront({ isTold }: CustomerInFrontProps) {
  const { frame, sale } = useModel();
  const stage = sale.stage.value;
  const pastWords = useWords('past');
  if (isTold) return null;
  if (stage.kind === 'finding') return <Searching />;
  if (stage.kind !== 'customer') return null;
  const words = frame.words.value.customer;
  const { cards } = stage.found.profile;
  if (cards.length === 0) {
    return (
      <div class="blank blank-small stack gap-2">
        <h3 class="blank-title">{words.noCards}</h3>
        <p class="blank-text">{words.noCardsNext}</p>
      </div>
    );
  }
  return (
    <>
      {stage.cardId === null && (
        <p class="notice tone-warning row gap-3" role="status">
          <Icon name="id-card" />
          {pastWords.chooseCard}
        </p>
      )}
      <SomeCardsWay />
      <Cards cards={cards} chosen={stage.cardId} onChoose={sale.chooseCard} />
      <LastFive />
    </>
  );
}

/** When the customer was here last. For a customer from memory: how old the balances are. */
export function VisitFact({ stage }: { readonly stage: Extract<Stage, { kind: 'customer' }> }) {
  const { frame, history } = useModel();
  const words = useWords('past');
  const format = frame.format.value;
  const nowMs = frame.nowMs.value;
  const { profile, source } = stage.found;
  if (source === 'kept') {
    return (
      <span class="fact fact-old row gap-1">
        <Icon name="cloud-off" />
        {words.balanceFrom(format.when(Date.parse(profile.balances_as_of), nowMs))}
      </span>
    );
  }
  const theirs = history.theirs.value;
  const lastMs = theirs === null ? null : lastVisitMs(lastFive(theirs, profile.cards));
  return lastMs === null ? null : <span class="fact">{words.lastVisit(format.dayAgo(lastMs, nowMs))}</span>;
}

/** What was earned and will go to one of several cards, which the service chooses. */
function SomeCardsWay() {
  const { sale, history } = useModel();
  if (sale.cards.value.filter((card) => earnsOf(card).length > 0).length < 2) return null;
  const coming = onTheWay(history.theirs.value?.operations ?? [], (cardId) => cardId === null);
  return coming.length === 0 ? null : (
    <p class="row gap-3">
      <OnTheWay values={coming} />
    </p>
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
        <span class="skeleton avatar" />
        <span class="stack gap-2">
          <span class="skeleton skeleton-name" />
          <span class="skeleton skeleton-line" />
        </span>
      </div>
      <div class="cards-grid" aria-hidden="true">
        <span class="skeleton skeleton-card" />
        <span class="skeleton skeleton-card" />
      </div>
    </div>
  );
}
