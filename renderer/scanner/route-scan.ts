import { matchesCardPattern } from '../find/shape.ts';
import type { Model } from '../model.ts';
import { isPinRight } from '../recent/recent.ts';
import { canBePin } from '../sale/entry/keys-aside.ts';

/**
 * Decides where a code goes that no field asked for: to the screen that asked for scans, to the sign-in of a cashier's
 * badge, or to the sale as a customer's card.
 */
export function routeScans(page: Document, model: Model): (code: string) => void {
  const { frame, sale, recent, scans, cashier } = model;
  /** Codes are handled in the order in which they were scanned. */
  let turn: Promise<void> | null = null;

  const toSale = (code: string): void => {
    // A scanned card does not close another screen's dialog. It also shows no customer when the screen was locked
    // meanwhile.
    if (frame.screen.value !== 'sale' && page.querySelector('dialog') !== null) return;
    if (cashier.asking.value !== null) return;
    if (frame.show('sale')) sale.scan(code);
  };
  const mayBeBadge = (code: string): boolean => {
    const till = frame.till.value;
    if (till === null || !till.has_cashiers || matchesCardPattern(code, till.card_pattern)) return false;
    // A PIN that was typed as fast as a scan must go only into its question.
    const entry = sale.entry.value;
    return entry === null || (!entry.busy && entry.pin === null) || !canBePin(code, till.card_pattern);
  };
  /** A PIN that comes as fast as a scan while the one before is checked. It is nobody's, and no other part may see it. */
  const isPinTooSoon = (code: string): boolean => {
    const operation = sale.outcome.value?.operation;
    if (operation === undefined || frame.screen.value !== 'sale') return false;
    const undo = recent.undos.value.get(operation.operation_id);
    const isChecked = undo?.kind === 'pin_asked' && undo.isBusy && !isPinRight(recent, operation);
    return isChecked && canBePin(code, frame.till.value?.card_pattern ?? null);
  };
  const route = async (code: string): Promise<void> => {
    if (!mayBeBadge(code)) {
      toSale(code);
      return;
    }
    sale.codeAsked();
    const isBadge = await cashier.takeBadge(code);
    sale.codeKnown(isBadge ? null : () => toSale(code));
  };

  return (code) => {
    if (isPinTooSoon(code) || scans.take(code) || cashier.isRepeat(code)) return;
    if (turn === null && !mayBeBadge(code)) {
      toSale(code);
      return;
    }
    const mine = (turn ?? Promise.resolve())
      .then(() => route(code))
      .finally(() => {
        if (turn === mine) turn = null;
      });
    turn = mine;
  };
}
