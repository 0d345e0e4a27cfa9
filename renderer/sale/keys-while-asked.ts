import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Finding } from '../find/finding.ts';
import * as flow from './entry/entry-flow.ts';
import type { Sale } from './sale-parts.ts';

/** Where the screen was when the code was scanned. */
interface Begun {
  /** Blank, or null: a customer who is scanned takes its place. */
  readonly entry: flow.Entry | null;
  readonly query: string;
}

interface KeysWhileAsked extends Pick<Sale, 'codeAsked' | 'codeKnown'> {
  /** Does what Enter does, or waits with it until it is known for whom the keys were. */
  readonly enter: (act: () => void) => void;
}

interface KeysParts {
  readonly entry: Signal<flow.Entry | null>;
  readonly finding: {
    readonly query: ReadonlySignal<string>;
    readonly stage: ReadonlySignal<Finding['stage']['value']>;
  };
  readonly type: Sale['type'];
  readonly find: Sale['find'];
}

/**
 * Keeps the keys that come between a scan and the answer whether its code is a cashier's badge. Where it is a customer's,
 * they are for that customer, as if the look-up had begun with the scan.
 */
export function createKeysWhileAsked({ entry, finding, type, find }: KeysParts): KeysWhileAsked {
  let begun: Begun | null = null;
  let entered: { readonly text: string; readonly act: () => void } | null = null;

  const textNow = (): string => {
    const now = entry.value;
    if (now === null) return finding.query.value;
    return flow.isBlank(now) ? '' : now.text;
  };
  /** Types it as by hand, with Enter where it was pressed. */
  const typeAgain = (text: string, enteredText: string | null): void => {
    for (let length = 1; length <= text.length; length += 1) {
      const typed = text.slice(0, length);
      type(typed, { byDigitKey: true });
      if (typed === enteredText) find();
    }
  };

  return {
    enter(act) {
      if (begun === null) act();
      else entered = { text: textNow(), act };
    },
    codeAsked() {
      const now = entry.value;
      // Behind an entry that was begun the code waits if it is a card, and a receipt's number leaves the keys where they are.
      const isReplaced = now === null || (flow.isBlank(now) && !now.isReceiptOpen);
      begun = isReplaced ? { entry: now, query: finding.query.value } : null;
    },
    codeKnown(takeCard) {
      const [before, enter] = [begun, entered];
      [begun, entered] = [null, null];
      const text = textNow();
      if (takeCard === null) {
        if (enter?.text === text) enter.act();
        return;
      }
      if (before === null) {
        takeCard();
        return;
      }
      const [withKeys, at] = [entry.value, finding.stage.value];
      entry.value = before.entry;
      takeCard();
      if (finding.stage.value !== at && finding.stage.value.kind === 'finding') {
        typeAgain(since(before, text), enter === null ? null : since(before, enter.text));
      }
      // The code is nobody's, or waits. Enter was not meant for the customer in front: whoever sees the amount decides.
      else entry.value = withKeys;
    },
  };
}

/** What was typed since then. */
function since({ entry, query }: Begun, text: string): string {
  if (entry !== null) return text;
  if (text.startsWith(query)) return text.slice(query.length);
  return query.startsWith(text) ? '' : text;
}
