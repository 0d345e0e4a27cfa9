import type { Clock } from '../../shared/lib/clock.ts';
import { dropOldest } from '../../shared/lib/drop-oldest.ts';
import { locales } from '../../shared/till/locales.ts';
import { printerAddress } from '../config/printer-address.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { Operation } from '../store/schema/operation.ts';
import { escposOf } from './escpos.ts';
import { type SendOutcome, sendToPrinter } from './printer.ts';
import { receiptOf } from './receipt.ts';
import { receiptFacts } from './receipt-facts.ts';

/** The result of a press on "Print receipt". */
type PrintOutcome = SendOutcome | { readonly kind: 'no_printer' | 'no_receipt' | 'busy' };

/** How many presses are remembered. */
const mostPresses = 50;

/** Prints receipts, only on the printer of the settings. */
export class ReceiptPrinter {
  readonly #core: AgentCore;
  readonly #clock: Clock;
  readonly #presses = new Map<string, Promise<PrintOutcome>>();
  readonly #onFault: (error: unknown) => void;
  readonly #bytesOf: typeof escposOf;
  #isBusy = false;

  /** @param onFault called with the reason when a receipt could not be made */
  constructor(core: AgentCore, clock: Clock, onFault: (error: unknown) => void, bytesOf = escposOf) {
    this.#core = core;
    this.#clock = clock;
    this.#onFault = onFault;
    this.#bytesOf = bytesOf;
  }

  /** @param printId of the press; each one prints once */
  print(printId: string, operation: Operation): Promise<PrintOutcome> {
    const known = this.#presses.get(printId);
    if (known !== undefined) return known;
    const printing = this.#print(operation);
    this.#presses.set(printId, printing);
    dropOldest(this.#presses, mostPresses);
    return printing;
  }

  async #print(operation: Operation): Promise<PrintOutcome> {
    const { address, columns, language } = this.#core.settings.printer;
    if (address === null) return { kind: 'no_printer' };
    const facts = receiptFacts(this.#core, operation, operation.externalRef);
    const receipts = (language === 'both' ? locales : [language]).flatMap((one) => receiptOf(facts, one) ?? []);
    if (receipts.length === 0) return { kind: 'no_receipt' };
    if (this.#isBusy) return { kind: 'busy' };
    this.#isBusy = true;
    try {
      const bytes = await this.#bytesOf(receipts, columns).catch((error: unknown) => {
        this.#onFault(error);
        return null;
      });
      // No byte was sent.
      if (bytes === null) return { kind: 'refused' };
      return await sendToPrinter(bytes, printerAddress(address), this.#clock);
    } finally {
      this.#isBusy = false;
    }
  }
}
