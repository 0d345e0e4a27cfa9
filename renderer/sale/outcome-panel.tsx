import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import { useModel } from '../model.ts';
import { isBeingFoundOut, rowLook } from '../recent/recent-rows.ts';
import { operationAmount, operationCustomer } from './operation-words.ts';
import { outcomeSteps, refusalReason } from './outcome.ts';
import { outcomeAloud, outcomeWords, type Telling } from './outcome-words.ts';
import type { Outcome } from './shown-outcome.ts';

const PassedNote = loadLater(() => import('./passed-note.tsx').then((module) => module.PassedNote));
const WaysOut = loadLater(() => import('./ways-out.tsx').then((module) => module.WaysOut));

/** What became of the sale: Saved at once, then Sent, then Applied; or the reason why not. */
export function OutcomePanel() {
  const { frame, sale } = useModel();
  const outcome = sale.outcome.value;
  const telling = useTelling();
  return (
    <section class="outcome-slot" aria-label={frame.words.value.outcome.region}>
      {/* The panel itself is not live: it would be read from top to bottom at each step. */}
      <p class="visually-hidden" role="status">
        {outcome !== null && outcomeAloud(outcome, telling)}
      </p>
      {outcome === null ? sale.passed.value !== null && <PassedNote /> : <OutcomeView outcome={outcome} />}
    </section>
  );
}

function useTelling(): Telling {
  const { frame, sale } = useModel();
  return {
    words: frame.words.value,
    format: frame.format.value,
    connection: frame.connection.value,
    nowMs: frame.nowMs.value,
    cards: sale.cards.value,
  };
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const { operation } = outcome;
  const isSpend = operation.intent !== 'earn';
  const look = rowLook(operation);
  const reached = look.reached === null || isSpend ? -1 : outcomeSteps.indexOf(look.reached);
  const said = outcomeWords(outcome, useTelling());
  return (
    <div
      class={`outcome outcome-${look.tone} panel stack gap-4`}
      data-ref={operation.external_ref}
      data-state={operation.state}
    >
      <div class="outcome-head row gap-4">
        <StateIcon look={look} size={28} />
        <div class="two-lines">
          <h2 class="outcome-title">{said.title}</h2>
          <p class="outcome-detail">{said.next}</p>
        </div>
      </div>
      <p class="outcome-sale">
        <bdi class="outcome-amount">{operationAmount(operation, words, frame.format.value)}</bdi>
        <bdi class="outcome-who">{operationCustomer(operation, words)}</bdi>
      </p>
      {/* Once one is chosen, the head says so. */}
      {isBeingFoundOut(operation) && operation.decision === null && <WaysOut operation={operation} />}
      {said.why !== null && (
        <div class="refusal stack gap-1">
          <strong>{said.why.title}</strong>
          <span>{said.why.next}</span>
          {!isSpend && <OriginalWords operation={operation} />}
        </div>
      )}
      {reached >= 0 && (
        <ol class="steps">
          {outcomeSteps.map((step, index) => (
            <li
              key={step}
              class={index <= reached ? 'step step-done stack gap-1' : 'step stack gap-1'}
              aria-current={index === reached ? 'step' : undefined}
            >
              <span class="step-dot">{index <= reached && <Icon name="check" size={14} />}</span>
              {words.outcome.steps[step]}
            </li>
          ))}
        </ol>
      )}
      <p class="outcome-ref">
        <span>{words.outcome.reference}</span>
        <bdi dir="ltr" class="ref">
          {operation.external_ref}
        </bdi>
      </p>
      <div class="outcome-foot">
        <button type="button" class="button button-outline" onClick={sale.clear}>
          {words.customer.next}
        </button>
        {outcome.clearsAfterMs !== null && (
          <button type="button" class="button button-ghost" onClick={sale.keepOutcome}>
            {words.outcome.keep}
          </button>
        )}
      </div>
      {outcome.clearsAfterMs !== null && (
        <span
          key={outcome.round}
          class="outcome-timer"
          style={{ animationDuration: `${outcome.clearsAfterMs}ms` }}
          aria-hidden="true"
        />
      )}
    </div>
  );
}

/** The service's own words, where ours say too little. */
function OriginalWords({ operation: { state, error } }: { readonly operation: OperationView }) {
  if ((state !== 'refused' && state !== 'failed') || error === null || refusalReason(error) !== 'other') return null;
  return (
    <span class="refusal-original" lang="en" dir="ltr">
      {error.message}
    </span>
  );
}
