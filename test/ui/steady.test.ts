import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();

const since = '2026-11-20T11:02:00.000Z';
const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req_1' };

/** Where everything is that a hand goes to without looking. */
const places = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.operation, .next, .key, .entry-foot .button, #find-box, .top-bar .button')].map(
      (target) => {
        const { x, y, width, height } = target.getBoundingClientRect();
        return `${target.textContent} ${[x, y, width, height].map(Math.round).join(' ')}`;
      },
    ),
  );

describe.skipIf(!hasChromium).each([
  [1024, 600],
  [1366, 768],
  [1920, 1080],
])('at %i by %i', (width, height) => {
  it('nothing that is pressed moves when a notice, a chip, a queue or an outcome comes', async () => {
    const agent = await shared.startAgent();
    agent.operations = [0, 1, 2].map((index) => operationOf({ external_ref: `R-${index}`, state: 'applied' }));
    agent.customers.set('fatima@example.com', {
      source: 'service',
      profile: profileOf({ cards: [demoCards.reward, demoCards.cashback] }),
    });
    const { page } = await shared.open(agent, { viewport: { width, height } });
    await page.locator('[data-ref=R-2]').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.locator('#find-box').fill('fatima@example.com');
    await page.keyboard.press('Enter');
    await page.locator('.operation').first().waitFor();
    // They are fetched with the first customer.
    await page.locator('.customer-head').waitFor({ state: 'attached' });
    await page.locator('.hold-button').waitFor({ state: 'attached' });
    const before = await places(page);

    agent.setState({ notices: [{ code: 'disk_nearly_full', free_bytes: 90 * 1024 * 1024 }] });
    await page.locator('[data-notice]').waitFor();
    expect(await places(page)).toEqual(before);

    agent.setState({
      notices: [],
      connection: { state: 'offline', cause: 'offline', since },
      operations: { ...agent.state.operations, queued: 1_203, refused: 14 },
      oldest_waiting_at: since,
      window: { hours: 72, seconds_left: 259_200, ends_at: '2026-11-23T11:02:00.000Z' },
    });
    await page.locator('[data-connection=offline]').waitFor();
    await page.locator('.queue').waitFor();
    expect(await places(page)).toEqual(before);

    agent.setState({
      connection: { state: 'online', cause: null, since },
      operations: { ...agent.state.operations, queued: 0, refused: 0 },
      oldest_waiting_at: null,
      window: { hours: 72, seconds_left: null, ends_at: null },
    });
    await page.locator('[data-connection=online]').waitFor();
    await page.locator('[data-operation=earn_amount]').click();
    await page.locator('#entry-amount').fill('12.5');
    await page.keyboard.press('Enter');
    await page.locator('.outcome[data-state=queued]').waitFor();
    expect(await places(page)).toEqual(before);
    agent.move(agent.operations[0]?.operation_id ?? '', 'refused', { error });
    await page.locator('.outcome[data-state=refused]').waitFor();
    expect(await places(page)).toEqual(before);

    // All of what became of it is seen, and the way on from there.
    const outcome = await page.locator('.outcome').boundingBox();
    const next = await page.locator('.next').boundingBox();
    expect((outcome?.y ?? height) + (outcome?.height ?? 0)).toBeLessThanOrEqual(height);
    expect((next?.y ?? height) + (next?.height ?? 0)).toBeLessThanOrEqual(height);
  });
});

describe.skipIf(!hasChromium).each([
  [683, 384],
  [1024, 600],
  [1366, 768],
  [1920, 1080],
])('at %i by %i', (width, height) => {
  it('a notice that comes while an amount is typed moves no key and no button', async () => {
    const agent = await shared.startAgent();
    agent.customers.set('fatima@example.com', {
      source: 'service',
      profile: profileOf({ cards: [demoCards.cashback] }),
    });
    const { page } = await shared.open(agent, { viewport: { width, height } });
    await page.locator('#find-box').fill('fatima@example.com');
    await page.keyboard.press('Enter');
    await page.locator('.pad .key').first().waitFor();
    // It is fetched with the first customer.
    await page.locator('.customer-head').waitFor({ state: 'attached' });
    await page.evaluate(() => document.fonts.ready);
    const before = await places(page);
    agent.setState({ notices: [{ code: 'disk_nearly_full', free_bytes: 90 * 1024 * 1024 }] });
    await page.locator('[data-notice]').waitFor({ state: 'attached' });
    expect(await places(page)).toEqual(before);
  });

  it('nor does what a POS program hands over meanwhile', async () => {
    const agent = await shared.startAgent();
    agent.customers.set('fatima@example.com', {
      source: 'service',
      profile: profileOf({ cards: [demoCards.cashback] }),
    });
    const { page } = await shared.open(agent, { viewport: { width, height } });
    await page.locator('#find-box').fill('fatima@example.com');
    await page.keyboard.press('Enter');
    await page.locator('.pad .key').first().waitFor();
    // It is fetched with the first customer.
    await page.locator('.customer-head').waitFor({ state: 'attached' });
    await page.locator('#entry-amount').fill('3');
    await page.evaluate(() => document.fonts.ready);
    const before = await places(page);
    const handed = { id: 'h-1', amount_minor: 12_500, currency: 'KWD', receipt_number: null };
    agent.setState({ handed_over: handed });
    await page.locator('[data-beside=handed-over]').waitFor({ state: 'attached' });
    expect(await places(page)).toEqual(before);
    expect(await page.locator('#entry-amount').inputValue()).toBe('3');
  });
});

it.skipIf(!hasChromium)('says that sales wait though the line works, when many in a row were refused', async () => {
  const agent = await shared.startAgent({ connection: { state: 'online', cause: 'refused', since } });
  const { page } = await shared.open(agent);
  await page.getByRole('status', { name: 'Connection' }).getByText('Sales wait: many were refused').waitFor();
});

it.skipIf(!hasChromium)(
  'shows the next customer from the top, however far down the last one’s cards were',
  async () => {
    const agent = await shared.startAgent();
    agent.customers.set('fatima@example.com', {
      source: 'service',
      profile: profileOf({ cards: Object.values(demoCards) }),
    });
    agent.customers.set('LC-2', {
      source: 'service',
      profile: profileOf({ customer_id: 'cus_02', name: 'Sami Haddad', cards: Object.values(demoCards) }),
    });
    const { page } = await shared.open(agent, { viewport: { width: 1024, height: 600 } });
    await page.locator('#find-box').fill('fatima@example.com');
    await page.keyboard.press('Enter');
    await page.locator('.card').first().waitFor();
    await page.locator('.customer').evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    await page.locator('#find-box').fill('LC-2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sami Haddad' }).waitFor();
    expect(await page.locator('.customer').evaluate((panel) => panel.scrollTop)).toBe(0);
  },
);
