import type { OperationView } from '../../shared/till/views.ts';
import type { IconName } from '../components/icon.tsx';
import type { Words } from '../copy/en/start.ts';
import type { Format } from '../copy/format.ts';
import { wasNotDone } from '../recent/recent-rows.ts';
import { operationAmount } from './operation-words.ts';
import { isOpenState, type Tone } from './outcome.ts';

/** What a list says of an operation: a sign, and verb and value. */
interface RowWords {
  readonly text: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

/**
 * The verb and the value of an operation: `Earned KWD 12.500`, `Spent 40 points`, `Gave Free cake`, `Not added: KWD 6.900`.
 *
 * @param original of a reversal: what it takes back, where that is known
 */
export function rowWords(
  operation: OperationView,
  original: OperationView | null,
  words: Words,
  format: Format,
): RowWords {
  const { did, otherIntents } = words.recent;
  const value = operationAmount(operation, words, format);
  const isMoney = operation.points === null && operation.stamps === null && operation.visits === null;
  const hasValue = !isMoney || operation.amount_minor !== null;
  const isDone = !wasNotDone(operation);
  const plain: Tone = 'neutral';
  switch (operation.intent) {
    case 'earn':
      if (!isDone) return { text: did.notAdded(value), icon: 'circle-alert', tone: 'danger' };
      return { text: isMoney ? did.earned(value) : did.added(value), icon: 'circle-plus', tone: 'success' };
    case 'redeem':
    case 'commit':
      if (isOpenState(operation.state))
        return { text: words.recent.checking(value), icon: 'hourglass', tone: 'warning' };
      if (!hasValue) {
        if (!isDone) return { text: did.notGiven(value), icon: 'circle-alert', tone: 'danger' };
        const text = operation.given_name === null ? did.gaveReward : did.gave(operation.given_name);
        return { text, icon: 'gift', tone: plain };
      }
      if (!isDone) return { text: did.notSpent(value), icon: 'circle-alert', tone: 'danger' };
      return {
        text: operation.stamps !== null || operation.visits !== null ? did.used(value) : did.spent(value),
        icon: 'circle-minus',
        tone: plain,
      };
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
