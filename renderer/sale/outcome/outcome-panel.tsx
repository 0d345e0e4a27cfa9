import { useRef } from 'preact/hooks';
import type { OperationView } from '../../../shared/till/views.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { loadLater } from '../../components/load-later.tsx';
import { isFromBefore, useNotedShown } from '../../components/shown.ts';
import { stateIcons } from '../../components/state-icon.tsx';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { refusalReason } from '../../operation/outcome.ts';
import { isBeingFoundOut, reversalUnderWay, rowLook } from '../../operation/standing.ts';
import { isPinRight, type Recent } from '../../recent/recent.ts';
import { GoalLeft, newlyReady } from './outcome-goal.tsx';
import { OutcomeMore } from './outcome-more.tsx';
import { outcomeAloud, outcomeWords, type Telling } from './outcome-words.ts';
import type { Outcome } from './shown-outcome.ts';
import { UndoQuestion } from './undo-question.tsx';

const PassedNote = loadLater(
  () => import('./passed-note.tsx'),
  (module) => module.PassedNote,
  'past',
);
const ScanNote = loadLater(
  () => import('../scan-note.tsx'),
  (module) => module.ScanNote,
);
const NextSteps = loadLater(
  () => import('./next-steps.tsx'),
  (module) => module.NextSteps,
);
const PrintReceipt = loadLater(
  () => import('../../receipt/print-receipt.tsx'),
  (module) => module.PrintReceipt,
  'receipt',
);
const WaysOut = loadLater(
  () => import('./ways-out.tsx'),
  (module) => module.WaysOut,
);

/** The outcome in the middle of the screen: a sentence for the customer, the balance now, and Undo. */
export function OutcomePanel() {
  const { frame, sale } = useModel();
  const outcome = sale.outcome.value;
  const telling = useTelling();
  /** What is shown is not the outcome of the last sale. */
  const isOther = outcome === null || outcome.isEarlier;
  const root = useRef<HTMLElement>(null);
  useNotedShown(root);
  return (
    <section
      ref={root}
      class="outcome-slot"
      aria-label={frame.words.value.outcome.region}
      onClickCapture={(event) => {
        // Whoever pressed so early meant what stood there before.
        if (!(event.target instanceof Node && isFromBefore(event, event.target))) return;
        event.stopPropagation();
        event.preventDefault();
      }}
    >
      {/* The panel itself is not a live region, because all of it would be read at each step. */}
      <p class="visually-hidden" role="status">
        {outcome !== null && outcomeAloud(outcome, telling)}
      </p>
      {sale.passed.value !== null && sale.entry.value === null && isOther && <PassedNote />}
      {outcome !== null && !isOther && sale.waitingScan.value !== null && !sale.keepsScan.value && (
        <ScanNote who={outcome.operation.customer_name} onSwitch={sale.takeWaitingScan} />
      )}
      {outcome !== null && <OutcomeView key={outcome.operation.operation_id} outcome={outcome} />}
    </section>
  );
}

function useTelling(): Telling {
  const { frame, sale, recent, holds } = useModel();
  return {
    words: frame.words.value,
    decide: useWords('past').decide,
    format: frame.format.value,
    connection: frame.connection.value,
    nowMs: frame.nowMs.value,
    cards: sale.cards.value,
    recent: recent.operations.value ?? [],
    past: useWords('past'),
    held: holds.holds.value ?? [],
    goals: frame.till.value?.reward_goals ?? [],
  };
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  const { frame, recent } = useModel();
  const { operation } = outcome;
  const look = rowLook(operation);
  const said = outcomeWords(outcome, useTelling());
  const undo = recent.undos.value.get(operation.operation_id);
  if (undo !== undefined && undo.kind !== 'busy' && !isPinRight(recent, operation)) {
    return (
      <div class="outcome outcome-info stack" data-ref={operation.external_ref} data-state={operation.state}>
        <UndoQuestion operation={operation} undo={undo}>
          {outcome.isEarlier && <BackButton />}
        </UndoQuestion>
      </div>
    );
  }
  const icon: IconName = said.isGift ? 'gift' : said.isOver ? 'timer' : stateIcons[look.icon];
  const tone = said.isOver ? 'warning' : look.tone;
  return (
    <div class={`outcome outcome-${tone} stack`} data-ref={operation.external_ref} data-state={operation.state}>
      <div class="outcome-head row gap-4">
        <span class="seal">
          <Icon name={icon} size={40} mirrors={icon === 'undo-2'} />
        </span>
        <p class="outcome-kind">
          <bdi>{said.kind}</bdi>
        </p>
        {outcome.isEarlier && <BackButton />}
      </div>
      <h2 class={said.isGift ? 'outcome-hero outcome-gift' : 'outcome-hero'} data-size={heroSizeOf(said.hero)}>
        <bdi>{said.hero}</bdi>
      </h2>
      {said.next !== null && <p class="outcome-next">{said.next}</p>}
      {said.why !== null && (
        <p class="outcome-why stack">
          <strong>{said.why.title}</strong>
          <span>{said.why.next}</span>
          <OriginalWords operation={operation} />
        </p>
      )}
      <NextSteps key={operation.operation_id} outcome={outcome} />
      {operation.state === 'applied' && (newlyReady(outcome) || operation.intent === 'earn') && (
        <GoalLeft outcome={outcome} />
      )}
      {/* After a decision the sentence says what was chosen. */}
      {isBeingFoundOut(operation) && operation.decision === null && <WaysOut operation={operation} title="elsewhere" />}
      <div class="outcome-foot row">
        <UndoButton operation={operation} isBusy={undo !== undefined} />
        {frame.till.value?.has_printer === true && <PrintReceipt key={operation.operation_id} operation={operation} />}
        <OutcomeMore operation={operation} above={said.hero} />
      </div>
    </div>
  );
}

/** Goes back from an earlier sale to the customer in front. */
function BackButton() {
  const { frame, sale } = useModel();
  return (
    <button type="button" class="button button-ghost outcome-back" onClick={sale.closeEarlier}>
      <Icon name="x" size={22} />
      {frame.words.value.recent.close}
    </button>
  );
}

function UndoButton({ operation, isBusy }: { readonly operation: OperationView; readonly isBusy: boolean }) {
  const { frame, recent } = useModel();
  if (operation.undo === null || isBeingReversed(operation, recent)) return null;
  return (
    <button
      type="button"
      class="button button-outline outcome-undo"
      disabled={isBusy}
      onClick={() => void recent.undo(operation)}
    >
      <Icon name="undo-2" mirrors />
      {frame.words.value.recent.undo}
    </button>
  );
}

function isBeingReversed(operation: OperationView, { operations }: Recent): boolean {
  return reversalUnderWay(operations.value ?? [], operation) !== null;
}

/** The service's own words, when the screen's words say too little. */
function OriginalWords({ operation: { state, error, intent } }: { readonly operation: OperationView }) {
  if (intent !== 'earn' || error === null || refusalReason(error) !== 'other') return null;
  if (state !== 'refused' && state !== 'failed') return null;
  return (
    <span class="refusal-original" lang="en" dir="ltr">
      {error.message}
    </span>
  );
}

/** An amount stands in one line: what no space parts is written smaller when it is long. */
function heroSizeOf(hero: string): 'long' | 'longer' | undefined {
  const longest = Math.max(...hero.split(' ').map((part) => part.length));
  if (longest > 16) return 'longer';
  return longest > 12 ? 'long' : undefined;
}
