import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { cardOperations } from '../../shared/contract/card-names.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  ({ page } = await shared.open(agent));
});

const cardWith = (allowed: readonly string[], cardId: string): CardEntry => ({
  ...demoCards.reward,
  card_id: cardId,
  template_name: cardId,
  allowed_operations: [...allowed],
});

let customers = 0;
async function bring(cards: readonly CardEntry[]): Promise<void> {
  customers += 1;
  const email = `customer-${customers}@example.com`;
  const profile = profileOf({ customer_id: `cus_9${customers}`, name: `Customer ${customers}`, cards: [...cards] });
  agent.customers.set(email, { source: 'service', profile });
  await page.keyboard.press('Escape');
  await page.locator('#find-box').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Customer ${customers}`, exact: true }).waitFor();
}

const buttons = (): Promise<readonly (string | null)[]> =>
  page.locator('[data-operation]').evaluateAll((all) => all.map((one) => one.getAttribute('data-operation')));

const isLong = process.env.LONG_TESTS === '1';
const subsetCount = 2 ** cardOperations.length;

/** Subsets of the ten, by their bits: every 17th and the whole; with LONG_TESTS=1 all, as unit/renderer/operations has them. */
const subsets = Array.from({ length: subsetCount }, (_, bits) => bits)
  .filter((bits) => isLong || bits % 17 === 0 || bits === subsetCount - 1)
  .map((bits) => cardOperations.filter((_operation, index) => (bits & (1 << index)) !== 0));

describe.skipIf(!hasChromium)('the buttons of a card', () => {
  it('are exactly what it allows, in the specification’s order, whichever of the subsets it is', async () => {
    const partSize = 64;
    for (let from = 0; from < subsets.length; from += partSize) {
      const part = subsets.slice(from, from + partSize);
      // As the service might write them: in any order.
      await bring(part.map((allowed, index) => cardWith(allowed.toReversed(), `card_${from + index}`)));
      // The code of the cards may come after the first customer's name.
      await expect.poll(() => page.locator('input.card-radio').count()).toBe(part.length);
      const shown = await page.evaluate(async () => {
        const seen: (string | null)[][] = [];
        for (const radio of document.querySelectorAll<HTMLInputElement>('input.card-radio')) {
          radio.click();
          await new Promise((resolve) => setTimeout(resolve));
          const all = document.querySelectorAll('[data-operation]');
          seen.push([...all].map((one) => one.getAttribute('data-operation')));
        }
        return seen;
      });
      expect(shown).toEqual(part);
    }
  });

  it('are none where nothing is allowed, and that is said', async () => {
    await bring([cardWith([], 'card_none')]);
    expect(await buttons()).toEqual([]);
    await page.getByRole('group', { name: 'Operations' }).locator('.hollow').waitFor();
  });

  it('show an operation that nobody knows here under its own name, disabled, after the others', async () => {
    await bring([
      cardWith(['gift_card_topup', 'redeem_points', 'earn_amount'], 'card_new'),
      cardWith(['earn_visit'], 'x'),
    ]);
    expect(await buttons()).toEqual(['earn_amount', 'redeem_points', 'gift_card_topup']);
    const unknown = page.locator('[data-operation=gift_card_topup]');
    expect(await unknown.isDisabled()).toBe(true);
    expect(await unknown.innerText()).toContain('gift_card_topup');
  });

  it('are those of the card that is chosen, when several can take the sale', async () => {
    await bring([
      cardWith(['earn_amount', 'redeem_points'], 'first'),
      cardWith(['earn_points', 'earn_stamp'], 'second'),
    ]);
    expect(await buttons()).toEqual(['earn_amount', 'redeem_points']);
    await page.getByRole('radio').nth(1).check({ force: true });
    expect(await buttons()).toEqual(['earn_points', 'earn_stamp']);
    await page.locator('[data-operation=earn_points]').click();
    await page.locator('#entry-amount').fill('3');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => agent.questions.find(({ command }) => command === 'operation.earn')?.input)
      .toMatchObject({ card_id: 'second', points: 3 });
  });
});
