import { expect, it } from 'vitest';
import { makeFormat } from '../../../renderer/copy/format.ts';
import { rewardName } from '../../../renderer/operation/operation-words.ts';
import * as flow from '../../../renderer/sale/entry/entry-flow.ts';
import { actOf } from '../../../renderer/sale/entry/entry-words.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { wordsIn } from '../../support/words.ts';

const copy = await wordsIn('start');

it.each([
  ['en', '', 'Give reward', 'Reward'],
  ['ar', '', 'منح مكافأة', 'مكافأة'],
  ['en', 'Free cake', 'Give Free cake', 'Free cake'],
] as const)('in %s, a reward that is called "%s" is given by "%s", and shown as "%s"', (locale, name, act, shown) => {
  const card = { ...demoCards.reward, available_rewards: [{ reward_id: 'rwd_1', name }] };
  const opened = flow.openEntry(
    'op-1',
    'redeem_reward',
    { identifier: { loyalty_id: 'LC-1' }, customerName: 'Fatima', card, hint: null },
    'KWD',
  );
  const entry = flow.chooseReward(opened, 'rwd_1');
  const format = makeFormat(locale, 'Asia/Kuwait');
  expect(actOf(entry, copy[locale], format).words).toBe(act);
  expect(rewardName({ name }, copy[locale])).toBe(shown);
});
