import { cashierSumNames } from '../../shared/till/cashier-sums.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { sumsInWords } from '../operation/sums-in-words.ts';
import type { MySales } from './my-sales.ts';

/** The signed-in cashier's sums, with the same figures as in the day close. */
export function MySums({ sales }: { readonly sales: MySales }) {
  const { frame } = useModel();
  const own = useWords('activity').sums;
  const mine = sales.mine.value;
  if (mine.kind === 'failed') {
    return (
      <p class="field-error" role="alert">
        {own.failed}
      </p>
    );
  }
  if (mine.kind !== 'shown') return null;
  return (
    <dl class="my-sums" aria-label={own.region}>
      {cashierSumNames.map((name) => (
        <div key={name} class="my-sum" data-sum={name}>
          <dt>{own[name]}</dt>
          <dd>
            <bdi>{sumsInWords(mine.sums[name], frame.words.value, frame.format.value) ?? own.none}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
