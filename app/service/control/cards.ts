import { done, type Result, refuse } from '../answer.ts';
import { cardEntry } from '../rules/profile.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

/** A suspended card offers nothing. */
export function suspendCard(context: ControlContext, call: ControlCall): Result {
  return setSuspended(context, { cardId: call.param, suspended: true });
}

export function resumeCard(context: ControlContext, call: ControlCall): Result {
  return setSuspended(context, { cardId: call.param, suspended: false });
}

function setSuspended(
  context: ControlContext,
  change: { readonly cardId: string; readonly suspended: boolean },
): Result {
  const { store } = context;
  const card = store.cards.byId(change.cardId);
  if (card === null) {
    return refuse('VALIDATION_ERROR', 'There is no such card.', { status: 404, details: ['card_not_found'] });
  }
  store.write(() => store.cards.setSuspended(card.cardId, change.suspended));
  return done(200, { ...cardEntry(context, { ...card, suspended: change.suspended }), suspended: change.suspended });
}
