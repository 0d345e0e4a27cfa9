import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, holdOf, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, keysAreThere } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A kiosk's browser stays open while the agent is updated: what the page has not fetched yet is gone.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
let loads = 0;

/** Longer than the page waits for rest. */
const longEnoughMs = 4_000;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
  ({ page } = await shared.open(agent));
  await keysAreThere(page);
  loads = 0;
  page.on('load', () => (loads += 1));
});

/** The agent ends and comes back as another version. */
async function update(): Promise<void> {
  agent.state = { ...agent.state, version: '0.2.0' };
  agent.dropLines();
  await page.locator('[data-link=lost]').waitFor();
  await page.locator('[data-link=open]').waitFor();
}

describe.skipIf(!hasChromium)('the page of a browser, when the agent comes back as another version', () => {
  it('is loaded anew at rest, once', async () => {
    await update();
    await expect.poll(() => loads).toBe(1);
    await page.locator('[data-connection=online]').waitFor();
    await page.waitForTimeout(longEnoughMs);
    expect(loads).toBe(1);
  });

  it('stays where the agent comes back as the same', async () => {
    agent.dropLines();
    await page.locator('[data-link=lost]').waitFor();
    await page.locator('[data-link=open]').waitFor();
    await page.waitForTimeout(longEnoughMs);
    expect(loads).toBe(0);
  });

  it('stays during an entry, and while somebody is in front or being typed, until that is over', async () => {
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('12', { delay: 60 });
    await update();
    await page.waitForTimeout(longEnoughMs);
    expect(await page.locator('#entry-amount').inputValue()).toBe('12');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForTimeout(longEnoughMs);
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await page.locator('.next').click();
    await page.locator('#find-box').fill('5');
    await page.waitForTimeout(longEnoughMs);
    expect(loads).toBe(0);
    await page.locator('#find-box').fill('');
    await expect.poll(() => loads).toBe(1);
  });

  it('is loaded anew though a number was looked for, where what should be shown about it cannot come', async () => {
    await page.route('**/assets/missing-*', (route) => route.fulfill({ status: 404 }));
    await update();
    await page.locator('#find-box').fill('+96555512345');
    await page.keyboard.press('Enter');
    await page.locator('[data-stage=missing]').waitFor();
    await expect.poll(() => loads).toBe(1);
    await page.unroute('**/assets/missing-*');
    await page.locator('[data-connection=online]').waitFor();
    await page.locator('#find-box').fill('+96555512345');
    await page.keyboard.press('Enter');
    await page.getByText('No customer with this phone').waitFor();
  });

  it('stays on another screen, where something may be typed, though a part of the page cannot come', async () => {
    agent.answer = ({ command }) => (command === 'settings.read' ? failure('pin_needed') : null);
    await page.route('**/assets/notices-*', (route) => route.fulfill({ status: 404 }));
    await page.locator('.more').click();
    await page.locator('.screen-entry[data-to=settings]').click();
    const pin = page.locator('#settings-pin');
    await pin.fill('47');
    await update();
    agent.setState({ notices: [{ code: 'key_changed', waiting: 1 }] });
    await page.waitForTimeout(longEnoughMs);
    expect([loads, await pin.inputValue()]).toEqual([0, '47']);
  });

  it('stays while a manager’s PIN for an undo is typed, though the list of holds cannot come', async () => {
    const sold = operationOf({ external_ref: 'R-9', state: 'applied', undo: 'reverse' });
    agent.answer = ({ command }) => {
      if (command === 'hold.list') return { ok: true, value: { holds: [holdOf()] } };
      return command === 'operation.reverse' ? failure('pin_needed') : null;
    };
    agent.operations = [sold];
    await page.route('**/assets/held-list-*', (route) => route.fulfill({ status: 404 }));
    await update();
    await page.locator('.recent [data-ref="R-9"]').getByRole('button').click();
    await page.getByRole('button', { name: 'Undo the sale' }).click();
    const pin = page.locator('.outcome input[type=password]');
    await pin.waitFor();
    await page.keyboard.type('47', { delay: 60 });
    await page.waitForTimeout(longEnoughMs);
    expect([loads, await pin.inputValue()]).toEqual([0, '47']);
  });

  it('stays where the agent does not serve it yet, for the browser would show an error for good', async () => {
    await page.route('**/', (route) => route.fulfill({ status: 503 }));
    await update();
    await page.waitForTimeout(longEnoughMs);
    expect(loads).toBe(0);
    await page.unroute('**/');
    await expect.poll(() => loads).toBe(1);
  });
});
