import { beforeEach, describe, expect, it } from 'vitest';
import type { CardEntry } from '../../../shared/contract/profile.ts';
import type { OperationView } from '../../../shared/till/views.ts';
import { SaleCounter } from '../../support/sale-counter.ts';
import { demoCards } from '../../support/ui-demo-cards.ts';
import { operationOf, profileOf } from '../../support/ui-fake-agent.ts';

// Another till has changed the card while its customer stands in front of this one.
const { reward } = demoCards;
let counter: SaleCounter;
let sale: SaleCounter['sale'];
const holding = (points: number): CardEntry => ({ ...reward, balances: { ...reward.balances, points } });
/** The look-up of the customer in front, which was asked for last, is answered. */
function answerLook(points: number) {
  const profile = profileOf({ customer_id: 'LC-1001', cards: [holding(points)] });
  return counter.api.newest('customer.find').answer({ source: 'service', profile });
}
const looks = () => counter.finds().length;
const shown = () => sale.card.value?.balances.points;
const entered = () => sale.entry.value?.entryFor.card?.balances.points;
const error = { code: 'INSUFFICIENT_BALANCE', message: '', retryable: false, request_id: 'r' };
function refused(change: Partial<OperationView> = {}): void {
  const { card_id } = reward;
  const spent = { intent: 'redeem', card_id, amount_minor: null, currency: null, points: 245.5 } as const;
  const sending = operationOf({ ...spent, state: 'sending' });
  sale.takeOperation(operationOf({ ...spent, state: 'cancelled', error, ...change }), sending);
}

beforeEach(async () => {
  counter = new SaleCounter();
  ({ sale } = counter);
  await counter.inFront('LC-1001', holding(245.5));
  sale.open('redeem_points');
});

describe('after a refusal for the balance', () => {
  beforeEach(async () => {
    sale.typeAmount('245.5');
    sale.confirm();
    refused();
    await counter.api.newest('operation.redeem').refuse('refused');
    await answerLook(45.5);
  });

  it('the customer is looked up again, and the open entry has what is left', () => {
    expect([looks(), shown(), entered()]).toEqual([2, 45.5, 45.5]);
    expect(sale.entry.value?.failure).toMatchObject({ code: 'refused' });
  });

  it('what is left can be spent', () => {
    sale.typeAmount('45.5');
    sale.confirm();
    expect(counter.api.newest('operation.redeem').input).toMatchObject({ points: 45.5 });
  });
});

describe('the customer is looked up again', () => {
  it('for a hold and for a paid order that were refused', async () => {
    refused({ intent: 'reserve' });
    expect(looks()).toBe(2);
    await answerLook(245.5);
    refused({ intent: 'commit', state: 'refused' });
    expect(looks()).toBe(3);
  });

  it('for no operation that was not sent, and for none of another card', () => {
    refused({ error: null });
    refused({ card_id: 'card_of_somebody' });
    expect(looks()).toBe(1);
  });

  it('where more was entered than the card holds, as far as this till knows', async () => {
    sale.typeAmount('300');
    sale.confirm();
    expect([sale.entry.value?.problem, looks()]).toEqual(['above_balance', 2]);
    await answerLook(345.5);
    expect([sale.entry.value?.problem, entered()]).toEqual([null, 345.5]);
    sale.confirm();
    expect(counter.api.newest('operation.redeem').input).toMatchObject({ points: 300 });
  });

  it('and what is too much stays so', async () => {
    sale.typeAmount('300');
    sale.confirm();
    await answerLook(250);
    expect([sale.entry.value?.problem, entered()]).toEqual(['above_balance', 250]);
  });
});
