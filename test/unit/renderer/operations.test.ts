import { describe, expect, it } from 'vitest';
import { earnOperations, firstChoice, onlyEarn, operationButtons } from '../../../renderer/operation/operations.ts';
import { cardOperations } from '../../../shared/contract/card-names.ts';
import { connectionStates } from '../../../shared/till/views.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';

describe('the buttons', () => {
  it('are exactly the allowed operations in the order of the specification, for every subset of them', () => {
    for (let bits = 0; bits < 2 ** cardOperations.length; bits += 1) {
      const allowed = cardOperations.filter((_operation, index) => (bits & (1 << index)) !== 0);
      const shown = operationButtons(allowed.toReversed(), 'online').map((button) => button.operation);
      expect(shown).toEqual(allowed);
    }
  });

  it('take earns whatever the connection is, and nothing else without one', () => {
    for (const connection of connectionStates) {
      for (const { operation, unavailable } of operationButtons(cardOperations, connection)) {
        const isEarn = earnOperations.some((earn) => earn === operation);
        const isLineGood = connection === 'online' || connection === 'clock_wrong';
        const reason = isEarn || isLineGood ? null : 'needs_connection';
        expect([operation, connection, unavailable]).toEqual([operation, connection, reason]);
      }
    }
  });

  it('show an operation that this version does not know, by its own name, last and not to be pressed', () => {
    expect(operationButtons(['teleport', 'earn_amount', 'teleport'], 'online')).toEqual([
      { operation: 'earn_amount', known: 'earn_amount', unavailable: null },
      { operation: 'teleport', known: null, unavailable: 'unknown_operation' },
    ]);
  });
});

describe('what opens by itself', () => {
  it('is the only earn of the only card that can earn', () => {
    expect(onlyEarn([demoCards.coupon, demoCards.cashback])).toEqual({
      card: demoCards.cashback,
      operation: 'earn_amount',
    });
  });

  it('is nothing where there is a choice, or nothing to earn', () => {
    expect(onlyEarn([demoCards.reward])).toBeNull();
    expect(onlyEarn([demoCards.cashback, demoCards.stamp])).toBeNull();
    expect(onlyEarn([demoCards.coupon])).toBeNull();
    expect(onlyEarn([])).toBeNull();
  });
});

describe('the card that is chosen first', () => {
  const cards = [demoCards.coupon, demoCards.cashback, demoCards.stamp];
  it('is the scanned one, where its number is its id', () => {
    expect(firstChoice(cards, 'card_stamp')).toBe(demoCards.stamp);
    expect(firstChoice(cards, 'card_coupon')).toBe(demoCards.coupon);
  });

  it('is none where the scanned number may be that of several cards', () => {
    expect(firstChoice(cards, 'LC-1001')).toBeNull();
    expect(firstChoice([demoCards.coupon, demoCards.certificate], 'LC-1001')).toBeNull();
  });

  it('is the only one that can earn, or the only one', () => {
    expect(firstChoice([demoCards.coupon, demoCards.cashback], 'LC-1001')).toBe(demoCards.cashback);
    expect(firstChoice([demoCards.coupon], 'LC-1001')).toBe(demoCards.coupon);
  });

  it('is the first that can earn, else the first, where no card was scanned', () => {
    expect(firstChoice(cards, null)).toBe(demoCards.cashback);
    expect(firstChoice([demoCards.coupon, demoCards.certificate], null)).toBe(demoCards.coupon);
    expect(firstChoice([], null)).toBeNull();
  });
});
