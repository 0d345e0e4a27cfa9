import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import type { TillEvent } from '../../shared/till/api.ts';
import type { TillState } from '../../shared/till/views.ts';
import type { AgentChange, AgentCore } from '../core/agent-core.ts';
import { operationView } from './operation-view.ts';

/** Changes are sent to the page at most this often. The first change after a pause is sent at once. */
const quietMs = 100;

/**
 * So many operations, the newest, are told of at once: more than any screen shows. A backlog working itself off must not
 * flood the page; older ones are in the counts.
 */
const maxOperationsTold = 32;

interface EventStream {
  readonly onEvent: (listener: (event: TillEvent) => void) => () => void;
  /** Sends the state with the next changes, although the core reported no change. */
  readonly stateChanged: () => void;
  readonly close: () => void;
}

/**
 * Collects the core's changes for the page, because a backlog may change thousands of operations a second. A shut
 * screen gets only the state of the till, and reads the operations when it opens.
 */
export function createEventStream(
  core: AgentCore,
  clock: Clock,
  { readState, isShut }: { readonly readState: () => TillState; readonly isShut: () => boolean },
): EventStream {
  const listeners = new Set<(event: TillEvent) => void>();
  const changedRowIds = new Set<number>();
  let isStateDue = false;
  let cancelTimer: CancelTimer | null = null;

  const unsubscribe = core.onChange((change) => {
    if (listeners.size === 0) return;
    note(change);
    if (cancelTimer === null) tellRound();
  });

  function note(change: AgentChange): void {
    if (change.type === 'status') {
      isStateDue = true;
      return;
    }
    changedRowIds.add(change.rowId);
    if (changedRowIds.size > 2 * maxOperationsTold) keepNewest();
  }

  function keepNewest(): void {
    for (const rowId of oldestFirst().slice(0, -maxOperationsTold)) changedRowIds.delete(rowId);
  }

  function oldestFirst(): readonly number[] {
    return [...changedRowIds].sort((left, right) => left - right);
  }

  function tellRound(): void {
    cancelTimer = null;
    const isTold = !isShut();
    if ((changedRowIds.size === 0 || !isTold) && !isStateDue) return;
    keepNewest();
    const events: TillEvent[] = (isTold ? oldestFirst() : [])
      .map((rowId) => core.operation(rowId))
      .filter((operation) => operation !== null)
      .map((operation) => ({ type: 'operation', operation: operationView(operation) }));
    if (isStateDue) events.push({ type: 'state', state: readState() });
    if (isTold) changedRowIds.clear();
    isStateDue = false;
    cancelTimer = clock.setTimer(tellRound, quietMs);
    for (const event of events) for (const listener of listeners) listener(event);
  }

  return {
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stateChanged() {
      isStateDue = true;
      if (cancelTimer === null) tellRound();
    },
    close() {
      unsubscribe();
      cancelTimer?.();
      listeners.clear();
    },
  };
}
