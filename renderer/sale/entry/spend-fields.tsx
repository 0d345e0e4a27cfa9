import { useRef } from 'preact/hooks';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { useLead } from '../../components/asking.ts';
import { Icon } from '../../components/icon.tsx';
import { useModel } from '../../model.ts';
import { rewardName } from '../../operation/operation-words.ts';
import { acceptsScanAttribute } from '../../scanner/listen.ts';
import type { Entry } from './entry-flow.ts';
import { problemInWords } from './entry-words.ts';

/** Something that is given once: a reward to choose, or a coupon. */
export function SpendChoice({ entry }: { readonly entry: Entry }) {
  const root = useRef<HTMLDivElement>(null);
  // The field appears a moment after its entry, so it moves the focus itself.
  useLead(root, { step: '', mistake: null });
  return (
    <div ref={root}>
      {entry.kind.unit === 'reward' ? (
        <RewardChoice entry={entry} rewards={entry.kind.rewards} />
      ) : (
        <CouponCode entry={entry} />
      )}
    </div>
  );
}

interface RewardChoiceProps {
  readonly entry: Entry;
  readonly rewards: CardEntry['available_rewards'];
}

/** The rewards to choose from, when there is more than one. */
function RewardChoice({ entry, rewards }: RewardChoiceProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value;
  const problem = problemInWords(entry, null, words, frame.format.value);
  if (rewards.length === 0) {
    return (
      <>
        <OnceNote />
        {problem !== null && (
          <p class="amount-note field-error" role="alert">
            {problem}
          </p>
        )}
      </>
    );
  }
  return (
    <fieldset class="choice stack" aria-describedby="entry-choice-note">
      <legend class="visually-hidden">{words.entry.rewards}</legend>
      {rewards.map(({ reward_id, ...reward }, index) => (
        <label key={reward_id} class="choice-row row gap-4" data-reward={reward_id}>
          <input
            type="radio"
            name="reward"
            class="choice-radio"
            data-first={isFirst(reward_id, index) ? '' : undefined}
            checked={entry.text === reward_id}
            onChange={() => sale.chooseReward(reward_id)}
          />
          <Icon name="gift" size={32} />
          <span class="choice-name">
            <bdi>{rewardName(reward, words)}</bdi>
          </span>
          <span class="choice-check">
            <Icon name="check" size={30} />
          </span>
        </label>
      ))}
      <p id="entry-choice-note" class={problem === null ? 'amount-note' : 'amount-note field-error'} aria-live="polite">
        {problem ?? words.entry.once}
      </p>
    </fieldset>
  );

  function isFirst(rewardId: string, index: number): boolean {
    if (entry.isReceiptOpen) return false;
    return entry.text === '' ? index === 0 : entry.text === rewardId;
  }
}

/** A coupon's code: the card's own, or another that was scanned or typed. */
function CouponCode({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  const problem = problemInWords(entry, null, frame.words.value, frame.format.value);
  return (
    <div class="coupon stack gap-2">
      <OnceNote />
      <label class="field-label" for="entry-code">
        {words.couponCode}
      </label>
      <input
        id="entry-code"
        class="text-input text-input-large"
        data-first={entry.isReceiptOpen ? undefined : ''}
        data-types-here={entry.isReceiptOpen || entry.pin !== null ? undefined : ''}
        type="text"
        autoComplete="off"
        spellcheck={false}
        dir="ltr"
        maxLength={255}
        readOnly={entry.busy || entry.pin !== null}
        {...(entry.pin === null ? { [acceptsScanAttribute]: '' } : {})}
        onClick={sale.backToAmount}
        onFocus={() => sale.turnToReceipt(false)}
        // A code is not wrong because of a limit.
        aria-invalid={entry.problem !== null && entry.problem !== 'above_limit'}
        aria-describedby="entry-code-note"
        value={entry.text}
        onInput={(event) => sale.typeCode(event.currentTarget.value)}
      />
      <p id="entry-code-note" class={problem === null ? 'amount-note' : 'amount-note field-error'} aria-live="polite">
        {problem !== null && <Icon name="circle-alert" size={22} />}
        {problem ?? words.couponHint}
      </p>
    </div>
  );
}

/** Shown for a coupon, or for a reward without a name: there is nothing to enter. */
function OnceNote() {
  const { frame } = useModel();
  return (
    <p class="once row gap-4">
      <Icon name="ticket" size={32} />
      <span>{frame.words.value.entry.once}</span>
    </p>
  );
}
