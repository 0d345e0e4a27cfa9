import type { OperationView } from '../../../shared/till/views.ts';
import { Icon } from '../../components/icon.tsx';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { waysWith } from '../../operation/standing.ts';

/** Offers two ways to go on when a redemption has had no answer for a while. The agent saves the choice. */
export function WaysOut({
  operation,
  title,
}: {
  readonly operation: OperationView;
  readonly title: 'shown' | 'elsewhere';
}) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const { decide } = useWords('past');
  const { operation_id } = operation;
  const failure = recent.decideFailures.value.get(operation_id) ?? null;
  if (operation.decision !== null) {
    return (
      <div class="ways stack gap-2" data-decision={operation.decision}>
        <strong>{decide.chosen[operation.decision]}</strong>
        <span class="quiet">{decide.chosenNext[operation.decision]}</span>
      </div>
    );
  }
  if (waysWith(operation, frame.nowMs.value) !== 'decide') return null;
  return (
    <div class="ways stack gap-2">
      {title === 'shown' && <strong>{decide.title}</strong>}
      <span class="quiet">{decide.why}</span>
      {/* A reward or coupon cannot be paid for instead. */}
      {!operation.one_shot && (
        <button
          type="button"
          class="button button-outline way"
          onClick={() => void recent.decide(operation_id, 'take_full_payment')}
        >
          <Icon name="banknote" />
          <span class="two-lines">
            <span>{decide.takeFullPayment}</span>
            <span class="way-next">{decide.takeFullPaymentNext}</span>
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
          <span>{decide.giveIt}</span>
          <span class="way-next">{decide.giveItNext}</span>
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
