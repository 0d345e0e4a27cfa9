import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import type { Stage } from '../../../renderer/find/stage.ts';
import { createHistory } from '../../../renderer/sale/customer/history.ts';
import { lastFive } from '../../../renderer/sale/customer/past.ts';
import { customerCommands } from '../../../shared/till/customer-commands.ts';
import type { OperationView } from '../../../shared/till/views.ts';
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

it('tells of no hold and no undo that is heard while the customer is in front', async () => {
  const api = new AskedApi();
  const found = { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) } as const;
  const stage: Stage = { kind: 'customer', lookUp: { kind: 'card', text: 'LC-1' }, found, cardId: null };
  const history = createHistory(api, signal(stage));
  await api.newest('customer.history').answer({ last: null, operations: [] });
  const { card_id } = demoCards.reward;
  const hear = (change: Partial<OperationView>): void =>
    history.heard(operationOf({ state: 'applied', card_id, amount_minor: null, currency: null, ...change }));
  for (const intent of ['reserve', 'release', 'reverse', 'enroll', 'verify'] as const) {
    hear({ intent, operation_id: intent, points: intent === 'reserve' ? 40 : null });
  }
  const rows = () => lastFive(history.theirs.value ?? { last: null, operations: [] }, [demoCards.reward]);
  expect(rows()).toEqual([]);
  for (const intent of ['earn', 'redeem', 'commit'] as const) hear({ intent, operation_id: intent, points: 40 });
  expect(
    rows()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['commit', 'earn', 'redeem']);
});
