import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, writeReceipt } from '../support/ui-page.ts';
import { till, useUiTill } from '../support/use-ui-till.ts';

// Nothing of value is in the page: it may go at any moment, and the next one shows what the agent holds.
useUiTill();
let context: BrowserContext;
let address: string;

beforeAll(async () => {
  if (!hasChromium) return;
  context = till.page.context();
  address = till.page.url();
  await till.page.close();
});

async function open(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('[data-connection=online]').waitFor();
  return page;
}

/** How often the service holds something under each reference of this till, and in which state the screen shows it. */
async function held(reference: string): Promise<readonly string[]> {
  const { json } = await till.call<{ data: { intent: string }[] }>(
    `/transactions?external_ref=${encodeURIComponent(reference)}`,
  );
  return json.data.map(({ intent }) => intent);
}

async function confirmAndDie(operation: string, amount: string, receipt: string, afterMs: number): Promise<void> {
  const page = await open();
  await page.locator('#find-box').fill('LC-1001');
  await page.keyboard.press('Enter');
  await page.locator(`[data-operation=${operation}]`).click();
  await page.locator('#entry-amount').fill(amount);
  await writeReceipt(page, receipt);
  // Pressed twice in one breath, from within: no round trip stands between the press and the end.
  await page.evaluate(() => {
    for (let press = 0; press < 2; press += 1) document.querySelector<HTMLElement>('.entry-confirm')?.click();
  });
  await page.waitForTimeout(afterMs);
  await page.close({ runBeforeUnload: false });
}

describe.skipIf(!hasChromium).each([
  ['earn_points', 'earn'],
  ['redeem_points', 'redeem'],
] as const)('a page that dies in the middle of %s', (operation, intent) => {
  it.each(process.env.LONG_TESTS === '1' ? [0, 2, 10, 40, 200] : [0, 10, 200])(
    'after %i ms: the next one shows what the agent holds, done once or not at all',
    async (afterMs) => {
      const receipt = `${intent}-${afterMs}`;
      const amount = String(afterMs + 1);
      await confirmAndDie(operation, amount, receipt, afterMs);
      const page = await open();
      const row = page.locator(`.recent [data-ref$="-${receipt}"]`);
      // Whatever reached the agent comes to its end; nothing else shows.
      await page.waitForTimeout(200);
      const count = await row.count();
      expect(count).toBeLessThanOrEqual(1);
      if (count === 1) {
        await page.locator(`.recent [data-ref$="-${receipt}"][data-state=applied]`).waitFor();
        expect(await held((await row.getAttribute('data-ref')) ?? '')).toEqual([intent]);
        expect(await row.innerText()).toContain(amount);
      }
      await page.close();
    },
  );
});

it.skipIf(!hasChromium)('a sale that was confirmed long enough before the page died stands', async () => {
  await confirmAndDie('earn_points', '7', 'stands', 500);
  const page = await open();
  await page.locator('.recent [data-ref$="-stands"]').waitFor();
  await page.close();
});
