import { batch, type Signal } from '@preact/signals';
import type { Sale, SaleParts } from '../sale-parts.ts';
import * as flow from './entry-flow.ts';
import { createKeysAside } from './keys-aside.ts';

interface EditingParts extends Pick<SaleParts, 'till'> {
  readonly entry: Signal<flow.Entry | null>;
  readonly waitingScan: Signal<string | null>;
}

interface Editing
  extends Pick<
    Sale,
    | 'edit'
    | 'typeAmount'
    | 'press'
    | 'erase'
    | 'turnToReceipt'
    | 'typeReceipt'
    | 'typePin'
    | 'backToAmount'
    | 'change'
    | 'typeCode'
    | 'chooseReward'
    | 'keyAside'
    | 'keysBegin'
    | 'keysWereScan'
  > {
  /** The agent is asked from here on: digits that come now are kept for the PIN that it may ask for. */
  readonly asked: () => void;
  /** The entry goes on, with what was typed while the agent was asked. */
  readonly takeAnswer: (answered: flow.Entry) => void;
  /** A burst of keys that only looked like a scan. @returns whether it was the PIN that is asked for */
  readonly takePin: (code: string) => boolean;
}

/** What is typed and pressed while an entry stands on the stage. */
export function createEditing({ entry, till, waitingScan }: EditingParts): Editing {
  const keysAside = createKeysAside(() => till.value?.card_pattern ?? null);
  /** The entry before keys that may prove to be a scan's. */
  let beforeKeys: flow.Entry | null = null;
  const edit: Sale['edit'] = (change) => {
    const now = entry.value;
    if (now === null || now.busy) return;
    entry.value = change(now);
  };
  return {
    edit,
    typeAmount: (text) => edit((now) => flow.typeAmount(now, text)),
    press: (key) => edit((now) => flow.pressKeypad(now, key)),
    erase: () => edit((now) => (now.pin === null ? flow.typeAmount(now, '') : flow.typePin(now, ''))),
    turnToReceipt: (isOpen) => edit((now) => flow.turnToReceipt(now, isOpen)),
    typeReceipt: (text) => edit((now) => flow.typeReceipt(now, text)),
    typePin: (pin) => edit((now) => flow.typePin(now, pin)),
    backToAmount: () => edit(flow.backToAmount),
    change: () => edit(flow.change),
    typeCode: (code) => edit((now) => flow.typeCode(now, code)),
    chooseReward: (rewardId) => edit((now) => flow.chooseReward(now, rewardId)),
    keyAside(digit) {
      if (entry.value !== null) entry.value = keysAside.take(entry.value, digit);
    },
    keysBegin() {
      beforeKeys = entry.value;
      keysAside.keysBegin();
    },
    keysWereScan() {
      keysAside.keysWereScan();
      const now = entry.value;
      if (now === null || now.busy || beforeKeys?.busy === true) return;
      // An entry that opened under the keys has none of its own yet.
      const before = beforeKeys?.entryId === now.entryId ? beforeKeys : flow.asOpened(now);
      entry.value = { ...before, question: now.question };
    },
    asked: () => keysAside.asked(),
    takeAnswer(answered) {
      const { entry: withKeys, atBegin, taken } = keysAside.answered(answered);
      beforeKeys = atBegin;
      batch(() => {
        entry.value = withKeys;
        if (taken !== null && waitingScan.value === taken) waitingScan.value = null;
      });
    },
    takePin(code) {
      const withPin = entry.value === null ? null : keysAside.takeBurst(entry.value, code);
      if (withPin === null) return false;
      entry.value = withPin;
      return true;
    },
  };
}
