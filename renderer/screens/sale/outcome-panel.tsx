import { Icon } from '../../components/icon.tsx';
import { StateIcon } from '../../components/state-icon.tsx';
import { balanceInWords } from '../../format.ts';
import { type Balance, balancesMainFirst, balancesOf, earnedDimension } from '../../sale/balances.ts';
import { outcomeSteps, refusalReason } from '../../sale/outcome.ts';
import { rowLook } from '../../sale/recent-rows.ts';
import { useModel } from '../../state/model.ts';
import type { Outcome } from '../../state/sale.ts';
import { operationAmount, operationCustomer } from './operation-words.ts';
import { SpendNews } from './spend-news.tsx';

/** What became of the sale: Saved at once, then Sent, then Applied; or the reason why not. */
export function OutcomePanel() {
  const { frame, sale } = useModel();
  const outcome = sale.outcome.value;
  const words = frame.words.value.outcome;
  return (
    <section class="outcome-slot" role="status" aria-label={words.region}>
      {outcome !== null && <OutcomeView outcome={outcome} />}
    </section>
  );
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const { operation } = outcome;
  const isSpend = operation.intent !== 'earn';
  const look = rowLook(operation);
  const reached = look.reached === null || isSpend ? -1 : outcomeSteps.indexOf(look.reached);
  const said = isSpend ? words.spendStates[operation.state] : words.states[operation.state];
  return (
    <div class={`outcome outcome-${look.tone}`} data-ref={operation.external_ref} data-state={operation.state}>
      <div class="outcome-head">
        <StateIcon look={look} size={28} />
        <div class="two-lines">
          <h2 class="outcome-title">{said.title}</h2>
          <p class="outcome-detail">{detail()}</p>
        </div>
      </div>
      <p class="outcome-sale">
        <bdi class="outcome-amount">{operationAmount(operation, words, frame.format.value)}</bdi>
        <bdi class="outcome-who">{operationCustomer(operation, words)}</bdi>
      </p>
      {isSpend ? <SpendNews outcome={outcome} /> : <Refusal outcome={outcome} />}
      {reached >= 0 && (
        <ol class="steps">
          {outcomeSteps.map((step, index) => (
            <li
              key={step}
              class={index <= reached ? 'step step-done' : 'step'}
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

  function detail(): string {
    if (outcome.duplicate) return words.outcome.duplicate(operationAmount(operation, words, frame.format.value));
    if (operation.state === 'applied') {
      const balance = newBalance(outcome);
      if (balance !== null) return words.outcome.now(balanceInWords(balance, words, frame.format.value));
    }
    if (!isSpend && operation.state === 'accepted') {
      const dimension = earnedDimension(outcome.card);
      return dimension === null ? words.outcome.onTheWayPlain : words.outcome.onTheWay[dimension];
    }
    if (!isSpend && operation.state === 'queued' && frame.connection.value !== 'online')
      return words.outcome.savedOffline;
    return said.detail;
  }
}

/** The balance that the sale moved, as the service tells it now. */
function newBalance({ operation, card }: Outcome): Balance | null {
  if (operation.new_balances === null) return null;
  const balances = balancesOf(operation.new_balances);
  if (card === null) return balances[0] ?? null;
  return balancesMainFirst({ ...card, balances: operation.new_balances })[0] ?? null;
}

function Refusal({ outcome: { operation } }: { readonly outcome: Outcome }) {
  const { frame } = useModel();
  if (operation.state !== 'refused' && operation.state !== 'failed') return null;
  const words = frame.words.value;
  const reason = operation.error === null ? 'other' : refusalReason(operation.error);
  const { title, next } = words.refusals[reason];
  return (
    <div class="refusal">
      <strong>{title}</strong>
      <span>{next}</span>
      {reason === 'other' && operation.error !== null && (
        <span class="refusal-original" lang="en" dir="ltr">
          {operation.error.message}
        </span>
      )}
    </div>
  );
}
