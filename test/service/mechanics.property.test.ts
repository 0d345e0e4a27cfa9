import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDeltas,
  allowedOperations,
  earnDeltas,
  openingBalances,
  pointsToStored,
  shownBalances,
  undoingDeltas,
} from '../../app/service/rules/mechanics.ts';
import { findTemplate, type Mechanics, templates } from '../../app/service/rules/templates.ts';
import { cardOperations } from '../../shared/contract/card-names.ts';

function mechanicsOf(templateId: string): Mechanics {
  const mechanics = findTemplate(templateId)?.mechanics;
  if (mechanics == null) throw new Error(`${templateId} has no mechanics`);
  return mechanics;
}

const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const stampEarns = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 30 });

test('cashback is 5 % of the purchase, rounded down, exact for every safe integer', () => {
  const mechanics = mechanicsOf('tpl_cashback');
  fc.assert(
    fc.property(amount, (amountMinor) => {
      const deltas = earnDeltas(mechanics, openingBalances(mechanics), {
        operation: 'earn_amount',
        value: amountMinor,
      });
      expect(deltas).toEqual({ cashback_minor: Number(BigInt(amountMinor) / 20n) });
    }),
  );
});

test('a reward card earns one point for each whole 1000 minor units', () => {
  const mechanics = mechanicsOf('tpl_reward');
  fc.assert(
    fc.property(amount, (amountMinor) => {
      const deltas = earnDeltas(mechanics, openingBalances(mechanics), {
        operation: 'earn_amount',
        value: amountMinor,
      });
      expect(deltas).toEqual({ points: pointsToStored(Number(BigInt(amountMinor) / 1000n)) });
    }),
  );
});

test('every ten stamps become one reward, however they come, and fewer than ten are left', () => {
  const mechanics = mechanicsOf('tpl_stamp');
  fc.assert(
    fc.property(stampEarns, (earns) => {
      let balances = openingBalances(mechanics);
      for (const stamps of earns) {
        const after = addDeltas(balances, earnDeltas(mechanics, balances, { operation: 'earn_stamp', value: stamps }));
        if (after === null) throw new Error('too large');
        balances = after;
        expect(balances.stamps).toBeGreaterThanOrEqual(0);
        expect(balances.stamps).toBeLessThan(10);
      }
      const total = earns.reduce((sum, stamps) => sum + stamps, 0);
      expect((balances.rewards_available ?? 0) * 10 + (balances.stamps ?? 0)).toBe(total);
    }),
  );
});

test('undoing an earn leaves exactly what was there before, whatever came between', () => {
  const mechanics = mechanicsOf('tpl_stamp');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9 }), stampEarns, (start, [first = 1, ...others]) => {
      const before = { ...openingBalances(mechanics), stamps: start };
      const firstDeltas = earnDeltas(mechanics, before, { operation: 'earn_stamp', value: first });
      const worthOf = (balances: typeof before) => (balances.rewards_available ?? 0) * 10 + (balances.stamps ?? 0);
      let balances = addDeltas(before, firstDeltas);
      for (const stamps of others) {
        if (balances === null) throw new Error('too large');
        balances = addDeltas(balances, earnDeltas(mechanics, balances, { operation: 'earn_stamp', value: stamps }));
      }
      const undone = balances === null ? null : addDeltas(balances, undoingDeltas(firstDeltas));
      if (undone === null) throw new Error('too large');
      expect(worthOf({ ...undone, stamps: undone.stamps ?? 0 })).toBe(
        start + others.reduce((sum, stamps) => sum + stamps, 0),
      );
    }),
  );
});

test('points never drift: what is earned in thousandths is shown to the thousandth', () => {
  const mechanics = mechanicsOf('tpl_reward');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 50 }), (thousandths) => {
      let balances = openingBalances(mechanics);
      for (const value of thousandths) {
        const stored = pointsToStored(value / 1000);
        expect(stored).toBe(value);
        const after = addDeltas(balances, earnDeltas(mechanics, balances, { operation: 'earn_points', value: stored }));
        if (after === null) throw new Error('too large');
        balances = after;
      }
      const total = thousandths.reduce((sum, value) => sum + value, 0);
      const shown = shownBalances(mechanics, { balances, currency: null });
      expect(shown.points).toBe(total / 1000);
      expect(shown.rewards_available).toBe(Math.floor(total / 100_000));
    }),
  );
});

test('what a card offers is in the specification’s order, and nothing is offered that it could not spend', () => {
  const count = fc.integer({ min: -5, max: 250_000 });
  fc.assert(
    fc.property(fc.constantFrom(...templates), count, count, fc.boolean(), (template, value, rewards, suspended) => {
      const opening = openingBalances(template.mechanics);
      const balances = {
        points: opening.points === null ? null : value,
        cashback_minor: opening.cashback_minor === null ? null : value,
        stamps: opening.stamps === null ? null : value,
        visits: opening.visits === null ? null : value,
        rewards_available: opening.rewards_available === null ? null : rewards,
      };
      const offered = allowedOperations(template.mechanics, { balances, suspended });
      expect(offered).toEqual(cardOperations.filter((operation) => offered.includes(operation)));
      if (suspended || template.mechanics === null) expect(offered).toEqual([]);
      const spends = offered.filter((operation) => operation.startsWith('redeem_'));
      if (value <= 0 && rewards <= 0) expect(spends).toEqual([]);
    }),
  );
});
