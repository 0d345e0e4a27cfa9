import { batch, type Signal } from '@preact/signals';
import type { Sale, SaleParts } from '../sale-parts.ts';
import * as flow from './entry-flow.ts';
import { createKeysAside } from './keys-aside.ts';

interface EditingParts extends Pick<SaleParts, 'till'> {
  readonly entry: Signal<flow.Entry | null>;
  readonly waitingScan: Signal<string | null>;
  /** Takes the entry off the screen, and keeps what was typed into it. */
  readonly putEntryAway: () => void;
}

interface Editing
  extends Pick<
    Sale,
    | 'edit'
    | 'typeAmount'
    | 'fillAmount'
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
  /**
   * Call this before digits of the find box go into the entry. When they turn out to be a scan the entry is as it is now
   * again, and away where they have opened it.
   */
  readonly takesDigits: (digits: { readonly haveOpenedIt: boolean }) => void;
  /**
   * Call this before the entry is shown as Confirm has left it. A finger on Confirm counts at the first key of a scan,
   * which does not take away what was found wrong.
   */
  readonly stayed: (entry: flow.Entry) => void;
  /** Call this when the agent is asked. Digits typed from then on are kept, as the agent may ask for a PIN. */
  readonly asked: () => void;
  /** Shows the entry with the agent's answer, and with the PIN that was typed while the agent was asked. */
  readonly takeAnswer: (answered: flow.Entry) => void;
  /** Takes a code as the PIN that is asked for. @returns false when the code is no PIN, or none is asked for */
  readonly takePin: (code: string) => boolean;
}

/** Handles what is typed and pressed while an entry is open. */
export function createEditing({ entry, till, waitingScan, putEntryAway }: EditingParts): Editing {
  const keysAside = createKeysAside(() => till.value?.card_pattern ?? null);
  /** The entry as it was before keys that may turn out to be a scan. */
  let beforeKeys: flow.Entry | null = null;
  /**
   * The entry as it was when digits of these keys went into it from the find box. A busy page gets a scan's keys with pauses
   * as long as a person's, and the customer who is looked up may arrive between two of them.
   */
  let beforeDigits: { readonly entry: flow.Entry; readonly haveOpenedIt: boolean } | null = null;
  const edit: Sale['edit'] = (change) => {
    const now = entry.value;
    if (now === null || now.busy) return;
    entry.value = change(now);
  };
  /** A finger's key is no part of a scan whose keys come meanwhile. */
  const touch: Sale['edit'] = (change) =>
    edit((now) => {
      if (beforeKeys !== null) beforeKeys = change(beforeKeys);
      return change(now);
    });
  return {
    edit,
    typeAmount: (text) => edit((now) => flow.typeAmount(now, text)),
    fillAmount: (text) => touch((now) => flow.typeAmount(now, text)),
    press: (key) => touch((now) => flow.pressKeypad(now, key)),
    erase: () => touch((now) => (now.pin === null ? flow.typeAmount(now, '') : flow.typePin(now, ''))),
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
      beforeDigits = null;
      keysAside.keysBegin();
    },
    keysWereScan() {
      keysAside.keysWereScan();
      const now = entry.value;
      if (now === null || now.busy || beforeKeys?.busy === true) return;
      const digits = beforeDigits?.entry.entryId === now.entryId ? beforeDigits : null;
      if (digits?.haveOpenedIt === true) {
        entry.value = digits.entry;
        putEntryAway();
        return;
      }
      // An entry that opened during the scan has no keys of its own yet.
      const opened = digits?.entry ?? flow.asOpened(now);
      const before = beforeKeys?.entryId === now.entryId ? beforeKeys : opened;
      entry.value = { ...before, question: now.question };
    },
    takesDigits({ haveOpenedIt }) {
      if (entry.value !== null) beforeDigits = { entry: entry.value, haveOpenedIt };
    },
    stayed(left) {
      if (beforeKeys === entry.value) beforeKeys = left;
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
