import { type CardTypeName, cardTypeOf } from '../../../shared/contract/card-names.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { type Balance, balancesMainFirst } from '../../../shared/till/balances.ts';
import { progressOf, stampGoalOf } from '../../../shared/till/progress.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import type { Words } from '../../copy/en/start.ts';
import { balanceInWords, moneyOrNumber } from '../../copy/format.ts';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { rewardName } from '../../operation/operation-words.ts';
import { earnsOf } from '../../operation/operations.ts';
import { OnTheWay, ProgressBar, Stamps, useProgressWords } from './card-parts.tsx';
import { isGivenNow } from './given-now.ts';
import { onTheWay } from './past.ts';

const typeIcons: Readonly<Record<CardTypeName, IconName>> = {
  Stamp: 'stamp',
  Cashback: 'wallet',
  Subscription: 'repeat',
  Coupon: 'ticket',
  Discount: 'percent',
  Certificate: 'receipt-text',
  Membership: 'crown',
  Reward: 'star',
};

/** The card's name: its template's name, else its kind. */
export function cardName(card: CardEntry, words: Words): string {
  if (card.template_name !== '') return card.template_name;
  const type = cardTypeOf(card);
  return type === null ? words.unknownCardType : words.cardTypes[type];
}

interface CardsProps {
  readonly cards: readonly CardEntry[];
  readonly chosen: string | null;
  readonly onChoose: (cardId: string) => void;
}

/** The customer's cards. One of them is chosen, and the operations are for that card. */
export function Cards({ cards, chosen, onChoose }: CardsProps) {
  const { frame } = useModel();
  return (
    <div class="cards" role="radiogroup" aria-label={frame.words.value.customer.cards}>
      <div class="cards-grid">
        {cards.map((card) => (
          <LoyaltyCard
            key={card.card_id}
            card={card}
            isChosen={card.card_id === chosen}
            onChoose={() => onChoose(card.card_id)}
          />
        ))}
      </div>
    </div>
  );
}

interface LoyaltyCardProps {
  readonly card: CardEntry;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function LoyaltyCard({ card, isChosen, onChoose }: LoyaltyCardProps) {
  const { frame, sale, history } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const progressWords = useProgressWords();
  const pastWords = useWords('past');
  const type = cardTypeOf(card);
  const typeName = type === null ? words.unknownCardType : words.cardTypes[type];
  const icon: IconName = type === null ? 'id-card' : typeIcons[type];
  const [main, ...others] = balancesMainFirst(card);
  const name = card.template_name === '' ? typeName : card.template_name;
  const goals = frame.till.value?.reward_goals ?? [];
  const stampGoal = stampGoalOf(card, goals);
  const wordsOf = (balance: Balance): string => balanceInWords(balance, words, format, stampGoal);
  const inWords = [main, ...others].flatMap((balance) =>
    balance === undefined || isNoReward(balance) ? [] : [wordsOf(balance)],
  );
  const label = [name, ...inWords, ...card.available_rewards.map((reward) => rewardName(reward, words))].join(', ');
  const ready = others.find((balance) => balance.dimension === 'rewards' && balance.value > 0);
  const canGive = isGivenNow(sale.stage.value, frame.connection.value);
  const progress = progressOf(card, goals);
  const coming = onTheWay(history.theirs.value?.operations ?? [], (cardId) => goesTo(card, cardId, sale.cards.value));
  return (
    <label class="card stack" data-type={type ?? 'unknown'} data-card={card.card_id}>
      <input class="card-radio" type="radio" name="card" aria-label={label} checked={isChosen} onChange={onChoose} />
      <span class="row gap-3">
        <span class="card-icon">
          <Icon name={icon} size={20} />
        </span>
        <bdi class="card-name">{name}</bdi>
        <span class="card-check">
          <Icon name="check" size={16} />
        </span>
      </span>
      <span class="card-now row wrap">
        {main === undefined ? (
          <span class="card-none">{words.noBalance}</span>
        ) : (
          <MainBalance balance={main} stampGoal={stampGoal} />
        )}
        {ready !== undefined && canGive && (
          <span class="card-ready row gap-2">
            <Icon name="gift" />
            {wordsOf(ready)}
          </span>
        )}
        {coming.length > 0 && <OnTheWay values={coming} />}
      </span>
      {others.map((balance) =>
        balance.dimension === 'rewards' ? null : (
          <span key={balance.dimension} class="card-other">
            {wordsOf(balance)}
          </span>
        ),
      )}
      {canGive && card.available_rewards.length > 0 && (
        <span class="card-rewards">
          {card.available_rewards.map((reward) => (
            <bdi key={reward.reward_id} class="card-reward">
              {rewardName(reward, words)}
            </bdi>
          ))}
        </span>
      )}
      {progress !== null && (
        <span class="card-progress" data-unit={progress.unit}>
          {progress.unit === 'stamps' && main?.dimension === 'stamps' && (
            <Stamps have={main.value} each={main.value + progress.left} />
          )}
          <span class="card-to-next">{progressWords(progress)}</span>
          {progress.unit === 'points' && <ProgressBar share={progress.share} />}
        </span>
      )}
      {ready !== undefined && !canGive && <span class="card-other">{pastWords.readyWhenBack(wordsOf(ready))}</span>}
    </label>
  );
}

/** Whether the balance only says that there are no rewards. Then no line is shown. */
function isNoReward({ dimension, value }: Balance): boolean {
  return dimension === 'rewards' && value === 0;
}

/**
 * Whether an operation goes to this card. One without a card id goes to the only card that can take it. When several
 * can, the service chooses.
 */
function goesTo(card: CardEntry, cardId: string | null, cards: readonly CardEntry[]): boolean {
  if (cardId !== null) return cardId === card.card_id;
  const [first, ...others] = cards.filter((one) => earnsOf(one).length > 0);
  return first?.card_id === card.card_id && others.length === 0;
}

interface MainBalanceProps {
  readonly balance: Balance;
  readonly stampGoal: number | null;
}

function MainBalance({ balance, stampGoal }: MainBalanceProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const written = moneyOrNumber(balance, format);
  const isTowards = balance.dimension === 'stamps' && stampGoal !== null;
  const unit = isTowards
    ? words.ofStamps(stampGoal, format.number(stampGoal))
    : balance.dimension === 'cashback'
      ? null
      : words.balanceUnits[balance.dimension](balance.value);
  return (
    <span class="card-balance">
      <bdi class="card-value" data-long={written.length > 13 ? '' : undefined}>
        {written}
      </bdi>{' '}
      {unit !== null && <span class="card-unit">{unit}</span>}
    </span>
  );
}
