import type { Signal } from '@preact/signals';
import type { Finding } from '../find/finding.ts';
import { noLimits } from '../operation/entry.ts';
import { type Confirmed, confirmEntry } from './entry/confirm-entry.ts';
import type { Entry } from './entry/entry-flow.ts';
import { forNextPress } from './entry/entry-refusal.ts';
import type { SaleParts } from './sale-parts.ts';

interface ConfirmingParts extends Pick<SaleParts, 'till' | 'newId' | 'newest' | 'isBeingUndone' | 'earlierSpends'> {
  readonly entry: Signal<Entry | null>;
  readonly finding: Pick<Finding, 'moved'>;
  /** Called before the entry is shown as Confirm has left it. */
  readonly stayed: (entry: Entry) => void;
  /** Called when the agent is asked. */
  readonly asked: () => void;
  readonly send: (confirmed: Confirmed) => void;
}

/** @returns what a press of the entry's button does */
export function createConfirming({ entry, till, newest, finding, ...parts }: ConfirmingParts): () => void {
  return () => {
    const now = entry.value;
    const state = till.value;
    if (now === null || state === null) return;
    // A manager may allow more than the limit. The agent asks for the PIN, so the limit is not checked here.
    const { confirm_above_minor } = state.limits;
    const limits = state.has_managers ? { ...noLimits, confirm_above_minor } : state.limits;
    const saved = newest(now.operationId);
    const isBeingUndone = saved !== null && parts.isBeingUndone(saved);
    const next = forNextPress(now, saved, { isBeingUndone, newId: parts.newId });
    const confirmed = confirmEntry(next, limits, parts.earlierSpends());
    if (confirmed.kind === 'stay') parts.stayed(confirmed.entry);
    else parts.asked();
    entry.value = confirmed.entry;
    const { problem, entryFor } = confirmed.entry;
    // Another till may have added to the card since.
    if (problem === 'above_balance') finding.moved(entryFor.card?.card_id ?? null);
    parts.send(confirmed);
  };
}
