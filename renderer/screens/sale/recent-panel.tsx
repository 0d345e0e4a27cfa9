import type { OperationView } from '../../../shared/till/views.ts';
import { Icon } from '../../components/icon.tsx';
import { StateIcon } from '../../components/state-icon.tsx';
import { refusalReason, spendLooks, stateLooks } from '../../sale/outcome.ts';
import { useModel } from '../../state/model.ts';
import { operationAmount, operationCustomer, valueOfOperation } from './operation-words.ts';

/** What is a sale, or takes one back: an enrollment is not. */
const sales: ReadonlySet<OperationView['intent']> = new Set(['earn', 'redeem', 'reverse', 'commit']);

/** The last operations of this till, whoever took them: this screen or a POS program. */
export function RecentPanel() {
  const { frame, recent } = useModel();
  const words = frame.words.value.recent;
  const operations = recent.operations.value?.filter(({ intent }) => sales.has(intent)) ?? null;
  return (
    <section class="recent" aria-label={words.region}>
      <div class="recent-head">
        <h2 class="section-title">{words.region}</h2>
        <button type="button" class="button button-ghost" onClick={() => frame.show('activity')}>
          {words.all}
        </button>
      </div>
      {operations === null && <SkeletonRows />}
      {operations?.length === 0 && (
        <p class="hollow">
          <strong>{words.emptyTitle}</strong>
          {words.emptyNext}
        </p>
      )}
      {operations !== null && operations.length > 0 && (
        <ul class="recent-list">
          {operations.map((operation) => (
            <RecentRow key={operation.operation_id} operation={operation} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RecentRow({ operation }: { readonly operation: OperationView }) {
  const { frame, recent } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const undo = recent.undos.value.get(operation.operation_id);
  const isSpend = operation.intent === 'redeem' || operation.intent === 'commit';
  const look = isSpend ? spendLooks[operation.state] : stateLooks[operation.state];
  const amount = operationAmount(operation, words, format);
  return (
    <li class="row" data-ref={operation.external_ref} data-state={operation.state}>
      <StateIcon look={look} />
      <div class="row-text">
        <p class="row-first">
          <bdi class="row-amount">
            {isSpend && look.tone === 'success' && hasValue(operation) ? words.recent.spent(amount) : amount}
          </bdi>
          <time class="row-time" dateTime={operation.occurred_at}>
            {format.time(Date.parse(operation.occurred_at))}
          </time>
        </p>
        <p class="row-second">
          <span class={`row-state tone-text-${look.tone}`}>
            {isSpend ? words.spendStates[operation.state].title : words.states[operation.state].label}
          </span>
          <bdi class="row-who">{operationCustomer(operation, words)}</bdi>
        </p>
        <p class="row-third">
          <bdi dir="ltr" class="ref">
            {operation.external_ref}
          </bdi>
        </p>
        <Reason operation={operation} />
        {undo?.kind === 'failed' && (
          <p class="row-reason" role="alert">
            {words.errors[undo.error.code].title}. {words.errors[undo.error.code].next}
          </p>
        )}
      </div>
      {operation.undo !== null && undo?.kind !== 'asked' && undo?.kind !== 'under_way' && (
        <button
          type="button"
          class="button button-outline row-undo"
          disabled={undo?.kind === 'busy'}
          onClick={() => void recent.undo(operation)}
        >
          <Icon name="undo-2" size={18} mirrors />
          {words.recent.undo}
        </button>
      )}
      {undo?.kind === 'asked' && (
        <div class="row-ask" role="alert">
          <span>{words.recent.undoSent(amount)}</span>
          <button type="button" class="button button-outline" onClick={() => recent.keep(operation.operation_id)}>
            {words.recent.undoNo}
          </button>
          <button type="button" class="button button-danger" onClick={() => void recent.undo(operation)}>
            {words.recent.undoYes}
          </button>
        </div>
      )}
      {undo?.kind === 'under_way' && operation.undo !== null && <p class="row-note">{words.recent.undoUnderWay}</p>}
      {operation.one_shot && operation.state === 'applied' && <p class="row-note">{words.recent.oneShot}</p>}
    </li>
  );
}

function hasValue(operation: OperationView): boolean {
  return valueOfOperation(operation) !== null;
}

function Reason({ operation }: { readonly operation: OperationView }) {
  const { frame } = useModel();
  if (operation.state !== 'refused' && operation.state !== 'failed') return null;
  const reason = operation.error === null ? 'other' : refusalReason(operation.error);
  const { title, next } = frame.words.value.refusals[reason];
  return (
    <p class="row-reason">
      {title}. {next}
    </p>
  );
}

function SkeletonRows() {
  return (
    <div class="recent-list" aria-hidden="true">
      <span class="skeleton skeleton-row" />
      <span class="skeleton skeleton-row" />
      <span class="skeleton skeleton-row" />
    </div>
  );
}
