import type { ReadonlySignal, Signal } from '@preact/signals';
import type { CardOperation } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { TillApi } from '../../shared/till/api.ts';
import type { OperationView, TillState } from '../../shared/till/views.ts';
import type { Finding } from '../find/finding.ts';
import type { LookUp } from '../find/shape.ts';
import type { Holds } from '../holds/holds.ts';
import type { KeypadKey } from '../operation/entry.ts';
import type { EarnOperation } from '../operation/operations.ts';
import type { Sounds } from '../shell/sound.ts';
import type * as flow from './entry/entry-flow.ts';
import type { Passed } from './outcome/passed.ts';
import type { Outcome } from './outcome/shown-outcome.ts';

/** What the sale screen shows and does. */
export interface Sale extends Omit<Finding, 'type' | 'nameMissing' | 'takeScan' | 'heard' | 'isOverdue'> {
  /** What the find box holds now. @param byDigitKey a digit's key on a keyboard has just made it so */
  readonly type: (text: string, byDigitKey: boolean) => void;
  readonly entry: ReadonlySignal<flow.Entry | null>;
  /** What is still to be said of the customer before. */
  readonly passed: ReadonlySignal<Passed | null>;
  /** A card scanned or a number looked for while something was entered: it waits. */
  readonly waitingScan: ReadonlySignal<string | null>;
  /** The card that waits was scanned before the customer in front was chosen by hand: it waits for the next one. */
  readonly keepsScan: ReadonlySignal<boolean>;
  /** Puts somebody in front by hand, and whatever is entered away; a card that waits goes on waiting. */
  readonly bringBeside: (lookUp: LookUp) => void;
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly scan: (code: string) => void;
  /** Opens the entry of an operation; another one's gives its number on, where it fits. */
  readonly open: (operation: CardOperation) => void;
  /** Puts an entry on the stage that was made elsewhere. Does nothing while one like it is open. */
  readonly present: (opened: flow.Entry) => void;
  /** Changes what stands in the entry, as long as it is not sent. */
  readonly edit: (edit: (now: flow.Entry) => flow.Entry) => void;
  /** Earns by the card's number alone, when there is no profile. */
  readonly openByCardNumber: (operation: EarnOperation) => void;
  readonly typeAmount: (text: string) => void;
  readonly press: (key: KeypadKey) => void;
  /** The erasing key was held: all of what the keypad writes goes. */
  readonly erase: () => void;
  readonly typeReceipt: (text: string) => void;
  /** Unfolds the receipt's number, or folds it again. */
  readonly turnToReceipt: (isOpen: boolean) => void;
  readonly typePin: (pin: string) => void;
  /** A digit was typed that no field of the entry takes. */
  readonly keyAside: (digit: string) => void;
  /** From the PIN that is asked for back to the amount. */
  readonly backToAmount: () => void;
  readonly typeCode: (code: string) => void;
  readonly chooseReward: (rewardId: string) => void;
  readonly confirm: () => void;
  readonly change: () => void;
  readonly cancel: () => void;
  readonly switchToWaitingScan: () => void;
  /** Another dialog has closed: a card that was scanned meanwhile comes now. */
  readonly takeWaitingScan: () => void;
  /** A key has come that may be the first of a scan. */
  readonly keysBegin: () => void;
  /** The keys were a scan's, and are out of the fields: what was said of a mistake is said on. */
  readonly keysWereScan: () => void;
  readonly keepOutcome: () => void;
  /** Shows what became of an operation of before; pressed again, it is put away. */
  readonly showEarlier: (operation: OperationView) => void;
  /** Puts away what was looked up in Recent. @returns whether there was something */
  readonly closeEarlier: () => boolean;
  /** Puts away what is told: whoever it was for is still there. */
  readonly closeOutcome: () => void;
  /** Enters what was refused again: by another card, or with what was typed to be corrected. */
  readonly openAgain: (again: {
    readonly operation: CardOperation;
    /** Null: the same card. */
    readonly cardId: string | null;
    readonly text: string;
    readonly receipt: string;
    readonly isReceiptOpen: boolean;
  }) => void;
  /** A refused sale goes to another card: the outcome names that card from now on. */
  readonly movedToCard: (operation: OperationView, card: CardEntry) => void;
  /** The operation whose correction "Needs attention" opens, once. */
  readonly toCorrect: Signal<OperationView | null>;
  /** An operation has moved on. @param before as it was known until now; null when it was not */
  readonly takeOperation: (operation: OperationView, before: OperationView | null) => void;
}

/** What a sale is made with. */
export interface SaleParts {
  readonly api: TillApi;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly sounds: Sounds;
  readonly till: ReadonlySignal<TillState | null>;
  /** A dialog is open: a scan waits for its end. */
  readonly isElsewhere: () => boolean;
  /** What is held for orders: asked for here. */
  readonly holds: Pick<Holds, 'reserve' | 'commit'>;
  /** Told of each operation that was saved here; gives back the newest view of it, which an event may have brought. */
  readonly onSaved: (operation: OperationView) => OperationView;
  /** Redemptions of the last minutes, of this till, that stand or may stand. */
  readonly earlierSpends: () => readonly OperationView[];
  /** The newest view of an operation that the agent has told of; null when it did not yet. */
  readonly newest: (operationId: string) => OperationView | null;
}
