import { expect, it } from 'vitest';
import { customerWords } from '../../../renderer/customer/words.ts';
import { wordsIn } from '../../support/words.ts';

it('the name of a balance on the customers’ screen has the form of its number, as at the cashier’s', async () => {
  const { units } = customerWords.ar.deeds;
  expect([units.points(5), units.stamps(7), units.visits(3), units.rewards(4)]).toEqual([
    'نقاط',
    'أختام',
    'زيارات',
    'مكافآت',
  ]);
  expect([units.points(12), units.stamps(12), units.cashback(12)]).toEqual(['نقطة', 'ختمًا', 'رصيد نقدي']);
  const copy = await wordsIn('start');
  expect([copy.ar.balanceUnits, copy.en.balanceUnits]).toEqual([units, customerWords.en.deeds.units]);
});
