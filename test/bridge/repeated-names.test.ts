import { beforeEach, describe, expect, test } from 'vitest';
import type { CounterShop } from '../support/counter-shop.ts';
import { openBridgedShop, type ShopBridge } from '../support/open-shop.ts';

let shop: CounterShop;
let bridge: ShopBridge;
beforeEach(async () => {
  ({ shop, bridge } = await openBridgedShop());
});

const json = { 'content-type': 'application/json' };
const customer = '"identifier":{"loyalty_id":"LC-1001"}';
const earn = (rest: string) =>
  bridge.call('POST', '/v1/transactions/earn', `{${customer},"external_ref":"R-1",${rest}}`, json);

describe('a name that stands twice in one object of a body', () => {
  test.each([
    ['amount_minor', '"amount_minor":1,"amount_minor":2'],
    ['amount_minor', '"amount_minor":2,"amount_minor":2'],
    ['amount_minor', '"amount_minor":1,"note":"say \\"hi\\"","amount_minor":2'],
    ['amount_minor', '"amount_minor":1,"amount\\u005fminor":2'],
    ['external_ref', '"amount_minor":1,"external_ref":"R-2"'],
    ['loyalty_id', '"amount_minor":1,"metadata":{"loyalty_id":"LC-1002","loyalty_id":"LC-1003"}'],
    ['till', '"amount_minor":1,"metadata":{"lines":[{"till":1},{"till":1,"till":2}]}'],
    ['__proto__', '"amount_minor":1,"metadata":{"__proto__":1,"__proto__":2}'],
  ])('is 400 and named: %s in %s', async (field, rest) => {
    const reply = await earn(rest);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field, problem: 'must stand only once' }],
    });
    expect(shop.core.operationsByReference('R-1')).toEqual([]);
  });

  test('is 400 at a redemption and at a call that takes no body, and told in part where it is long', async () => {
    const twice = '"points":1,"points":40';
    const spent = await bridge.call(
      'POST',
      '/v1/transactions/redeem',
      `{${customer},"external_ref":"S-1",${twice}}`,
      json,
    );
    expect(spent.status).toBe(400);
    expect((await bridge.call('POST', '/v1/redemptions/res_1/release', '{"a":1,"a":1}', json)).status).toBe(400);
    const name = 'n'.repeat(5_000);
    const long = await earn(`"amount_minor":1,"${name}":1,"${name}":2`);
    expect(long.json.error.details[0].field).toBe('n'.repeat(100));
  });

  test('is none where the names belong to different objects, are values, or a text has quotes and braces in it', async () => {
    const reply = await earn(
      '"amount_minor":1,"metadata":{"amount_minor":"amount_minor","a":[{"b":1},{"b":1}],"c":{"a":"\\"a\\":{},[\\\\"}}',
    );
    expect(reply.status).toBe(202);
  });

  test('is looked for in a body of any depth', async () => {
    const depth = 200_000;
    const reply = await earn(`"amount_minor":1,"deep":${'['.repeat(depth)}"\\""${']'.repeat(depth)}`);
    expect(reply.status).toBe(202);
  });
});
