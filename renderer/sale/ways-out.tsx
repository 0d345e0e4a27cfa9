import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { offersWays } from './outcome-words.ts';

/** After a while with no answer the cashier can go on, in one of two ways; both are kept by the agent. */
export function WaysOut({
  operation,
  title,
}: {
  readonly operation: OperationView;
  readonly title: 'shown' | 'elsewhere';
}) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const { operation_id } = operation;
  const failure = recent.decideFailures.value.get(operation_id) ?? null;
  if (operation.decision !== null) {
    return (
      <div class="ways stack gap-2" data-decision={operation.decision}>
        <strong>{words.decide.chosen[operation.decision]}</strong>
        <span class="quiet">{words.decide.chosenNext[operation.decision]}</span>
      </div>
    );
  }
  if (!offersWays(operation, frame.nowMs.value)) return null;
  return (
    <div class="ways stack gap-2">
      {title === 'shown' && <strong>{words.decide.title}</strong>}
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
