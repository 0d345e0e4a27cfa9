import { effect } from '@preact/signals';
import type { LookUp } from '../find/shape.ts';
import type { Model } from '../model.ts';
import { readMs } from '../sale/entry/answer-read.ts';
import { isBlank } from '../sale/entry/entry-flow.ts';

/**
 * Brings customers who checked in, and takes them away again at a key that was pressed before anybody could read their
 * name: the cashier is typing the next customer's number, and its digits would be an amount for whoever checked in.
 *
 * @returns puts whoever checked in with this phone in front
 */
export function createBrought({
  sale,
  clock,
  presses,
}: Pick<Model, 'sale' | 'clock' | 'presses'>): (phone: string) => void {
  let brought: LookUp | null = null;
  let isFound = false;
  /** When the name could first be read. */
  let paintedAtMs = Number.POSITIVE_INFINITY;
  const isUnread = (): boolean => {
    const at = sale.stage.peek();
    const isBrought = (at.kind === 'finding' || at.kind === 'customer') && at.lookUp === brought;
    return isBrought && presses.pressedAtMs() - paintedAtMs < readMs;
  };

  effect(() => {
    const at = sale.stage.value;
    if (isFound || at.kind !== 'customer' || at.lookUp !== brought) return;
    isFound = true;
    presses.whenPainted(() => {
      if (at.lookUp === brought) paintedAtMs = clock.monotonicMs();
    });
  });
  // What is typed into the find box stays there.
  effect(() => {
    if (sale.query.value !== '' && isUnread()) sale.leave();
  });
  // A cashier who types an amount confirms the customer who checked in. An amount that a POS program filled in does
  // not. Neither does an entry for a paid order or an earlier sale, because that may be another customer's.
  effect(() => {
    const entry = sale.entry.value;
    const at = sale.stage.peek();
    const isUnknown = at.kind === 'customer' && at.lookUp.isCheckIn === true;
    if (!isUnknown || entry === null || entry.entryFor.identifier === null || isBlank(entry)) return;
    if (!isUnread()) {
      sale.takeUp();
      return;
    }
    const { text, untouched } = entry;
    // What was left open for them earlier has come back with them: no key did that.
    if (untouched) return;
    // Nothing of it comes back when they check in once more.
    sale.typeAmount('');
    sale.leave();
    sale.type(text, { byDigitKey: false });
  });
  return (phone) => {
    brought = { kind: 'phone', text: phone, isCheckIn: true };
    isFound = false;
    paintedAtMs = Number.POSITIVE_INFINITY;
    sale.bring(brought, null);
  };
}
