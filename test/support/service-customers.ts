import type { TestFace } from './service-faces.ts';

export interface TestCard {
  readonly template_id: string;
  readonly balances?: Readonly<Record<string, number | string>>;
  readonly loyalty_id?: string;
  readonly suspended?: boolean;
}

export interface TestCustomer {
  readonly customer_id: string;
  readonly cards: readonly { readonly card_id: string; readonly loyalty_id: string }[];
}

/** A customer made for one test, with these cards. */
export async function makeCustomer(
  face: TestFace,
  cards: readonly TestCard[],
  facts: Readonly<Record<string, unknown>> = {},
): Promise<TestCustomer> {
  const answer = await face.control('POST', '/customers', { ...facts, cards });
  if (answer.status !== 201) throw new Error(`No customer was made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The customer's cards as identify shows them. */
export async function cardsOf(face: TestFace, customer: { readonly customer_id: string }) {
  const answer = await face.post('/customers/identify', { customer_id: customer.customer_id });
  if (answer.status !== 200) throw new Error(`Not identified: ${JSON.stringify(answer.body)}`);
  return answer.body.cards;
}

/** Earns and lets the service apply it. @returns the transaction as it is read afterwards */
export async function earnAndApply(face: TestFace, body: Readonly<Record<string, unknown>>) {
  const accepted = await face.post('/transactions/earn', body);
  if (accepted.status !== 202) throw new Error(`Not accepted: ${JSON.stringify(accepted.body)}`);
  await face.advance(1000);
  return (await face.get(`/transactions/${accepted.body.transaction_id}`)).body;
}
