import { expect, onTestFinished } from 'vitest';
import { serveCore } from './bridge-server.ts';
import { CounterShop } from './counter-shop.ts';

/** A bridge over a real socket in front of the core of a shop. */
export type ShopBridge = Awaited<ReturnType<typeof serveCore>>;

/** The time that a till takes to come online. */
const startDurationMs = 1_000;

/**
 * A shop that has come online. It ends with the test, which fails when the till has logged an error that the test has
 * not taken out of `errors`.
 */
export async function openShop(...wiring: ConstructorParameters<typeof CounterShop>): Promise<CounterShop> {
  const shop = new CounterShop(...wiring);
  onTestFinished(async () => {
    await shop.end();
    expect(shop.errors).toEqual([]);
  });
  await shop.pass(startDurationMs);
  return shop;
}

/** A shop with the bridge in front of it. Both end with the test, which fails when the bridge had a fault. */
export async function openBridgedShop(): Promise<{ readonly shop: CounterShop; readonly bridge: ShopBridge }> {
  const shop = await openShop();
  return { shop, bridge: endsWithTest(await serveCore(shop.core)) };
}

/** A bridge that ends with the test, which fails when it had a fault. */
export function endsWithTest(bridge: ShopBridge): ShopBridge {
  onTestFinished(async () => {
    await bridge.close();
    expect(bridge.faults).toEqual([]);
  });
  return bridge;
}
