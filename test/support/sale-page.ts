import type { Page } from 'playwright-core';
import { beforeEach } from 'vitest';
import type { OperationView } from '../../shared/till/views.ts';
import { demoCards } from './ui-demo-cards.ts';
import { type FakeAgent, profileOf } from './ui-fake-agent.ts';
import { hasChromium } from './ui-page.ts';
import { sharedBrowser } from './ui-shared-browser.ts';

/** Of the running test: an agent that knows two customers, and its sale screen. */
export let agent: FakeAgent;
export let page: Page;
/** What the page has complained of. */
export let complaints: string[];

/** Opens the sale screen before each test. */
export function openSalePage(): void {
  const shared = sharedBrowser();
  beforeEach(async () => {
    if (!hasChromium) return;
    agent = await shared.startAgent();
    agent.customers.set('LC-1001', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
    agent.customers.set('LC-1002', {
      source: 'service',
      profile: profileOf({ customer_id: 'cus_02', name: 'Yousef Al-Mutairi', cards: [demoCards.cashback] }),
    });
    ({ page, complaints } = await shared.open(agent));
  });
}

export const findBox = () => page.getByLabel('Scan or type a card, phone or e-mail');
export const operations = () => page.getByRole('group', { name: 'Operations' });
export const recent = () => page.getByRole('region', { name: 'Recent' });
export const confirm = () => page.locator('.entry-confirm');
export const outcome = () => page.locator('.outcome');
export const earns = () => agent.questions.filter(({ command }) => command === 'operation.earn');

export async function find(text: string): Promise<void> {
  await findBox().fill(text);
  await page.keyboard.press('Enter');
}

export async function lastSale(): Promise<OperationView> {
  await outcome().waitFor();
  const [operation] = agent.operations;
  if (operation === undefined) throw new Error('Nothing was sold');
  return operation;
}
