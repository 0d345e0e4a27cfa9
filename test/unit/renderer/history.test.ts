import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import type { Stage } from '../../../renderer/find/stage.ts';
import { createHistory } from '../../../renderer/sale/customer/history.ts';
import { lastFive } from '../../../renderer/sale/customer/past.ts';
import { customerCommands } from '../../../shared/till/customer-commands.ts';
import { AskedApi } from '../../support/asked-api.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf, profileOf } from '../../support/ui-fake-agent.ts';

it('asks for the history of a customer with more cards than the agent takes', () => {
  const api = new AskedApi();
  const cards = Array.from({ length: 101 }, (_, index) => ({ ...demoCards.stamp, card_id: `card-${index}` }));
  const found = { source: 'service', profile: profileOf({ cards }) } as const;
  const stage: Stage = { kind: 'customer', lookUp: { kind: 'card', text: 'LC-1' }, found, cardId: null };
  createHistory(api, signal(stage));
  const asked = customerCommands['customer.history'].input.safeParse(api.newest('customer.history').input);
  expect(asked.data?.card_ids).toHaveLength(100);
});

it('tells of a coupon of this till as a coupon, though its card is not among the cards', () => {
  const given = { intent: 'redeem', state: 'applied', amount_minor: null, currency: null, one_shot: true } as const;
  const operations = [
    operationOf({ ...given, external_ref: 'C-1', given_name: 'Half price', is_coupon: true, card_id: 'card_gone' }),
    operationOf({ ...given, external_ref: 'R-1', given_name: 'Free cake', card_id: 'card_coupon' }),
  ];
  const rows = lastFive({ last: null, operations }, [demoCards.coupon]);
  expect(rows.map(({ did }) => [did.given, did.isCoupon])).toEqual([
    ['Half price', true],
    ['Free cake', false],
  ]);
});
