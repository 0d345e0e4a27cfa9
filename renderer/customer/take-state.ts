import type { Signal } from '@preact/signals';
import type { DisplayState } from '../../shared/till/display-views.ts';
import type { Locale } from '../../shared/till/locales.ts';
import type { Visit } from './visit.ts';

interface Shown {
  readonly state: Signal<DisplayState | null>;
  /** The language that the customer chose; null for the till's language. */
  readonly chosen: Signal<Locale | null>;
  readonly visit: Pick<Visit, 'step' | 'end'>;
}

/** Shows the agent's newest state. What one customer did at the keys is never left for the next one. */
export function takeState(next: DisplayState, { state, chosen, visit }: Shown): void {
  const hadCustomer = state.value?.view.kind === 'customer';
  state.value = next;
  const { view } = next;
  if (view.kind === 'customer') {
    // Who has joined is put in front by their check-in, and keeps the code of their card until their sale is over.
    // A customer who comes in another way may be somebody else.
    const mayBeWhoJoined = hadCustomer || !view.is_confirmed;
    if (visit.step.value.kind !== 'joined' || !mayBeWhoJoined) visit.end();
  } else if (hadCustomer) {
    chosen.value = null;
    visit.end();
  }
}
