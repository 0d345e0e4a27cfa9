import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Transaction } from '../../shared/contract/transaction.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import { Shop } from '../support/core-shop.ts';
import { type Act, answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

// A cache before the service tells look-ups by their path alone: whichever reference is asked for, it gives what it has.

const decider = { person: 'Huda', reason: 'asked by the customer' };

let shop: Shop;
/** How look-ups are answered; null: by the service. */
let lookUps: ((request: SeenRequest) => Act) | null;
/** What becomes of the first redemption. */
let redemption: 'recorded, its answer lost' | 'lost';
beforeEach(async () => {
  lookUps = null;
  redemption = 'recorded, its answer lost';
  shop = await Shop.open();
  onTestFinished(async () => {
    await shop.end();
    expect(shop.errors).toEqual([]);
  });
  shop.service.script = (request) => {
    if (request.url.endsWith('/transactions/redeem')) return redeemed(request);
    return request.call === 'by_reference' && lookUps !== null ? lookUps(request) : answer;
  };
  await shop.until(() => shop.core.status().connection.state === 'online');
});

function redeemed({ body }: SeenRequest): Act {
  const { external_ref, points }: { external_ref: string; points: number } = JSON.parse(body);
  const earlier = shop.service.recorded.get(external_ref);
  if (earlier !== undefined) {
    return { kind: 'say', status: 200, body: JSON.stringify({ ...earlier, duplicate: true }) };
  }
  if (redemption === 'lost') return { kind: 'lose_request' };
  const now = toInstant(shop.clock.now());
  const transaction: Transaction = {
    transaction_id: `txn_of_${external_ref}`,
    intent: 'redeem',
    status: 'success',
    external_ref,
    customer_id: 'cus_1',
    card_id: 'card_1',
    amount_minor: null,
    currency: null,
    points,
    stamps: null,
    visits: null,
    new_balances: null,
    error: null,
    occurred_at: now,
    completed_at: now,
  };
  shop.service.recorded.set(external_ref, transaction);
  return { kind: 'lose_request' };
}

/** A redemption whose answer does not come, and for which nobody waits. */
async function redeem(externalRef = 'R-1'): Promise<void> {
  const identifier = { loyalty_id: 'LC-1' };
  const outcome = shop.core.perform(
    {
      origin: 'till',
      operationId: `press-${externalRef}`,
      intent: 'redeem',
      path: '/transactions/redeem',
      body: { identifier, external_ref: externalRef, points: 40 },
      externalRef,
      identifier,
      customerName: null,
      idempotencyKey: null,
      reversesRowId: null,
    },
    { waitMs: 0 },
  );
  expect(await outcome).toMatchObject({ kind: 'unknown' });
}

async function sold(externalRef: string): Promise<void> {
  await shop.saved(externalRef, { identifier: { loyalty_id: 'LC-2' } });
  await shop.passUntil(() => shop.state(externalRef) === 'applied');
}

function says(body: object, headers: Readonly<Record<string, string>> = {}): Act {
  return { kind: 'say', status: 200, body: JSON.stringify(body), headers };
}

const dated = (atMs: number) => ({ date: new Date(atMs).toUTCString() });
const looksFor = (externalRef: string) =>
  shop.service.requests.filter((one) => one.call === 'by_reference' && one.externalRef === externalRef).length;

/** An empty list, as the answer to a look at the line is, with headers that show nothing wrong. */
const caches = {
  'gives each answer a Date of its own': async () => {
    lookUps = () => says({ data: [] }, { ...dated(shop.clock.now()), 'x-request-id': 'req_kept' });
  },
  'has answered alike since the till was started': async () => {
    const date = dated(shop.clock.now());
    lookUps = () => says({ data: [] }, { ...date, 'x-request-id': 'req_kept' });
    await shop.pass(20_000);
    await shop.stop();
    shop.start();
    await shop.pass(20_000);
  },
  'is refilled by other tills all the time': async () => {
    lookUps = () => {
      const atMs = 10_000 * Math.floor(shop.clock.now() / 10_000);
      return says({ data: [] }, { ...dated(atMs), 'x-request-id': `req_${atMs}` });
    };
  },
};

describe.each(Object.entries(caches))('while a cache that leaves out the query %s', (_, begins) => {
  test('no redemption that was recorded is cancelled; it is applied once look-ups tell', async () => {
    await sold('R-0');
    await begins();
    await redeem();
    await shop.pass(1_200_000, 1_000);
    expect(shop.state('R-1')).toBe('unknown');
    lookUps = null;
    await shop.passUntil(() => shop.state('R-1') === 'applied');
  });

  test('one that was decided to be given is finished', async () => {
    await sold('R-0');
    await begins();
    await redeem();
    await shop.core.decide('press-R-1', 'give_it');
    await shop.pass(60_000);
    expect(shop.state('R-1')).toBe('applied');
  });

  test('a till that knows of nothing at the service does as the list says', async () => {
    await begins();
    await redeem();
    await shop.pass(120_000);
    expect(shop.state('R-1')).toBe('cancelled');
  });
});

test('a cache that takes in a new answer between two look-ups cancels no redemption', async () => {
  await sold('R-0');
  let kept: object = { data: [] };
  lookUps = ({ externalRef }) => {
    if (externalRef === 'R-0') kept = { data: [shop.service.recorded.get('R-0')] };
    return says(kept, dated(shop.clock.now()));
  };
  await redeem();
  await shop.pass(1_200_000, 1_000);
  expect(looksFor('R-0')).toBe(1);
  expect(shop.state('R-1')).toBe('unknown');
});

test('a sale is sent under another reference only where look-ups show what the books hold', async () => {
  shop.service.failing.add('R-1');
  await sold('R-0');
  await shop.pass(31_000);
  const { operationId } = await shop.saved('R-1');
  await shop.passUntil(() => shop.state('R-1') === 'failed');
  lookUps = () => says({ data: [] }, dated(shop.clock.now()));
  expect(await shop.core.replace(operationId, decider)).toMatchObject({ kind: 'books_unread' });
  lookUps = null;
  expect(await shop.core.replace(operationId, decider)).toMatchObject({ kind: 'done' });
});

describe('a redemption that never arrived', () => {
  beforeEach(async () => {
    redemption = 'lost';
    await sold('R-0');
    await sold('R-00');
  });

  test('is cancelled at the cost of one look-up more', async () => {
    await redeem();
    await shop.passUntil(() => shop.state('R-1') === 'cancelled');
    expect(looksFor('R-00')).toBe(1);
    expect(looksFor('R-0')).toBe(0);
  });

  test('is proven absent by no record of another key', async () => {
    await shop.stop();
    shop.start({ apiKey: 'loyalty_pk_test_other' });
    await redeem();
    await shop.passUntil(() => shop.state('R-1') === 'cancelled');
    expect(looksFor('R-00')).toBe(0);
  });

  test('is cancelled as soon where a service has lost its books', async () => {
    shop.service.recorded.clear();
    await redeem();
    await shop.pass(60_000);
    expect(shop.state('R-1')).toBe('cancelled');
    expect(looksFor('R-00')).toBe(1);
  });

  test('is cancelled when a sale stands in new books', async () => {
    shop.service.recorded.clear();
    await sold('R-2');
    await shop.pass(31_000);
    await redeem();
    await shop.pass(60_000);
    expect(shop.state('R-1')).toBe('cancelled');
    expect([looksFor('R-00'), looksFor('R-2')]).toEqual([0, 1]);
  });

  test.each([
    ['is too many', refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '30' } })],
    ['is cut', { kind: 'lose_request' }],
    ['fails', refusal(503, 'INTERNAL')],
    ['is refused', refusal(422, 'VALIDATION_ERROR')],
    ['is answered with another one’s list', 'another'],
  ] as const)('stays unknown while the look-up of what is known %s', async (_, act) => {
    lookUps = ({ externalRef }) => {
      if (externalRef !== 'R-00') return answer;
      return act === 'another' ? says({ data: [shop.service.recorded.get('R-0')] }) : act;
    };
    await redeem();
    await shop.pass(600_000, 1_000);
    expect(looksFor('R-00')).toBeGreaterThan(0);
    expect(shop.state('R-1')).toBe('unknown');
    lookUps = null;
    await shop.passUntil(() => shop.state('R-1') === 'cancelled');
  });

  test('is proven absent by no sale that the service’s lists may not show yet', async () => {
    await shop.pass(31_000);
    await redeem();
    await shop.pass(25_000);
    await sold('R-2');
    await shop.passUntil(() => shop.state('R-1') === 'cancelled');
    expect([looksFor('R-00'), looksFor('R-2')]).toEqual([1, 0]);
  });

  test('stays unknown while nothing tells whether the books have lost what is known', async () => {
    lookUps = ({ externalRef }) => (externalRef === 'R-00' ? says({ data: [] }) : answer);
    const { script } = shop.service;
    shop.service.script = (request) => (request.call === 'transaction' ? { kind: 'lose_request' } : script(request));
    await redeem();
    await shop.pass(600_000, 1_000);
    expect(shop.state('R-1')).toBe('unknown');
  });
});
