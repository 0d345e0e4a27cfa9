import type { ReadonlySignal, Signal } from '@preact/signals';
import type { CardOperation } from '../../shared/contract/card-names.ts';
import type { CardEntry, CustomerProfile } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import type { OperationView, TillState } from '../../shared/till/views.ts';
import type { Finding } from '../find/finding.ts';
import type { LookUp } from '../find/shape.ts';
import type { Holds } from '../holds/holds.ts';
import type { KeypadKey } from '../operation/entry.ts';
import type { EarnOperation } from '../operation/operations.ts';
import type { Presses } from '../shell/presses.ts';
import type { Sounds } from '../shell/sound.ts';
import type * as flow from './entry/entry-flow.ts';
import type { Passed } from './outcome/passed.ts';
import type { Outcome } from './outcome/shown-outcome.ts';

/** What the sale screen shows and does. */
export interface Sale
  extends Omit<Finding, 'type' | 'nameMissing' | 'isSomebodys' | 'takeScan' | 'heard' | 'isOverdue'> {
  /** Takes the find box's text. @param how `byDigitKey`: a digit's key on a keyboard has just changed it */
  readonly type: (text: string, how: { readonly byDigitKey: boolean }) => void;
  readonly entry: ReadonlySignal<flow.Entry | null>;
  /** News of the last customer's sale, while the next customer is in front. */
  readonly passed: ReadonlySignal<Passed | null>;
  /** A card that was scanned, or a number that was looked for, during an entry. It waits until the entry is over. */
  readonly waitingScan: ReadonlySignal<string | null>;
  /**
   * The card that waits was scanned before the customer in front was chosen by hand. It waits until their sale is over.
   */
  readonly keepsScan: ReadonlySignal<boolean>;
  /** Puts a customer in front by hand, and the entry away. A card that waits goes on waiting. */
  readonly bringBeside: (lookUp: LookUp, profile?: CustomerProfile | null) => void;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly scan: (code: string) => void;
  /** Opens the entry of an operation. It keeps the number of an entry that was open, where the number fits. */
  readonly open: (operation: CardOperation, aim?: flow.Aim | null) => void;
  /** Shows an entry that was made elsewhere. Does nothing while an entry of the same kind is open. */
  readonly present: (opened: flow.Entry) => void;
  /** Changes the entry, unless it is being sent. */
  readonly edit: (edit: (now: flow.Entry) => flow.Entry) => void;
  /** Opens an entry that earns by the card's number alone, when there is no profile. */
  readonly openByCardNumber: (operation: EarnOperation) => void;
  readonly typeAmount: (text: string) => void;
  /** A button, and no key, has filled the amount in. */
  readonly fillAmount: (text: string) => void;
  readonly press: (key: KeypadKey) => void;
  /** Clears the amount or the PIN, because the erasing key was held down. */
  readonly erase: () => void;
  readonly typeReceipt: (text: string) => void;
  /** Opens or closes the field of the receipt's number. */
  readonly turnToReceipt: (isOpen: boolean) => void;
  readonly typePin: (pin: string) => void;
  /** Takes a digit that no field of the entry took. */
  readonly keyAside: (digit: string) => void;
  /** Goes back from the PIN to the amount. */
  readonly backToAmount: () => void;
  readonly typeCode: (code: string) => void;
  readonly chooseReward: (rewardId: string) => void;
  readonly confirm: () => void;
  readonly change: () => void;
  readonly cancel: () => void;
  /** Takes the card that waits, when what it waited for is over. */
  readonly takeWaitingScan: () => void;
  /** Remembers the entry, because the next key may be the first of a scan. */
  readonly keysBegin: () => void;
  /** The keys were a scan and are out of the fields. The entry shows its mistake again, as before them. */
  readonly keysWereScan: () => void;
  /** A code was scanned, and the agent is asked whether it is a cashier's badge. Keys that come meanwhile may be for its customer. */
  readonly codeAsked: () => void;
  /** The agent has answered. @param takeCard takes the code as a customer's card; null: it was a badge */
  readonly codeKnown: (takeCard: (() => void) | null) => void;
  readonly keepOutcome: () => void;
  /** Shows what became of an earlier operation. The second press on the same operation puts it away. */
  readonly showEarlier: (operation: OperationView) => void;
  /** Puts away an outcome that was opened in Recent. @returns whether there was one */
  readonly closeEarlier: () => boolean;
  /** Puts the outcome away. The customer stays in front. */
  readonly closeOutcome: () => void;
  /** Opens the entry of a refused operation again: with another card, or with the value to be corrected. */
  readonly openAgain: (again: {
    readonly operation: CardOperation;
    /** Null: the same card. */
    readonly cardId: string | null;
    readonly text: string;
    readonly receipt: string;
    readonly isReceiptOpen: boolean;
    /** Null: it is no hold. */
    readonly heldForMinutes: number | null;
  }) => void;
  /** Shows a refused sale's outcome with the other card that the sale goes to now. */
  readonly movedToCard: (operation: OperationView, card: CardEntry) => void;
  /** The operation that "Needs attention" asks to correct. Its correction opens once. */
  readonly toCorrect: Signal<OperationView | null>;
  /** Takes the news of an operation. @param before the operation as it was known until now; null when it was unknown */
  readonly takeOperation: (operation: OperationView, before: OperationView | null) => void;
}

/** What the sale's model needs. */
export interface SaleParts {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly presses: Presses;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly till: ReadonlySignal<TillState | null>;
  /** Whether another dialog is open, or the screen is locked. A scan waits meanwhile. */
  readonly isElsewhere: () => boolean;
  /** Whether another screen is shown, or the sign-in covers the sale, so that nobody reads what is told here. */
  readonly isHidden: () => boolean;
  /** Makes holds for orders, and spends them. */
  readonly holds: Pick<Holds, 'reserve' | 'commit'>;
  /** Reports an operation that was saved here. @returns its newest view, which an event may have brought */
  readonly onSaved: (operation: OperationView) => OperationView;
  /** The redemptions of this till in the last minutes that are completed, or whose outcome is unknown. */
  readonly earlierSpends: () => readonly OperationView[];
  /** The newest view of an operation; null when the agent has not reported the operation yet. */
  readonly newest: (operationId: string) => OperationView | null;
  /** Whether a reversal of the operation is on its way. */
  readonly isBeingUndone: (operation: OperationView) => boolean;
  /** The agent's time in epoch milliseconds, by which the operations were saved. */
  readonly nowMs: () => number;
}
