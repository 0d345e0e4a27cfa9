import type { Progress } from '../../../shared/till/progress.ts';
import { Icon } from '../../components/icon.tsx';
import { earnInWords } from '../../copy/format.ts';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import type { EarnValue } from '../../operation/entry.ts';

/** What was earned and is not on the card yet. It is shown beside the balance and is not part of it. */
export function OnTheWay({ values }: { readonly values: readonly EarnValue[] }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const pastWords = useWords('past');
  return (
    <>
      {values.map((value) => (
        <span key={Object.values(value).at(-1)} class="on-the-way row gap-2">
          <Icon name="cloud-upload" />
          <span>{pastWords.onTheWay(earnInWords(value, words, frame.format.value))}</span>
        </span>
      ))}
    </>
  );
}

/** How far it is to the next reward: `8 more to a free coffee`. */
export function useProgressWords(): (progress: Progress) => string {
  const { frame } = useModel();
  const { toNamed, toNext } = useWords('past');
  const format = frame.format.value;
  return ({ unit, left, reward }) =>
    reward === null ? toNext[unit](left, format.number(left)) : toNamed[unit](left, format.number(left), reward);
}

export function ProgressBar({ share }: { readonly share: number }) {
  return (
    <span class="goal-bar row gap-3" aria-hidden="true">
      <span class="goal-track">
        <span class="goal-done" style={{ inlineSize: `${Math.round(share * 1000) / 10}%` }} />
      </span>
      <Icon name="gift" size={24} />
    </span>
  );
}

interface StampsProps {
  readonly have: number;
  readonly each: number;
}

/** The drawn stamps of a card. The last one is the reward. */
export function Stamps({ have, each }: StampsProps) {
  return (
    <span class="stamps" aria-hidden="true">
      {Array.from({ length: each }, (_, index) => (
        <span key={index} class={index < have ? 'stamp stamp-have' : 'stamp'}>
          {index === each - 1 ? <Icon name="gift" size={24} /> : index < have && <Icon name="check" size={24} />}
        </span>
      ))}
    </span>
  );
}
