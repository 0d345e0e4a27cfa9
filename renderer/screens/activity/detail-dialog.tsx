import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OperationDetail } from '../../../shared/till/activity-views.ts';
import { useModel } from '../../state/model.ts';
import { operationAmount, operationCustomer } from '../sale/operation-words.ts';

/** One operation with its whole history, its request and its answer; the customer masked. */
export function DetailDialog({ detail }: { readonly detail: OperationDetail }) {
  const { frame, activity } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const { operation, request, answer, history } = detail;
  return (
    <dialog
      ref={dialog}
      class="entry"
      aria-labelledby="detail-title"
      onCancel={(event) => {
        event.preventDefault();
        activity.close();
      }}
    >
      <header class="entry-head">
        <div class="two-lines">
          <h2 id="detail-title" class="entry-title">
            <bdi>{operationAmount(operation, words, format)}</bdi>
          </h2>
          <p class="entry-who">
            <bdi>{operationCustomer(operation, words)}</bdi>
            <bdi dir="ltr" class="ref">
              {operation.external_ref}
            </bdi>
          </p>
        </div>
      </header>
      <div class="detail">
        <h3 class="section-title">{words.activity.history}</h3>
        <ol class="history">
          {history.map((entry) => (
            <li key={`${entry.at} ${entry.to} ${entry.attempt}`} class="history-row">
              <time class="quiet" dateTime={entry.at}>
                {format.dateTime(Date.parse(entry.at))}
              </time>
              <strong>{words.states[entry.to].label}</strong>
              <bdi dir="ltr" class="quiet">
                {[entry.cause, entry.code, entry.request_id].filter((part) => part !== null).join(' · ')}
              </bdi>
              {entry.reason !== null && (
                <bdi>
                  {entry.reason}
                  {entry.person === null ? '' : ` (${entry.person})`}
                </bdi>
              )}
            </li>
          ))}
        </ol>
        <h3 class="section-title">{words.activity.request}</h3>
        <pre class="code" dir="ltr">
          {`POST ${request.path}\n${JSON.stringify(request.body, null, 2)}`}
        </pre>
        {answer !== null && answer !== undefined && (
          <>
            <h3 class="section-title">{words.activity.answer}</h3>
            <pre class="code" dir="ltr">
              {JSON.stringify(answer, null, 2)}
            </pre>
          </>
        )}
      </div>
      <div class="entry-foot">
        <button type="button" class="button button-primary button-large entry-confirm" onClick={activity.close}>
          {words.enroll.close}
        </button>
      </div>
    </dialog>
  );
}
