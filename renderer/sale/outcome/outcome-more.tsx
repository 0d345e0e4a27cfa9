import type { OperationView } from '../../../shared/till/views.ts';
import { Icon } from '../../components/icon.tsx';
import { useModel } from '../../model.ts';
import { operationAmount, rowState, shortReference } from '../../operation/operation-words.ts';
import { outcomeSteps } from '../../operation/outcome.ts';
import { rowLook } from '../../operation/standing.ts';

interface OutcomeMoreProps {
  readonly operation: OperationView;
  /** The text above. What it names is not named again here. */
  readonly above: string;
}

/** The technical line of an outcome. A press shows the whole reference and the operation's steps. */
export function OutcomeMore({ operation, above }: OutcomeMoreProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const amount = operationAmount(operation, words, format);
  const look = rowLook(operation);
  const reached = look.reached === null || operation.intent !== 'earn' ? -1 : outcomeSteps.indexOf(look.reached);
  const time = format.time(Date.parse(operation.occurred_at));
  return (
    <details class="outcome-more">
      <summary>
        <span class="row gap-2">
          {!above.includes(amount) && (
            <>
              <bdi>{amount}</bdi>
              <span aria-hidden="true">·</span>
            </>
          )}
          <time dateTime={operation.occurred_at}>{time}</time>
        </span>
        <span class="row gap-2">
          <bdi dir="ltr">{shortReference(operation.external_ref)}</bdi>
          <Icon name="chevron-right" size={16} mirrors />
        </span>
      </summary>
      <div class="outcome-details panel stack gap-2">
        <p class="outcome-ref">
          <span>{words.outcome.reference}</span>
          <bdi dir="ltr" class="ref">
            {operation.external_ref}
          </bdi>
        </p>
        <p>{rowState(operation, words)}</p>
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
      </div>
    </details>
  );
}
