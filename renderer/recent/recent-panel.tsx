import { useLayoutEffect, useState } from 'preact/hooks';
import type { OperationView } from '../../shared/till/views.ts';
import { FirstIcon } from '../components/first-icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import type { Words } from '../copy/en/start.ts';
import { useModel } from '../model.ts';
import { operationCustomer, refusalAdvice, rowState, undoingOf } from '../operation/operation-words.ts';
import { rowWords, tellsState } from '../operation/row-words.ts';
import { reversalUnderWay, rowKind, rowLook, wasNotDone } from '../operation/standing.ts';
import { type FoldedRow, foldTries, shownInList } from './recent-rows.ts';

// Only screen readers use it, so it is not part of the first load.
const LateRefusal = loadLater(
  () => import('./late-refusal.tsx'),
  (module) => module.LateRefusal,
);

const HeldList = loadLater(
  () => import('../holds/held-list.tsx'),
  (module) => module.HeldList,
);

/** The last operations of this till, from this screen and from POS programs. */
export function RecentPanel() {
  const { frame, recent, holds, sale } = useModel();
  const words = frame.words.value.recent;
  const operations = recent.operations.value;
  const rows = operations === null ? undefined : foldTries(shownInList(operations));
  const heldCount = holds.holds.value?.length ?? 0;
  // A small screen shows only the newest row until the list is opened.
  const [isOpen, setOpen] = useState(false);
  // The open list covers the middle of the screen: it closes when something new is shown there.
  const shown = [sale.entry.value?.entryId, sale.outcome.value?.operation.operation_id, sale.stage.value.kind];
  useLayoutEffect(() => setOpen(false), shown);
  return (
    <section class="recent" aria-label={words.region} data-open={isOpen ? '' : undefined}>
      {heldCount > 0 && <HeldList />}
      {(frame.isCalm.value || recent.lateRefusal.value !== null) && <LateRefusal />}
      <div class="recent-head">
        <h2 class="section-title">{words.region}</h2>
        <button type="button" class="button button-ghost" onClick={() => frame.show('activity')}>
          {words.all}
        </button>
      </div>
      <button
        type="button"
        class="button button-ghost recent-toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <FirstIcon name={isOpen ? 'x' : 'list-checks'} />
        {words.region}
        {!isOpen && heldCount > 0 && (
          <span class="row gap-1" aria-hidden="true">
            <FirstIcon name="package" />
            {frame.format.value.number(heldCount)}
          </span>
        )}
      </button>
      {rows === undefined && <SkeletonRows />}
      {rows?.length === 0 && (
        <p class="hollow">
          <strong>{words.emptyTitle}</strong>
          {words.emptyNext}
        </p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul class="stack gap-2">
          {rows.map((row) => (
            <RecentRow key={row.operation.operation_id} {...row} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** One row, which is a button. It shows the operation's outcome in the middle of the screen, where it can be undone. */
function RecentRow({ operation, tries }: FoldedRow) {
  const { frame, recent, sale } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const operations = recent.operations.value ?? [];
  const { operation_id, external_ref, state } = operation;
  const look = rowLook(operation);
  const isInFront = sale.outcome.value?.operation.operation_id === operation_id;
  const isBeingTakenBack = operation.undo !== null && reversalUnderWay(operations, operation) !== null;
  const reason = reasonOf(operation, words);
  const original = operations.find(({ row_id }) => row_id === operation.reverses_row_id) ?? null;
  const open = (): void => {
    sale.keepOutcome();
    sale.showEarlier(operation);
    const isAsked = recent.undos.value.has(operation_id);
    const isShown = sale.outcome.value?.operation.operation_id === operation_id;
    if (isShown && operation.undo === 'reverse' && !isBeingTakenBack && !isAsked) void recent.undo(operation);
  };
  return (
    <li class="sale-row" data-ref={external_ref} data-state={state} data-intent={operation.intent}>
      <button
        type="button"
        class="row-open panel"
        aria-current={isInFront ? 'true' : undefined}
        // The find box keeps the focus, because the next key is not meant for this row.
        onMouseDown={(event) => event.preventDefault()}
        onClick={open}
      >
        <StateIcon look={look} />
        <span class="row-amount cut">
          <bdi>{rowWords(operation, original, words, format).text}</bdi>
        </span>
        <span class="row-second cut">
          {reason === null ? (
            <>
              {isBeingTakenBack && <span class="row-state">{undoingOf(operation, words).underWay}</span>}
              {/* On the screen the title alone shows it, and a name has more room. Screen readers also get the state. */}
              <span class={tellsState(operation) ? 'visually-hidden' : `row-state tone-text-${look.tone}`}>
                {rowState(operation, words)}
              </span>
              <bdi class="row-who">{operationCustomer(operation, words)}</bdi>
            </>
          ) : (
            <span class="row-reason">
              <span class="visually-hidden">{rowState(operation, words)}. </span>
              {reason}
              {tries > 1 && ` · ${words.recent.tries(tries, format.number(tries))}`}
            </span>
          )}
        </span>
        <time class="row-time" dateTime={operation.occurred_at}>
          {format.when(Date.parse(operation.occurred_at), frame.nowMs.value)}
        </time>
      </button>
    </li>
  );
}

/** Why the operation failed, in a few words; null when it did not fail or may still succeed. */
function reasonOf(operation: OperationView, words: Words): string | null {
  const { state, error } = operation;
  if (!wasNotDone(operation) || state === 'written_off') return null;
  const isSpend = rowKind(operation) === 'spend';
  // A cashier who did not see the end must know that the card has lost nothing.
  if (isSpend && error === null) return words.spendStates.cancelled.detail;
  // The list does not know the customer's other cards, so the advice names none.
  return refusalAdvice(error, isSpend ? words.spendRefusals : words.refusals, { hasOther: false }).title;
}

function SkeletonRows() {
  return (
    <div class="stack gap-2" aria-hidden="true">
      <span class="skeleton skeleton-row" />
      <span class="skeleton skeleton-row" />
      <span class="skeleton skeleton-row" />
    </div>
  );
}
