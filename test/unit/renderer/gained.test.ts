import { describe, expect, it } from 'vitest';
import { cardAsTold } from '../../../renderer/find/stage.ts';
import { gained } from '../../../renderer/sale/outcome/gained.ts';
import type { Outcome } from '../../../renderer/sale/outcome/shown-outcome.ts';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf, profileOf } from '../../support/ui-fake-agent.ts';

const card = demoCards.reward;
const sale = operationOf({ external_ref: 'R-1', state: 'applied', card_id: card.card_id });

function sold(points: number, cardBefore: CardEntry | null = card): Outcome {
  const new_balances = { ...card.balances, points };
  return {
    operation: { ...sale, new_balances },
    card,
    cardBefore,
    takenBy: 'earn_amount',
    heldForMinutes: null,
    duplicate: false,
    clearsAfterMs: null,
    round: 0,
    failure: null,
    isEarlier: false,
  };
}

describe('what a purchase brought', () => {
  it('is the balance now, less the one that was shown before', () => {
    expect(gained(sold(257.6), [sale])).toMatchObject({ dimension: 'points', value: 12.1 });
  });

  it('is not told when the card was shown from memory, or is another card', () => {
    expect(gained(sold(257.5, null), [])).toBeNull();
    expect(gained(sold(257.5, demoCards.cashback), [])).toBeNull();
  });

  it('is not told when points became a reward', () => {
    expect(gained(sold(45.5), [])).toBeNull();
    expect(gained(sold(245.5), [])).toBeNull();
  });

  it('is not told when stamps became a reward', () => {
    const { stamp } = demoCards;
    const bought = (stamps: number, rewards_available: number): Outcome => ({
      ...sold(0, stamp),
      operation: { ...sale, card_id: stamp.card_id, new_balances: { ...stamp.balances, stamps, rewards_available } },
    });
    expect(gained(bought(9, 1), [])).toMatchObject({ dimension: 'stamps', value: 2 });
    expect(gained(bought(9, 2), [])).toBeNull();
  });

  it('is nothing else than what the cashier added', () => {
    const added = sold(257.5);
    expect(gained({ ...added, operation: { ...added.operation, amount_minor: null, points: 112 } }, [])).toBeNull();
  });

  it.each([
    ['waits', { state: 'queued', updated_at: '2026-11-20T14:00:00.000Z' }],
    ['came back later', { state: 'reversed', updated_at: '2026-11-20T14:13:00.000Z' }],
  ] as const)('is not told when another operation of the card %s', (_, change) => {
    const other = operationOf({ external_ref: 'R-2', card_id: card.card_id, ...change });
    expect(gained(sold(257.5), [other])).toBeNull();
    expect(gained(sold(257.5), [{ ...other, card_id: 'card_of_another' }])).not.toBeNull();
  });

  it('is told after an operation of the card that was over before', () => {
    const over = { state: 'applied', updated_at: '2026-11-20T14:12:59.000Z' } as const;
    expect(gained(sold(257.5), [operationOf({ external_ref: 'R-2', card_id: card.card_id, ...over })])).not.toBeNull();
  });
});

it('a card is as the service told it only while its customer is shown as the service told them', () => {
  const profile = profileOf({ cards: [card] });
  const lookUp = { kind: 'card', text: 'LC-1' } as const;
  const shown = (source: 'service' | 'kept') =>
    ({ kind: 'customer', lookUp, found: { source, profile }, cardId: card.card_id }) as const;
  expect(cardAsTold(shown('service'), card)).toEqual(card);
  expect(cardAsTold(shown('service'), demoCards.cashback)).toBeNull();
  expect(cardAsTold(shown('kept'), card)).toBeNull();
  expect(cardAsTold({ kind: 'idle' }, card)).toBeNull();
});
