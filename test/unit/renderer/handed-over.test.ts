import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import type { Stage } from '../../../renderer/find/stage.ts';
import type { Entry } from '../../../renderer/sale/entry/entry-flow.ts';
import { takeHandedOver } from '../../../renderer/sale/handed-over.ts';
import type { TillState } from '../../../shared/till/views.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { profileOf, tillStateOf } from '../../support/ui-fake-agent.ts';

it('opens a handed-over amount once, also when the customer’s balances are told anew after Escape', () => {
  const card = demoCards.cashback;
  const handed_over = { id: 'sale-1', amount_minor: 12_500, currency: 'KWD', receipt_number: null };
  const lookUp = { kind: 'card', text: 'LC-1002' } as const;
  const inFront = (customer_id = 'cus_01'): Stage => ({
    kind: 'customer',
    lookUp,
    found: { source: 'service', profile: profileOf({ customer_id, cards: [card] }) },
    cardId: card.card_id,
  });
  const stage = signal<Stage>({ kind: 'finding', lookUp });
  let opened = 0;
  takeHandedOver({
    till: signal<TillState>(tillStateOf({ handed_over })),
    entry: signal<Entry | null>(null),
    finding: { stage, card: signal(card), cards: signal([card]) },
    outcome: signal(null),
    isElsewhere: () => false,
    isOtherTyped: () => false,
    openByItself: () => void opened++,
  });
  stage.value = inFront();
  stage.value = inFront();
  expect(opened).toBe(1);

  // Looked up once more, or somebody else: it is offered again.
  stage.value = { kind: 'finding', lookUp };
  stage.value = inFront();
  stage.value = inFront('cus_02');
  expect(opened).toBe(3);
});
