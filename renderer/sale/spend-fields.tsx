import type { CardEntry } from '../../shared/contract/profile.ts';
import { Icon } from '../components/icon.tsx';
import { balanceInWords } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { acceptsScanAttribute } from '../scanner/listen.ts';
import { balanceAfter } from './balances.ts';
import { noLimits, readEntry, wholeBalance } from './entry.ts';
import type { Entry } from './entry-flow.ts';

/** What the card holds, and what is left of it after this redemption. */
export function BalanceAfter({ id, entry }: { readonly id: string; readonly entry: Entry }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const read = readEntry(entry.text, entry.kind, noLimits);
  const change = read.ok ? balanceAfter(entry.entryFor.card, read.value) : null;
  const isTooMuch = change !== null && change.after.value < 0;
  return (
    <p
      id={id}
      class={isTooMuch ? 'after after-short row gap-2' : 'after row gap-2'}
      aria-live="polite"
      data-after={isTooMuch ? 'short' : undefined}
    >
      {change === null && '\u00a0'}
      {change !== null && !isTooMuch && (
        <>
          <Icon name="arrow-right" size={18} mirrors />
          {words.entry.after(balanceInWords(change.after, words, format))}
        </>
      )}
      {isTooMuch && change !== null && (
        <>
          <Icon name="triangle-alert" size={18} />
          {words.entry.onlyOnCard(balanceInWords(change.before, words, format))}
        </>
      )}
    </p>
  );
}

interface UseAllProps {
  readonly entry: Entry;
  readonly onType: (text: string) => void;
}

/** All that the card holds, by one press. */
export function UseAll({ entry, onType }: UseAllProps) {
  const { frame } = useModel();
  const all = wholeBalance(entry.entryFor.card, entry.kind);
  if (all === null) return null;
  return (
    <button
      type="button"
      class="button button-ghost use-all"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onType(all)}
    >
      {frame.words.value.entry.useAll}
    </button>
  );
}

interface RewardChoiceProps {
  readonly entry: Entry;
  readonly rewards: CardEntry['available_rewards'];
}

/** Which reward: a choice where there is one. */
export function RewardChoice({ entry, rewards }: RewardChoiceProps) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  if (rewards.length === 0) return <OnceNote />;
  return (
    <fieldset class="choice stack gap-2" aria-describedby="entry-choice-note">
      <legend class="field-label">{words.rewards}</legend>
      {rewards.map(({ reward_id, name }, index) => (
        <label key={reward_id} class="choice-row row gap-3" data-reward={reward_id}>
          <input
            type="radio"
            name="reward"
            class="choice-radio"
            data-first={index === 0 ? '' : undefined}
            checked={entry.text === reward_id}
            onChange={() => sale.chooseReward(reward_id)}
          />
          <span class="tile tone-info">
            <Icon name="gift" />
          </span>
          <span class="choice-name">
            <bdi>{name}</bdi>
          </span>
          <span class="choice-check">
            <Icon name="check" size={16} />
          </span>
        </label>
      ))}
      <p
        id="entry-choice-note"
        class={entry.problem === null ? 'field-note' : 'field-note field-error'}
        aria-live="polite"
      >
        {entry.problem === null ? words.once : words.problems.choose_reward}
      </p>
    </fieldset>
  );
}

/** A coupon's code: the card's own, or another that is scanned or typed. */
export function CouponCode({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const words = frame.words.value.entry;
  return (
    <div class="receipt">
      <OnceNote />
      <label class="field-label" for="entry-code">
        {words.couponCode}
      </label>
      <input
        id="entry-code"
        class="text-input text-input-large"
        type="text"
        autoComplete="off"
        spellcheck={false}
        dir="ltr"
        maxLength={255}
        readOnly={entry.busy || entry.pin !== null}
        {...(entry.pin === null ? { [acceptsScanAttribute]: '' } : {})}
        onClick={sale.backToAmount}
        aria-invalid={entry.problem !== null}
        aria-describedby="entry-code-note"
        value={entry.text}
        onInput={(event) => sale.typeCode(event.currentTarget.value)}
      />
      <p
        id="entry-code-note"
        class={entry.problem === null ? 'field-note' : 'field-note field-error'}
        aria-live="polite"
      >
        {entry.problem !== null && <Icon name="circle-alert" size={18} />}
        {entry.problem === null ? words.couponHint : words.problems[entry.problem]}
      </p>
    </div>
  );
}

/** A coupon, or a reward that has no name of its own: there is nothing to enter. */
function OnceNote() {
  const { frame } = useModel();
  return (
    <p class="once row gap-4">
      <span class="tile tile-large tone-info">
        <Icon name="ticket" size={28} />
      </span>
      <span>{frame.words.value.entry.once}</span>
    </p>
  );
}
