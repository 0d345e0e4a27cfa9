import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { stateIcons } from '../components/state-icon.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { operationCustomer, rowState, shortReference } from '../operation/operation-words.ts';
import { rowWords } from '../operation/row-words.ts';
import { rowLook } from '../operation/standing.ts';
import { useActivity } from './use-activity.ts';

/** The names of the columns, over the rows. */
export function ActivityHead() {
  const { columns } = useWords('activity');
  return (
    <div class="activity-grid activity-head" aria-hidden="true">
      <span class="activity-time">{columns.time}</span>
      <span class="activity-what">{columns.what}</span>
      <span class="activity-customer">{columns.customer}</span>
      <span class="activity-cashier">{columns.cashier}</span>
      <span class="activity-receipt">{columns.receipt}</span>
      <span class="activity-now">{columns.now}</span>
    </div>
  );
}

interface ActivityCellsProps {
  readonly operation: OperationView;
  /** The operation that a reversal undoes; null when its row is not loaded. */
  readonly original: OperationView | null;
}

/** The cells of a row: when, what, for whom, by whom, on which receipt, and the state now. */
export function ActivityCells({ operation, original }: ActivityCellsProps) {
  const { frame } = useModel();
  const all = frame.words.value;
  const format = frame.format.value;
  const { external_ref, occurred_at, employee_ref } = operation;
  const did = rowWords(operation, original, all, format);
  const cashiers = frame.till.value?.cashiers ?? [];
  const cashier = cashiers.find((known) => known.employee_ref === employee_ref)?.name ?? employee_ref;
  return (
    <>
      <time class="activity-time" dateTime={occurred_at}>
        {format.when(Date.parse(occurred_at), frame.nowMs.value)}
      </time>
      <span class="activity-what">
        <span class={`activity-sign tone-text-${did.tone}`}>
          <Icon name={did.icon} mirrors={did.icon === 'undo-2'} />
        </span>
        <span class="cut">
          <bdi>{did.text}</bdi>
        </span>
      </span>
      <span class="activity-customer cut">
        <bdi>{operationCustomer(operation, all)}</bdi>
      </span>
      <span class="activity-cashier cut">
        <bdi>{cashier ?? '–'}</bdi>
      </span>
      <bdi dir="ltr" class="activity-receipt cut" title={external_ref}>
        {shortReference(external_ref)}
      </bdi>
      <Now operation={operation} />
    </>
  );
}

/** The state, how much time a hold has left, and how many tries there were. */
function Now({ operation }: { readonly operation: OperationView }) {
  const { frame, holds } = useModel();
  const own = useWords('activity');
  const activity = useActivity();
  const format = frame.format.value;
  const look = rowLook(operation);
  const hold = holds.holds.value?.find(
    ({ hold_id, state }) => hold_id === operation.operation_id && state === 'reserved',
  );
  const leftMs = hold?.expires_at == null ? 0 : Date.parse(hold.expires_at) - frame.serviceNowMs.value;
  const tries = activity.tries.value.get(operation.operation_id) ?? 1;
  const state =
    leftMs > 0 ? own.heldFor(format.number(Math.ceil(leftMs / 60_000))) : rowState(operation, frame.words.value);
  return (
    <span class={`activity-now tone-text-${leftMs > 0 ? 'warning' : look.tone}`}>
      <Icon
        name={leftMs > 0 ? 'timer' : stateIcons[look.icon]}
        mirrors={look.icon === 'sending' || look.icon === 'undone'}
      />
      <span class="cut">{tries > 1 ? `${state} · ${own.tries(tries, format.number(tries))}` : state}</span>
    </span>
  );
}
