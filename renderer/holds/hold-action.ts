import type { TillApi, TillReply } from '../../shared/till/api.ts';
import type { HoldView } from '../../shared/till/hold-views.ts';

/** What was pressed on a hold's own row. */
export type HoldAction = 'release' | 'again' | 'ask' | 'give_up';

/** Sends the agent what was pressed on a hold's row. */
export function askForHold(
  api: TillApi,
  hold: HoldView,
  action: HoldAction,
  newId: () => string,
): Promise<TillReply<{ holds: HoldView[] }>> {
  const { hold_id, state, closing, closing_id } = hold;
  switch (action) {
    case 'release':
      return api.call('hold.release', { operation_id: newId(), hold_id });
    case 'again':
      return api.call('hold.again', { operation_id: newId(), hold_id });
    case 'ask':
      if (state === 'asking') return api.call('hold.again', { operation_id: hold_id, hold_id });
      // Another try with the same id asks the agent what became of the first one.
      return api.call(closing === 'commit' ? 'hold.commit' : 'hold.release', {
        operation_id: closing_id ?? newId(),
        hold_id,
      });
    case 'give_up':
      return api
        .call('operation.decide', { operation_id: hold_id, decision: 'take_full_payment' })
        .then((reply) => (reply.ok ? api.call('hold.list', {}) : reply));
  }
}
