import { firstText, isNumberKind, noLimits, readEntry } from '../../operation/entry.ts';
import { type Entry, type EntryFor, isBlank, isFixed, isForHandedOver, workOf } from './entry-flow.ts';

/**
 * The entry of another operation for the same customer. It keeps the receipt's number, and the typed number where that
 * fits. It also keeps what a program handed over: when the cashier comes back to the program's operation, this must not
 * become a second sale.
 */
export function switchTo(opened: Entry, before: Entry): Entry {
  const { text, kind, receipt, filled } = before;
  if (isFixed(before) || isFixed(opened)) return opened;
  const isNumber = isNumberKind(kind) && isNumberKind(opened.kind);
  const fits = isNumber && text !== firstText(kind) && readEntry(text, opened.kind, noLimits).ok;
  if (fits) return { ...opened, receipt, filled, text, untouched: false };
  return { ...opened, receipt, filled, ...(isForHandedOver(opened) && filled !== null ? { text: filled.text } : {}) };
}

/**
 * Opens an entry again that was left. It shows what was typed, and the next digit replaces that. It stays the same
 * operation: the answer to its last press may have been lost, and whatever is certain not to have happened got another
 * id when it was refused.
 */
export function reopen(opened: Entry, left: Entry): Entry {
  const { operationId, operation, kind, aim, text, receipt, filled } = left;
  const shown = { operation, kind, aim, text, receipt, filled };
  return { ...opened, operationId, ...shown, isUnanswered: isUnanswered(left) };
}

/**
 * Whether both entries are for the same operation, customer and card. A hold is one work, whatever of the card it holds.
 * An entry for a paid order or a refused sale is never the same work: its value belongs to that order or sale.
 */
function isSameWork(left: Entry, right: Entry): boolean {
  return (
    !isFixed(right) &&
    workOf(left) === workOf(right) &&
    left.entryFor.card?.card_id === right.entryFor.card?.card_id &&
    isSameCustomer(left.entryFor, right.entryFor)
  );
}

function isSameCustomer(one: EntryFor, other: EntryFor): boolean {
  return JSON.stringify(one.identifier) === JSON.stringify(other.identifier);
}

/**
 * The entries that were left: the last one with something typed, and each whose answer was lost. The same operation
 * opens with it again.
 */
export class LeftEntries {
  #entries: readonly Entry[] = [];

  add(entry: Entry): void {
    if (isBlank(entry) || isFixed(entry)) return;
    this.#entries = [entry, ...this.#entries.filter((one) => isUnanswered(one) && !isSameWork(one, entry))];
  }

  /**
   * @param before the entry that was open until now, whose number would go on unless its answer was lost; null: none
   * @returns the opened entry as it was left, which is then left no more; null when it was not
   */
  takeBack(opened: Entry, before: Entry | null): Entry | null {
    const goesOn = before !== null && !isUnanswered(before);
    const left = this.#entries.find((one) => isSameWork(one, opened) && (!goesOn || isUnanswered(one)));
    if (left === undefined) return null;
    this.#entries = this.#entries.filter((one) => one !== left);
    return reopen(opened, left);
  }

  forget(): void {
    this.#entries = [];
  }

  /**
   * A sale is done. A lost answer still counts for the sale's customer, and for the customer in front: a refused sale
   * that gets another number may be somebody else's.
   */
  forgetDone(customers: readonly (EntryFor | null)[]): void {
    this.#entries = this.#entries.filter(
      (one) =>
        isUnanswered(one) && customers.some((customer) => customer !== null && isSameCustomer(one.entryFor, customer)),
    );
  }
}

function isUnanswered(left: Entry): boolean {
  return left.isUnanswered || left.busy;
}
