import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDeltas,
  allowedOperations,
  availableRewards,
  earnDeltas,
  openingBalances,
  pointsToStored,
  shownBalances,
} from '../../app/service/rules/mechanics.ts';
import { findTemplate, type Mechanics, templates } from '../../app/service/rules/templates.ts';
import { cardOperations } from '../../shared/contract/card-names.ts';

function mechanicsOf(templateId: string): Mechanics {
  const mechanics = findTemplate(templateId)?.mechanics;
  if (mechanics == null) throw new Error(`${templateId} has no mechanics`);
  return mechanics;
}

const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

test('cashback is 5 % of the purchase, rounded down, exact for every safe integer', () => {
  const mechanics = mechanicsOf('tpl_cashback');
  fc.assert(
    fc.property(amount, (amountMinor) => {
      const deltas = earnDeltas(mechanics, {
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
      const deltas = earnDeltas(mechanics, {
        operation: 'earn_amount',
        value: amountMinor,
      });
      expect(deltas).toEqual({ points: pointsToStored(Number(BigInt(amountMinor) / 1000n)) });
    }),
  );
});

test('a stamp card keeps one count: the two numbers that it shows follow from it, whatever was added and taken', () => {
  const mechanics = mechanicsOf('tpl_stamp');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -40, max: 40 }), { maxLength: 40 }), (deltas) => {
      let balances = openingBalances(mechanics);
      let count = 0;
      for (const delta of deltas) {
        count += delta;
        const after = addDeltas(balances, { stamps: delta });
        if (after === null) throw new Error('too large');
        balances = after;
        const { stamps, rewards_available: rewards } = shownBalances(mechanics, {
          balances,
          currency: null,
          holds: {},
        });
        expect({ stamps, rewards }).toEqual(
          count < 0
            ? { stamps: count, rewards: 0 }
            : { stamps: count % 10, rewards: Number(String(count).slice(0, -1)) },
        );
      }
    }),
  );
});

test('what can be claimed is what holds leave, never below 0, and changes nothing else that is shown', () => {
  const mechanics = mechanicsOf('tpl_reward');
  const thousandths = fc.integer({ min: -300_000, max: 2_000_000 });
  fc.assert(
    fc.property(thousandths, fc.integer({ min: 0, max: 2_000_000 }), (points, held) => {
      const balances = { ...openingBalances(mechanics), points };
      const shown = shownBalances(mechanics, { balances, currency: null, holds: { points: held } });
      const free = points - held;
      let rewards = 0;
      while (free >= 100_000 * (rewards + 1)) rewards += 1;
      expect(shown).toMatchObject({ points: points / 1000, rewards_available: rewards });
      expect(availableRewards(mechanics, { balances, suspended: false, holds: { points: held } }, 'KWD')).toHaveLength(
        rewards > 0 ? 3 : 0,
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
        const after = addDeltas(balances, earnDeltas(mechanics, { operation: 'earn_points', value: stored }));
        if (after === null) throw new Error('too large');
        balances = after;
      }
      const total = thousandths.reduce((sum, value) => sum + value, 0);
      const shown = shownBalances(mechanics, { balances, currency: null, holds: {} });
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
