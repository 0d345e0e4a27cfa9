import type { OperationView } from '../../../shared/till/views.ts';
import { Icon } from '../../components/icon.tsx';
import { refusalReason } from '../../sale/outcome.ts';
import { isBeingFoundOut } from '../../sale/recent-rows.ts';
import { useModel } from '../../state/model.ts';
import { decideAfterMs } from '../../state/recent.ts';
import type { Outcome } from '../../state/sale.ts';
import { failureWords } from './operation-words.ts';

/** What a redemption needs to be said besides: why it was not done, or what to do while that is not known. */
export function SpendNews({ outcome }: { readonly outcome: Outcome }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const { operation, failure } = outcome;
  if (isBeingFoundOut(operation)) return <WaysOut operation={operation} />;
  const why =
    failure !== null
      ? failureWords(failure, words)
      : operation.error !== null && (operation.state === 'refused' || operation.state === 'cancelled')
        ? words.spendRefusals[refusalReason(operation.error)]
        : null;
  if (why === null) return null;
  return (
    <div class="refusal">
      <strong>{why.title}</strong>
      <span>{why.next}</span>
    </div>
  );
}

/** After a while with no answer the cashier can go on, in one of two ways; both are kept by the agent. */
export function WaysOut({ operation }: { readonly operation: OperationView }) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const { operation_id } = operation;
  const failure = recent.decideFailures.value.get(operation_id) ?? null;
  if (operation.decision !== null) {
    return (
      <div class="ways" data-decision={operation.decision}>
        <strong>{words.decide.chosen[operation.decision]}</strong>
        <span class="quiet">{words.decide.chosenNext[operation.decision]}</span>
      </div>
    );
  }
  if (frame.nowMs.value - Date.parse(operation.saved_at) < decideAfterMs) return null;
  return (
    <div class="ways">
      <strong>{words.decide.title}</strong>
      <span class="quiet">{words.decide.why}</span>
      {/* What is given once cannot be put right by paying. */}
      {!operation.one_shot && (
        <button
          type="button"
          class="button button-outline way"
          onClick={() => void recent.decide(operation_id, 'take_full_payment')}
        >
          <Icon name="banknote" />
          <span class="two-lines">
            <span>{words.decide.takeFullPayment}</span>
            <span class="way-next">{words.decide.takeFullPaymentNext}</span>
          </span>
        </button>
      )}
      <button
        type="button"
        class="button button-outline way"
        onClick={() => void recent.decide(operation_id, 'give_it')}
      >
        <Icon name="gift" />
        <span class="two-lines">
          <span>{words.decide.giveIt}</span>
          <span class="way-next">{words.decide.giveItNext}</span>
        </span>
      </button>
      {failure !== null && (
        <span class="field-error" role="alert">
          {words.errors[failure.code].title}. {words.errors[failure.code].next}
        </span>
      )}
    </div>
  );
}
