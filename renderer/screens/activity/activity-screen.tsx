import { useEffect } from 'preact/hooks';
import { operationStates } from '../../../shared/machines/operation.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { PageHead } from '../../components/page-head.tsx';
import { StateIcon } from '../../components/state-icon.tsx';
import { stateLooks } from '../../sale/outcome.ts';
import { useModel } from '../../state/model.ts';
import { operationAmount, operationCustomer } from '../sale/operation-words.ts';
import { DetailDialog } from './detail-dialog.tsx';

/** Every operation of this till, to be narrowed by state, day and text. */
export function ActivityScreen() {
  const { frame, activity } = useModel();
  const words = frame.words.value.activity;
  const operations = activity.operations.value;
  const detail = activity.detail.value;
  useEffect(() => void activity.narrow({}), []);
  return (
    <main class="page" data-screen="activity">
      <PageHead screen="activity" />
      <Filters />
      {operations === null && <span class="skeleton skeleton-row" aria-hidden="true" />}
      {operations?.length === 0 && (
        <p class="hollow">
          <strong>{words.emptyTitle}</strong>
          {words.emptyNext}
        </p>
      )}
      {operations !== null && operations.length > 0 && (
        <ul class="activity-list">
          {operations.map((operation) => (
            <ActivityRow key={operation.operation_id} operation={operation} />
          ))}
        </ul>
      )}
      {activity.hasMore.value && (
        <button type="button" class="button button-outline activity-more" onClick={() => void activity.more()}>
          {words.more}
        </button>
      )}
      {detail !== null && <DetailDialog detail={detail} />}
    </main>
  );
}

function Filters() {
  const { frame, activity } = useModel();
  const words = frame.words.value;
  const { state, day, text } = activity.filter.value;
  return (
    <search class="filters">
      <label class="filter">
        <span class="field-label">{words.activity.text}</span>
        <input
          class="text-input"
          type="search"
          dir="auto"
          autoComplete="off"
          maxLength={255}
          value={text}
          onInput={(event) => void activity.narrow({ text: event.currentTarget.value })}
        />
      </label>
      <label class="filter">
        <span class="field-label">{words.activity.state}</span>
        <select
          class="text-input"
          value={state ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            void activity.narrow({ state: operationStates.find((known) => known === chosen) ?? null });
          }}
        >
          <option value="">{words.activity.everyState}</option>
          {operationStates.map((known) => (
            <option key={known} value={known}>
              {words.states[known].label}
            </option>
          ))}
        </select>
      </label>
      <label class="filter">
        <span class="field-label">{words.activity.day}</span>
        <input
          class="text-input"
          type="date"
          value={day}
          onChange={(event) => void activity.narrow({ day: event.currentTarget.value })}
        />
      </label>
    </search>
  );
}

function ActivityRow({ operation }: { readonly operation: OperationView }) {
  const { frame, activity } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  return (
    <li data-ref={operation.external_ref} data-state={operation.state}>
      <button type="button" class="activity-row" onClick={() => void activity.open(operation.operation_id)}>
        <StateIcon look={stateLooks[operation.state]} />
        <span class="activity-state">{words.states[operation.state].label}</span>
        <bdi class="activity-amount">{operationAmount(operation, words, format)}</bdi>
        <bdi class="activity-who">{operationCustomer(operation, words)}</bdi>
        <bdi dir="ltr" class="ref activity-ref">
          {operation.external_ref}
        </bdi>
        <time class="quiet" dateTime={operation.occurred_at}>
          {format.dateTime(Date.parse(operation.occurred_at))}
        </time>
      </button>
    </li>
  );
}
