import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, type TestCustomer } from '../../support/service-customers.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';

describe.each(faces)('reading transactions, $name', ({ start }) => {
  let face: TestFace;
  let customer: TestCustomer;
  beforeEach(async () => {
    face = await start();
    customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
  });
  afterEach(() => face.close());

  async function earn(externalRef: string): Promise<string> {
    const body = { identifier: { customer_id: customer.customer_id }, external_ref: externalRef, points: 1 };
    return (await face.post('/transactions/earn', body)).body.transaction_id;
  }
  const history = (query = '') => face.get(`/customers/${customer.customer_id}/transactions${query}`);
  const idsOf = (rows: readonly { transaction_id: string }[]) => rows.map((row) => row.transaction_id);

  /** Every page of the history, newest first. @param between runs after each page */
  async function allIds(limit: number, between: (page: number) => Promise<void> = async () => undefined) {
    const seen: string[] = [];
    let cursor: string | null = null;
    let page = 0;
    do {
      const from: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { data, next_cursor: next } = (await history(`?limit=${limit}${from}`)).body;
      seen.push(...idsOf(data));
      cursor = next;
      await between(page);
      page += 1;
    } while (cursor !== null);
    return seen;
  }

  test('a transaction nobody made is 404 with details transaction_not_found', async () => {
    const answer = await face.get('/transactions/txn_nowhere');
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      retryable: false,
      details: ['transaction_not_found'],
    });
  });

  test('duplicate stands in no read', async () => {
    const id = await earn('R-1');
    for (const path of [`/transactions/${id}`, '/transactions?external_ref=R-1']) {
      expect(JSON.stringify((await face.get(path)).body)).not.toContain('duplicate');
    }
  });

  test('by reference: zero to many', async () => {
    const id = await earn('R 1/ö');
    expect((await face.get('/transactions?external_ref=nothing')).body).toEqual({ data: [] });
    const found = await face.get(`/transactions?external_ref=${encodeURIComponent('R 1/ö')}`);
    expect(idsOf(found.body.data)).toEqual([id]);
  });

  test.each([
    ['none', '', /external_ref: is required/],
    ['an empty one', '?external_ref=', /external_ref: must not be empty/],
    ['two', '?external_ref=a&external_ref=b', /external_ref: must stand only once/],
  ])('by reference with %s is 400', async (_, query, words) => {
    const answer = await face.get(`/transactions${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(words);
  });

  test('a history is newest first by creation, 25 to a page unless told', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) ids.push(await earn(`R-${index}`));
    const first = await history();
    expect(idsOf(first.body.data)).toEqual(ids.toReversed().slice(0, 25));
    const second = await history(`?cursor=${first.body.next_cursor}`);
    expect(idsOf(second.body.data)).toEqual(ids.toReversed().slice(25));
    expect(second.body.next_cursor).toBeNull();
  });

  test('a page that ends exactly at the last row has no next one', async () => {
    for (let index = 0; index < 4; index += 1) await earn(`R-${index}`);
    expect((await history('?limit=4')).body.next_cursor).toBeNull();
    expect((await history('?limit=3')).body.next_cursor).not.toBeNull();
  });

  test('a customer without transactions has an empty page, a stranger is 404', async () => {
    expect((await history()).body).toEqual({ data: [], next_cursor: null });
    const stranger = await face.get('/customers/cus_nowhere/transactions');
    expect(stranger.status).toBe(404);
    expect(stranger.body.error.code).toBe('CUSTOMER_NOT_FOUND');
    expect((await face.get('/customers/cus_nowhere/transactions?cursor=x')).status).toBe(404);
  });

  test.each(['0', '101', '-1', '2.5', 'many', ''])('limit=%s is 400', async (limit) => {
    const answer = await history(`?limit=${limit}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/^limit: /);
  });

  test("a cursor that is not this history's is 400", async () => {
    const other = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
    await earn('R-1');
    await earn('R-2');
    const { next_cursor: cursor } = (await history('?limit=1')).body;
    for (const bad of ['x', 'MQ', `${cursor}A`, cursor.slice(1)]) {
      const answer = await history(`?cursor=${bad}`);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/^cursor: /);
    }
    const foreign = await face.get(`/customers/${other.customer_id}/transactions?cursor=${cursor}`);
    expect(foreign.status).toBe(400);
  });

  test("a cursor that names another customer's row, or one that is gone, is 400", async () => {
    const other = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
    await earn('R-1');
    await earn('R-2');
    const { next_cursor: cursor } = (await history('?limit=1')).body;
    const [position] = Buffer.from(cursor, 'base64url').toString().split('.');
    const forged = Buffer.from(`${position}.${other.customer_id}`).toString('base64url');
    const foreign = await face.get(`/customers/${other.customer_id}/transactions?cursor=${forged}`);
    expect(foreign.status).toBe(400);
    expect(foreign.body.error.message).toMatch(/^cursor: /);
    const gone = Buffer.from(`99.${customer.customer_id}`).toString('base64url');
    expect((await history(`?cursor=${gone}`)).status).toBe(400);
  });

  test('the histories of customers who come in turns do not mix, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 20 }),
        async (limit, turns) => {
          await face.control('POST', '/reset', { fixtures: 'empty' });
          const customers: Awaited<ReturnType<typeof makeCustomer>>[] = [];
          for (let index = 0; index < 3; index += 1) {
            customers.push(await makeCustomer(face, [{ template_id: 'tpl_reward' }]));
          }
          const expected: string[][] = [[], [], []];
          for (const [number, who] of turns.entries()) {
            customer = customers[who] ?? customer;
            expected[who]?.unshift(await earn(`R-${number}`));
            // Refused, and so in nobody's history.
            const { loyalty_id } = customer.cards[0] ?? {};
            const refused = {
              identifier: { loyalty_id },
              external_ref: `B-${number}`,
              amount_minor: -1,
              currency: 'KWD',
            };
            expect((await face.post('/transactions/earn', refused)).status).toBe(400);
          }
          for (const [who, one] of customers.entries()) {
            customer = one;
            expect(await allIds(limit)).toEqual(expected[who]);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test('pages are stable while rows arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
        async (limit, arrivals) => {
          await face.control('POST', '/reset', { fixtures: 'empty' });
          customer = await makeCustomer(face, [{ template_id: 'tpl_reward' }]);
          const atFirst: string[] = [];
          for (let index = 0; index < 9; index += 1) atFirst.push(await earn(`R-${index}`));
          const seen = await allIds(limit, async (page) => {
            const arriving = arrivals[page % arrivals.length] ?? 0;
            for (let index = 0; index < arriving; index += 1) await earn(`N-${page}-${index}`);
          });
          expect(seen).toEqual(atFirst.toReversed());
        },
      ),
      { numRuns: 8 },
    );
  });
});
