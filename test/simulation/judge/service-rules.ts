import { type HeldCard, inWords, stands } from './books.ts';
import { type Evidence, wasReversalAsked } from './evidence.ts';
import type { Verdict } from './rules.ts';

/** The service's books by themselves: nothing twice, nothing unasked, balances that are sums. */
export function judgeService(evidence: Evidence): readonly Verdict[] {
  return [...judgeDoubles(evidence), ...judgeUnasked(evidence), ...judgeBalances(evidence), ...judgePractice(evidence)];
}

function judgeDoubles({ books, shown }: Evidence): readonly Verdict[] {
  const counts = new Map<string, number>();
  for (const held of books.transactions) {
    if (!stands(held) || held.intent === 'reverse' || held.tag === null) continue;
    // A manager who sends a sale again under another partner's key decides to.
    const [tillName] = held.tag.split(':');
    const till = shown.find((one) => one.till.name === tillName)?.till;
    if (till?.hadForeignKey === true && till.seenByManager.has(held.ref)) continue;
    const name = `${held.intent} by ${held.tag}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const twice = [...counts].filter(([, count]) => count > 1);
  return twice.map(([name, count]) => ({ rule: 'counted-twice', text: `${name} stands ${count} times` }));
}

function judgeUnasked(evidence: Evidence): readonly Verdict[] {
  return evidence.books.transactions.flatMap((held) => {
    const { status, intent } = held;
    if (status !== 'reversed' || (intent !== 'earn' && intent !== 'redeem')) return [];
    // What a manager put in the place of a failed sale carries the same mark under a reference of its own.
    const first = evidence.world.asked.find(({ tag }) => tag === held.tag)?.ref ?? held.ref;
    const isAsked = wasReversalAsked(evidence, intent, held.ref) || wasReversalAsked(evidence, intent, first);
    return isAsked ? [] : [{ rule: 'reversed-unasked', text: inWords(held) }];
  });
}

/** A stamp card keeps one count: ten stamps are a reward. */
const stampsOfReward = 10;

/** What is counted on a card, by the names of the ledger. */
const counts: Readonly<Record<string, (of: Readonly<Record<string, number | null>>) => number>> = {
  points: (of) => of.points ?? 0,
  cashback: (of) => of.cashback_minor ?? 0,
  visits: (of) => of.visits ?? 0,
};

const stampCount = (of: Readonly<Record<string, number | null>>): number =>
  (of.stamps ?? 0) + stampsOfReward * (of.rewards_available ?? 0);

function judgeBalances({ books, opening }: Evidence): readonly Verdict[] {
  const sums = (card: HeldCard) => ({ ...counts, ...(card.template_id === 'tpl_stamp' ? { stamps: stampCount } : {}) });
  return books.cards.flatMap((card) => {
    const before = opening.cards.find(({ card_id: id }) => id === card.card_id);
    const moves = books.transactions.filter(({ cardId, deltas }) => cardId === card.card_id && deltas !== null);
    return Object.entries(sums(card)).flatMap(([name, count]): readonly Verdict[] => {
      const { template_id: _, card_id: __, loyalty_id: ___, customer_id: ____, ...balances } = card;
      const start = before === undefined ? 0 : count(balancesOf(before));
      const sum = moves.reduce((part, { deltas }) => part + count(deltas ?? {}), start);
      const balance = count(balances);
      if (Math.abs(sum - balance) < 1e-6) return [];
      return [{ rule: 'balance-is-no-sum', text: `${card.loyalty_id} ${name}: ${balance}, and the sum is ${sum}` }];
    });
  });
}

function balancesOf({ points, cashback_minor, stamps, visits, rewards_available }: HeldCard) {
  return { points, cashback_minor, stamps, visits, rewards_available };
}

/** Practice sales have references of their own. */
const practiceReference = /^P-/;

function judgePractice({ books }: Evidence): readonly Verdict[] {
  return books.transactions
    .filter(({ ref }) => practiceReference.test(ref))
    .map((held) => ({ rule: 'practice-in-production', text: inWords(held) }));
}
