import { describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// Somebody checks in at the customers' screen just as the cashier begins the next customer's number.
const shared = sharedBrowser();
const phone = '+96599887766';

describe.skipIf(!hasChromium)('the number of the next customer that is typed as somebody checks in', () => {
  it.each([
    ['into the find box', ['earn_amount', 'redeem_amount']],
    ['where their card opens an entry by itself', ['earn_amount']],
  ])('is looked for, and is no amount of whoever checked in: %s', async (_where, allowed_operations) => {
    const agent = await shared.startAgent({ display: { check_in: null } });
    const cards = [{ ...demoCards.cashback, allowed_operations }];
    agent.customers.set(phone, { source: 'service', profile: profileOf({ cards }) });
    const { page } = await shared.open(agent);
    await expect.poll(() => agent.questions.some(({ command }) => command === 'display.show')).toBe(true);
    // The first key is pressed in the moment in which the customer is put in front.
    await page.evaluate(() => {
      const press = (): void => {
        const field = document.activeElement;
        if (document.querySelector('[data-stage=customer]') === null || !(field instanceof HTMLInputElement)) return;
        seen.disconnect();
        field.value = '4';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      const seen = new MutationObserver(press);
      seen.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    agent.setState({ display: { check_in: { id: 'check-in-1', phone } } });
    await expect.poll(() => page.locator('#find-box').inputValue()).toBe('4');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await page.locator('[data-stage=missing]').waitFor();
    const asked = (name: string) => agent.questions.filter(({ command }) => command === name).map(({ input }) => input);
    expect(asked('customer.find')).toEqual([{ identifier: { phone } }, { identifier: { loyalty_id: '42' } }]);
    expect(asked('operation.earn')).toEqual([]);
  });
});
