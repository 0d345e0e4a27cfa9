import type { CardTypeName } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { balanceInWords, isTowardsReward, moneyOrNumber } from '../copy/format.ts';
import { useModel } from '../model.ts';
import { type Balance, balancesMainFirst, cardTypeOf, stampsPerReward } from './balances.ts';

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

interface CardsProps {
  readonly cards: readonly CardEntry[];
  readonly chosen: string | null;
  readonly onChoose: (cardId: string) => void;
}

/** The customer's cards; one is chosen, and the operations are that card's. */
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
  const { frame } = useModel();
  const words = frame.words.value;
  const type = cardTypeOf(card);
  const typeName = type === null ? words.unknownCardType : words.cardTypes[type];
  const icon: IconName = type === null ? 'id-card' : typeIcons[type];
  const [main, ...others] = balancesMainFirst(card);
  const name = card.template_name === '' ? typeName : card.template_name;
  const inWords = [main, ...others].flatMap((balance) =>
    balance === undefined ? [] : [balanceInWords(balance, words, frame.format.value)],
  );
  const label = [name, ...inWords, ...card.available_rewards.map((reward) => reward.name)].join(', ');
  return (
    <label class="card stack gap-3" data-type={type ?? 'unknown'} data-card={card.card_id}>
      <input class="card-radio" type="radio" name="card" aria-label={label} checked={isChosen} onChange={onChoose} />
      <span class="row gap-3">
        <span class="card-icon">
          <Icon name={icon} size={20} />
        </span>
        <span class="two-lines">
          <bdi class="card-name">{name}</bdi>
        </span>
        <span class="card-check">
          <Icon name="check" size={16} />
        </span>
      </span>
      {main === undefined ? <span class="card-none">{words.noBalance}</span> : <MainBalance balance={main} />}
      {others.length > 0 && (
        <span class="card-others">
          {others.map((balance) => (
            <span key={balance.dimension} class="card-other">
              {balance.dimension === 'rewards' && <Icon name="gift" size={16} />}
              {balanceInWords(balance, words, frame.format.value)}
            </span>
          ))}
        </span>
      )}
      {card.available_rewards.length > 0 && (
        <span class="card-rewards">
          {card.available_rewards.map((reward) => (
            <bdi key={reward.reward_id} class="card-reward">
              {reward.name}
            </bdi>
          ))}
        </span>
      )}
    </label>
  );
}

function MainBalance({ balance }: { readonly balance: Balance }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const written = moneyOrNumber(balance, format);
  const isStamps = balance.dimension === 'stamps' && isTowardsReward(balance.value);
  const unit = isStamps
    ? words.ofStamps(format.number(stampsPerReward))
    : words.balanceUnits[balance.dimension](balance.value);
  return (
    <span class="card-main stack gap-2">
      <span class="card-balance">
        <bdi class="card-value" data-long={written.length > 13 ? '' : undefined}>
          {written}
        </bdi>{' '}
        <span class="card-unit">{unit}</span>
      </span>
      {isStamps && <Stamps have={balance.value} />}
    </span>
  );
}

/** The stamps of a card, drawn; the last of them is the reward. */
export function Stamps({ have }: { readonly have: number }) {
  return (
    <span class="stamps" aria-hidden="true">
      {Array.from({ length: stampsPerReward }, (_, index) => (
        <span key={index} class={index < have ? 'stamp stamp-have' : 'stamp'}>
          {index === stampsPerReward - 1 ? (
            <Icon name="gift" size={14} />
          ) : (
            index < have && <Icon name="check" size={14} />
          )}
        </span>
      ))}
    </span>
  );
}
