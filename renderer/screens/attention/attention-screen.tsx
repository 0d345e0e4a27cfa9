import { useEffect } from 'preact/hooks';
import type { OperationView } from '../../../shared/till/views.ts';
import { PageHead } from '../../components/page-head.tsx';
import { StateIcon } from '../../components/state-icon.tsx';
import { refusalReason, stateLooks } from '../../sale/outcome.ts';
import type { AttentionAction } from '../../state/attention.ts';
import { useModel } from '../../state/model.ts';
import { operationAmount, operationCustomer } from '../sale/operation-words.ts';
import { DecideDialog } from './decide-dialog.tsx';

/** What does not go on by itself, the oldest first, each with what can be done about it. */
export function AttentionScreen() {
  const { frame, attention } = useModel();
  const words = frame.words.value.attention;
  const operations = attention.operations.value;
  const deciding = attention.deciding.value;
  useEffect(() => void attention.read(), []);
  return (
    <main class="page" data-screen="attention">
      <PageHead screen="attention" />
      {operations === null && <span class="skeleton skeleton-row" aria-hidden="true" />}
      {operations?.length === 0 && (
        <p class="hollow">
          <strong>{words.emptyTitle}</strong>
          {words.emptyNext}
        </p>
      )}
      {operations !== null && operations.length > 0 && (
        <ul class="attention-list">
          {operations.map((operation) => (
            <AttentionRow key={operation.operation_id} operation={operation} />
          ))}
        </ul>
      )}
      {deciding !== null && <DecideDialog key={deciding.operation.operation_id} deciding={deciding} />}
    </main>
  );
}

function AttentionRow({ operation }: { readonly operation: OperationView }) {
  const { frame, attention } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const reason = words.refusals[operation.error === null ? 'other' : refusalReason(operation.error)];
  // A refusal recorded nothing: the same reference may go again. A failure has used it up.
  const actions: readonly AttentionAction[] =
    operation.state === 'failed' ? ['replace', 'write_off'] : ['resend', 'write_off'];
  return (
    <li class="attention-row" data-ref={operation.external_ref} data-state={operation.state}>
      <StateIcon look={stateLooks[operation.state]} size={24} />
      <div class="attention-text">
        <p class="attention-first">
          <bdi class="attention-amount">{operationAmount(operation, words, format)}</bdi>
          <bdi>{operationCustomer(operation, words)}</bdi>
          <time class="quiet" dateTime={operation.occurred_at}>
            {format.dateTime(Date.parse(operation.occurred_at))}
          </time>
        </p>
        <p class="attention-reason">{reason.title}</p>
        <bdi dir="ltr" class="ref">
          {operation.external_ref}
        </bdi>
      </div>
      <div class="attention-actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            class={`button ${action === 'write_off' ? 'button-ghost' : 'button-outline'}`}
            onClick={() => attention.begin(operation, action)}
          >
            {words.attention.actions[action]}
          </button>
        ))}
      </div>
    </li>
  );
}
