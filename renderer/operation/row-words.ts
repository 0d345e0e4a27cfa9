import { carriedCount } from '../../shared/till/carried-count.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { deedInWords } from '../../shared/words/deeds.ts';
import type { FirstIconName } from '../components/first-icon.tsx';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';
import { operationAmount } from './operation-words.ts';
import { isOpenState, type Tone } from './outcome.ts';
import { wasNotDone } from './standing.ts';

/** The words of an operation in a list: a sign, and a verb with the value. */
interface RowWords {
  readonly text: string;
  readonly icon: FirstIconName;
  readonly tone: Tone;
}

/** Whether the words of a row say already how it stands: that it is done, or that it is being checked. */
export function tellsState(operation: OperationView): boolean {
  return operation.state === 'applied' || isBeingChecked(operation);
}

function isBeingChecked({ intent, state }: OperationView): boolean {
  return (intent === 'redeem' || intent === 'commit' || intent === 'reserve') && isOpenState(state);
}

/**
 * The verb and the value of an operation: `Earned KWD 12.500`, `Spent 40 points`, `Gave Free cake`, `Not added: KWD
 * 6.900`.
 *
 * @param original the operation that a reversal undoes, when it is known
 */
export function rowWords(
  operation: OperationView,
  original: OperationView | null,
  words: Words,
  format: Format,
): RowWords {
  const { did, otherIntents } = words.recent;
  const value = operationAmount(operation, words, format);
  const unit = carriedCount(operation)?.unit ?? 'money';
  const hasValue = unit !== 'money' || operation.amount_minor !== null;
  const isDone = !wasNotDone(operation);
  const plain: Tone = 'neutral';
  switch (operation.intent) {
    case 'earn':
      if (!isDone) return { text: did.notAdded(value), icon: 'circle-alert', tone: 'danger' };
      return { text: deedInWords({ kind: 'earn', unit, written: value }, did), icon: 'circle-plus', tone: 'success' };
    case 'redeem':
    case 'commit':
      if (isBeingChecked(operation)) return { text: words.recent.checking(value), icon: 'hourglass', tone: 'warning' };
      if (!hasValue) {
        const { given_name: name, is_coupon: isCoupon } = operation;
        const failed = isCoupon ? did.notUsed : did.notGiven;
        if (!isDone) return { text: failed(value), icon: 'circle-alert', tone: 'danger' };
        const text = deedInWords({ kind: 'give', name, isCoupon }, did);
        return { text, icon: isCoupon ? 'ticket' : 'gift', tone: plain };
      }
      if (!isDone) return { text: did.notSpent(value), icon: 'circle-alert', tone: 'danger' };
      return { text: deedInWords({ kind: 'spend', unit, written: value }, did), icon: 'circle-minus', tone: plain };
    case 'reverse': {
      if (original === null) return { text: otherIntents.reverse, icon: 'undo-2', tone: plain };
      const taken = operationAmount(original, words, format);
      return {
        text: original.intent === 'earn' ? did.tookBack(taken) : did.gaveBack(taken),
        icon: 'undo-2',
        tone: plain,
      };
    }
    case 'reserve':
      if (isBeingChecked(operation)) return { text: words.recent.checking(value), icon: 'hourglass', tone: 'warning' };
      if (!isDone) return { text: did.notHeld(value), icon: 'circle-alert', tone: 'danger' };
      return { text: did.held(value), icon: 'package', tone: plain };
    case 'enroll':
    case 'verify':
    case 'release':
      return {
        text: otherIntents[operation.intent],
        icon: operation.intent === 'release' ? 'package' : 'user-plus',
        tone: isDone ? plain : 'danger',
      };
  }
}
