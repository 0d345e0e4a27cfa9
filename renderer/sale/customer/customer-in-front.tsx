import { Icon } from '../../components/icon.tsx';
import { maskedContact } from '../../copy/format.ts';
import { useWords } from '../../copy/use-words.ts';
import type { Stage } from '../../find/stage.ts';
import { useModel } from '../../model.ts';
import { earnsOf } from '../../operation/operations.ts';
import { OnTheWay } from './card-parts.tsx';
import { Cards } from './cards.tsx';
import { LastFive } from './last-five.tsx';
import { lastFive, lastVisitMs, onTheWay } from './past.ts';

/** The customer in front: who they are, what they hold, and what they did last. */
export function CustomerInFront({ isTold }: Pick<CustomerProps, 'isTold'>) {
  const { sale } = useModel();
  const stage = sale.stage.value;
  if (stage.kind === 'finding') return isTold ? null : <Searching />;
  return stage.kind === 'customer' ? <Customer stage={stage} isTold={isTold} /> : null;
}

interface CustomerProps {
  readonly stage: Extract<Stage, { kind: 'customer' }>;
  /** Whether an entry or an outcome is shown in the place of their cards. */
  readonly isTold: boolean;
}

function Customer({ stage, isTold }: CustomerProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value.customer;
  const { profile, source } = stage.found;
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
            <VisitFact stage={stage} />
          </p>
        </div>
      </div>
      {isTold ? null : profile.cards.length === 0 ? (
        <div class="blank blank-small stack gap-2">
          <h3 class="blank-title">{words.noCards}</h3>
          <p class="blank-text">{words.noCardsNext}</p>
        </div>
      ) : (
        <>
          <SomeCardsWay />
          <Cards cards={profile.cards} chosen={stage.cardId} onChoose={sale.chooseCard} />
          <LastFive />
        </>
      )}
    </div>
  );
}

/** When the customer was here last. For a customer from memory: how old the balances are. */
function VisitFact({ stage }: Pick<CustomerProps, 'stage'>) {
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

function initialsOf(name: string | null): string | null {
  const parts = name?.trim().split(/\s+/) ?? [];
  const [first, last] = [parts[0]?.at(0), parts.length > 1 ? parts.at(-1)?.at(0) : undefined];
  // Arabic letters join, so two initials side by side would look like a word.
  if (first !== undefined && /\p{Script=Arabic}/u.test(first)) return first;
  return first === undefined ? null : (first + (last ?? '')).toLocaleUpperCase();
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
