import { useState } from 'preact/hooks';
import type { OperationView } from '../../shared/till/views.ts';
import { Icon } from '../components/icon.tsx';
import { loadLater } from '../components/load-later.tsx';
import { StateIcon } from '../components/state-icon.tsx';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';
import { useModel } from '../model.ts';
import {
  operationAmount,
  operationCustomer,
  refusalAdvice,
  rowState,
  rowTitle,
  shortReference,
} from '../sale/operation-words.ts';
import { isBeingFoundOut, isWorthARow, reversalUnderWay, rowKind, rowLook } from './recent-rows.ts';

const WaysOut = loadLater(() => import('../sale/ways-out.tsx').then((module) => module.WaysOut));

const UndoPin = loadLater(() => import('./undo-pin.tsx').then((module) => module.UndoPin));

const HeldList = loadLater(() => import('../holds/held-list.tsx').then((module) => module.HeldList));

/** The last operations of this till, whoever took them: this screen or a POS program. */
export function RecentPanel() {
  const { frame, recent, holds } = useModel();
  const words = frame.words.value.recent;
  const operations = recent.operations.value;
  const rows = operations?.filter(isWorthARow);
  // On a small screen the newest row alone is seen, until somebody asks for the others.
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="recent" aria-label={words.region} data-open={isOpen ? '' : undefined}>
      {holds.holds.value !== null && holds.holds.value.length > 0 && <HeldList />}
      <LateRefusal />
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
        <Icon name={isOpen ? 'x' : 'list-checks'} />
        {words.region}
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
          {rows.map((operation) => (
            <RecentRow key={operation.operation_id} operation={operation} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** For the ear: an earlier sale was refused meanwhile. The eye finds it in its row and in the top bar. */
function LateRefusal() {
  const { frame, recent, sale } = useModel();
  const operation = recent.lateRefusal.value;
  const isInFront = sale.outcome.value?.operation.operation_id === operation?.operation_id;
  return (
    <p class="visually-hidden" role="status">
      {operation !== null && !isInFront && lateRefusalAloud(operation, frame.words.value, frame.format.value)}
    </p>
  );
}

function lateRefusalAloud(operation: OperationView, words: Words, format: Format): string {
  const { title, next } = refusalAdvice(operation.error, words.refusals, { hasOther: false });
  const what = `${operationAmount(operation, words, format)}, ${operationCustomer(operation, words)}`;
  return [words.states[operation.state].title, what, title, next].join('. ');
}

function RecentRow({ operation }: { readonly operation: OperationView }) {
  const { frame, recent, sale } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const operations = recent.operations.value ?? [];
  const { operation_id, external_ref, state } = operation;
  const undo = recent.undos.value.get(operation_id);
  const look = rowLook(operation);
  const undoing = words.recent.undoing[rowKind(operation) === 'spend' ? 'spend' : 'sale'];
  const isBeingTakenBack = operation.undo !== null && reversalUnderWay(operations, operation) !== null;
  const canUndo = operation.undo !== null && !isBeingTakenBack && undo?.kind !== 'asked' && undo?.kind !== 'pin_asked';
  // The outcome of the customer in front asks the same, and larger.
  const isInFront = sale.outcome.value?.operation.operation_id === operation_id;
  return (
    <li class="sale-row panel" data-ref={external_ref} data-state={state} data-intent={operation.intent}>
      <StateIcon look={look} />
      <div class="row-text">
        <p class="row-first">
          <span class="row-amount">
            <bdi>{rowTitle(operation, operations, words, format)}</bdi>
          </span>
          <time class="row-time" dateTime={operation.occurred_at}>
            {format.when(Date.parse(operation.occurred_at), frame.nowMs.value)}
          </time>
        </p>
        <p class="row-second">
          <span class={`row-state tone-text-${look.tone}`}>{rowState(operation, words)}</span>
          <bdi class="row-who cut">{operationCustomer(operation, words)}</bdi>
        </p>
        <div class="row-last">
          {/* What has no receipt has no number that anybody would look for. */}
          {rowKind(operation) !== 'errand' && (
            <p class="row-third" title={external_ref}>
              <bdi dir="ltr" class="ref">
                {shortReference(external_ref)}
              </bdi>
            </p>
          )}
          {canUndo && (
            <button
              type="button"
              class="button row-undo"
              disabled={undo?.kind === 'busy'}
              onClick={() => void recent.undo(operation)}
            >
              <Icon name="undo-2" size={18} mirrors />
              {words.recent.undo}
            </button>
          )}
        </div>
        <Reason operation={operation} />
        {undo?.kind === 'failed' && !isInFront && (
          <p class="row-reason" role="alert">
            {words.errors[undo.error.code].title}. {words.errors[undo.error.code].next}
          </p>
        )}
        {isBeingTakenBack && <p class="row-note">{undoing.underWay}</p>}
        {operation.one_shot && state === 'applied' && <p class="row-note">{words.recent.oneShot}</p>}
      </div>
      {undo?.kind === 'asked' && !isBeingTakenBack && !isInFront && (
        <div class="row-ask" role="alert">
          <span>{undoing.ask(operationAmount(operation, words, format))}</span>
          <button type="button" class="button button-outline" onClick={() => recent.keep(operation_id)}>
            {words.recent.undoNo}
          </button>
          <button type="button" class="button button-danger" onClick={() => void recent.undo(operation)}>
            {undoing.yes}
          </button>
        </div>
      )}
      {undo?.kind === 'pin_asked' && !isBeingTakenBack && !isInFront && <UndoPin operation={operation} undo={undo} />}
      {isBeingFoundOut(operation) && !isInFront && (
        <div class="row-ways">
          <p class="row-note">{words.operations.unavailable.checking}</p>
          <WaysOut operation={operation} title="shown" />
        </div>
      )}
    </li>
  );
}

function Reason({ operation }: { readonly operation: OperationView }) {
  const { frame } = useModel();
  const { state, error } = operation;
  const kind = rowKind(operation);
  const isRefused = state === 'refused' || state === 'failed';
  // Who waited for it was told at once: then it ends by itself, and the reason stands here.
  const wasRefused = kind === 'spend' && state === 'cancelled' && error !== null;
  const { refusals, spendRefusals, spendStates } = frame.words.value;
  // Whoever did not see how it ended has to know that the card has lost nothing.
  if (kind === 'spend' && state === 'cancelled' && error === null) {
    return <p class="row-note">{spendStates.cancelled.detail}</p>;
  }
  if (!isRefused && !wasRefused) return null;
  // Nobody knows here whether the customer has another card: the advice does without.
  if (wasRefused) {
    return <p class="row-note">{refusalAdvice(error, spendRefusals, { hasOther: false }).title}</p>;
  }
  const { title, next } = refusalAdvice(error, refusals, { hasOther: false });
  return (
    <p class="row-reason">
      {title}. {next}
    </p>
  );
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
