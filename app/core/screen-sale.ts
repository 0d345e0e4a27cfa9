import type { CancelTimer, Clock } from '../../shared/lib/clock.ts';
import { minuteMs } from '../../shared/lib/durations.ts';
import { oneByOne } from '../../shared/lib/one-by-one.ts';

/** An amount that a POS program has handed over to the cashier's screen. */
export interface HandedSale {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** The reference that the sale is taken under, with the program's prefix; null: the till makes one. */
  readonly externalRef: string | null;
  /** The same as the program wrote it: the cashier reads it on the receipt. */
  readonly receiptNumber: string | null;
  /** The POS program: what is taken belongs to it. */
  readonly posName: string;
  readonly expiresAtMs: number;
}

/** What a handed-over sale became: the cashier may have changed its amount or its number. */
export interface TakenSale {
  readonly handed: HandedSale;
  readonly operationId: string;
  readonly amountMinor: number;
  readonly externalRef: string;
}

type NewHandedSale = Omit<HandedSale, 'id' | 'expiresAtMs'>;

/** A customer who has not come to the screen by then has gone. */
const handedSaleMs = 15 * minuteMs;
/** Of each program: a sale that the cashier has opened keeps its reference, although the program has handed over the next one. */
const mostRemembered = 8;

interface ScreenSaleOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Told when another one is to be shown, or none. */
  readonly onChanged: () => void;
}

/** The one sale that waits at the screen. It is kept in memory alone: nothing of value is lost with it. */
export class ScreenSale {
  readonly #options: ScreenSaleOptions;
  /** Each program's own in the order in which it handed them over. */
  #remembered: readonly HandedSale[] = [];
  #current: HandedSale | null = null;
  /** The remembered handovers that were taken: nobody takes them a second time. */
  #takenIds: readonly string[] = [];
  /** The last taken handover of each program, until it hands over the next one. */
  readonly #taken = new Map<string, TakenSale>();
  #cancelExpiry: CancelTimer = () => undefined;
  readonly #oneByOne = oneByOne();

  constructor(options: ScreenSaleOptions) {
    this.#options = options;
  }

  get current(): HandedSale | null {
    return this.#current;
  }

  /** Takes the place of the one before. */
  handOver(sale: NewHandedSale): HandedSale {
    const { clock, newId } = this.#options;
    const handed: HandedSale = { ...sale, id: newId(), expiresAtMs: clock.now() + handedSaleMs };
    const own = this.#remembered.filter(({ posName }) => posName === sale.posName);
    const others = this.#remembered.filter(({ posName }) => posName !== sale.posName);
    this.#remembered = [...others, ...[...own, handed].slice(-mostRemembered)];
    this.#takenIds = this.#takenIds.filter((id) => this.#remembered.some((sale) => sale.id === id));
    this.#taken.delete(handed.posName);
    this.#show(handed);
    this.#cancelExpiry = clock.setTimer(() => this.#show(null), handedSaleMs);
    return handed;
  }

  /**
   * Runs the attempt when all earlier ones have ended, so that two presses in the same instant cannot both take it. If an
   * attempt saves nothing, the next one can still take the handover.
   *
   * @param attempt gets null when the handover cannot be taken: it was taken or withdrawn, or its id is unknown
   */
  take<Answer>(id: string, attempt: (handed: HandedSale | null) => Promise<Answer>): Promise<Answer> {
    return this.#oneByOne(() => attempt(this.#untaken(id)));
  }

  /** It was taken, as the cashier left it. */
  used(handed: HandedSale, taken: Omit<TakenSale, 'handed'>): void {
    const { posName, externalRef } = handed;
    const own = this.#remembered.filter((sale) => sale.posName === posName);
    // Handed over once more under its reference, with another amount, it is the same sale: nobody takes that one, too.
    const isSame = (sale: HandedSale) => sale === handed || (externalRef !== null && sale.externalRef === externalRef);
    this.#takenIds = [...this.#takenIds, ...own.filter(isSame).map((sale) => sale.id)];
    const last = own.at(-1) ?? handed;
    // A sale that was still open when the program handed over the next one is not what became of that next one.
    if (isSame(last)) this.#taken.set(posName, { ...taken, handed: last });
    if (this.#current?.posName === posName && isSame(this.#current)) this.#show(null);
  }

  /** What became of the program's last one; null while nobody has taken it. */
  takenOf(posName: string): TakenSale | null {
    return this.#taken.get(posName) ?? null;
  }

  /**
   * The program takes its own handovers back. A screen that has opened one cannot take it any more. That includes
   * handovers whose time is over, and those that a later one has replaced.
   * A press that came before it is finished first, so that `takenOf` tells what became of that press.
   */
  withdraw(posName: string): Promise<void> {
    const own = this.#remembered.filter((sale) => sale.posName === posName);
    return this.#oneByOne(async () => {
      this.#remembered = this.#remembered.filter((sale) => !own.includes(sale));
      if (own.some((sale) => sale === this.#current)) this.#show(null);
    });
  }

  /** Nobody is at the screen any more. */
  drop(): void {
    if (this.#current !== null) this.#show(null);
  }

  close(): void {
    this.#cancelExpiry();
  }

  /** One of the last ones that nobody has taken, whether it still waits or not. */
  #untaken(id: string): HandedSale | null {
    if (this.#takenIds.includes(id)) return null;
    return this.#remembered.find((sale) => sale.id === id) ?? null;
  }

  #show(sale: HandedSale | null): void {
    this.#cancelExpiry();
    this.#current = sale;
    this.#options.onChanged();
  }
}
