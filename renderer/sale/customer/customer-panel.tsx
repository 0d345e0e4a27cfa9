import { useLayoutEffect, useRef } from 'preact/hooks';
import { loadLater } from '../../components/load-later.tsx';
import type { Stage } from '../../find/stage.ts';
import { useModel } from '../../model.ts';
import { EntryPanel } from '../entry/entry-panel.tsx';
import { CustomerHead } from './customer-head.tsx';

const Missing = loadLater(
  () => import('./missing.tsx'),
  (module) => module.Missing,
  'past',
);

const PracticeCards = loadLater(
  () => import('./practice-cards.tsx'),
  (module) => module.PracticeCards,
);

// Their cards are needed only when a customer is in front, so they are not part of the first load.
const CustomerInFront = loadLater(
  () => import('./customer-in-front.tsx'),
  (module) => module.CustomerInFront,
  'past',
);

const BesideNote = loadLater(
  () => import('./beside-note.tsx'),
  (module) => module.BesideNote,
  'past',
);

const OutcomePanel = loadLater(
  () => import('../outcome/outcome-panel.tsx'),
  (module) => module.OutcomePanel,
  'past',
);

/** The middle of the screen: the customer in front and what they hold. */
export function CustomerPanel() {
  const { frame, sale } = useModel();
  const stage = sale.stage.value;
  const panel = useRef<HTMLElement>(null);
  const entry = sale.entry.value;
  // An entry or an outcome replaces the cards.
  const outcome = sale.outcome.value;
  const isTold = outcome !== null || entry !== null;
  // Another customer's sale must not appear under this customer's name.
  const isOfOther = (outcome?.isEarlier === true && outcome.card === null) || entry?.aim?.kind === 'paid';
  const isCalm = frame.isCalm.value;
  const till = frame.till.value;
  const hasBeside =
    (till !== null && (till.handed_over !== null || till.display?.check_in != null)) ||
    (stage.kind === 'customer' && stage.lookUp.isCheckIn === true) ||
    sale.waitingScan.value !== null;
  const customerId = stage.kind === 'customer' ? stage.found.profile.customer_id : stage.kind;
  // Each customer is shown from the top, even when the last one was scrolled down.
  useLayoutEffect(() => panel.current?.scrollTo({ top: 0 }), [customerId]);
  return (
    <section
      ref={panel}
      class="customer"
      aria-label={frame.words.value.customer.region}
      aria-busy={stage.kind === 'finding'}
      // A cashier who touches the outcome still reads it, so it stays.
      onPointerDown={sale.keepOutcome}
      onKeyDown={sale.keepOutcome}
    >
      <div class="stage-body" data-outcome={isTold ? '' : undefined} data-entry-open={entry === null ? undefined : ''}>
        {hasBeside && <BesideNote />}
        {!isOfOther && <StageView stage={stage} isTold={isTold} />}
        {!isOfOther && stage.kind === 'customer' ? (
          <div class="customer-content stack gap-5" data-source={stage.found.source}>
            <CustomerHead stage={stage} />
            <CustomerInFront isTold={isTold} />
          </div>
        ) : (
          !isOfOther && (isCalm || stage.kind === 'finding') && <CustomerInFront isTold={isTold} />
        )}
        {entry !== null && <EntryPanel key={entry.entryId} entry={entry} />}
        {(isCalm || outcome !== null) && <OutcomePanel />}
      </div>
    </section>
  );
}

function StageView({ stage, isTold }: { readonly stage: Stage; readonly isTold: boolean }) {
  // A sale by the card's number alone has no customer in front.
  if (isTold && stage.kind !== 'customer') return null;
  switch (stage.kind) {
    case 'idle':
      return <NobodyYet />;
    case 'missing':
      return <Missing stage={stage} />;
    case 'finding':
    case 'customer':
      return null;
  }
}

function NobodyYet() {
  const { frame } = useModel();
  const words = frame.words.value.customer;
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
      {frame.till.value?.mode === 'sandbox' && <PracticeCards />}
    </div>
  );
}
