import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();

/** Where two things begin that stand side by side, seen from the end of the line. */
const startsBeside = (page: Page, icon: string, name: string): Promise<number> =>
  page.evaluate(
    ([first, second]) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(second ?? '') ?? document.body);
      const tile = document.querySelector(first ?? '')?.getBoundingClientRect();
      return Math.abs((tile?.left ?? 0) - range.getBoundingClientRect().right);
    },
    [icon, name],
  );

describe.skipIf(!hasChromium).each([
  ['en', 1024, 600],
  ['en', 1366, 768],
  ['ar', 1024, 600],
  ['ar', 1366, 768],
] as const)('Recent in %s at %i by %i', (locale, width, height) => {
  it('says whose sale it is in full, and every row is one button, as high as the others', async () => {
    const agent = await shared.startAgent({ locale });
    agent.operations = ['Fatima Al-Sabah', 'Yousef Al-Mutairi'].map((customer_name, index) =>
      operationOf({
        external_ref: `main-till1-20261122-00001${index}`,
        state: 'applied',
        customer_name,
        // Of today: what stands beside the name is the time alone.
        occurred_at: agent.state.now,
        undo: index === 0 ? 'reverse' : null,
      }),
    );
    const { page } = await shared.open(agent, { viewport: { width, height } });
    const rows = page.locator('.recent .sale-row');
    if (width < 1280) await page.locator('.recent-toggle').click();
    await page.locator('.row-open').nth(1).waitFor();
    for (const who of await page.locator('.row-who').all()) {
      expect(await who.evaluate((name) => name.scrollWidth <= name.clientWidth || name.clientWidth === 0)).toBe(true);
    }
    const sizes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(new Set(sizes).size).toBe(1);
  });
});

it.skipIf(!hasChromium)('a redemption that ended unseen says that nothing was deducted', async () => {
  const agent = await shared.startAgent();
  agent.operations = [operationOf({ external_ref: 'R-1', intent: 'redeem', state: 'cancelled', error: null })];
  const { page } = await shared.open(agent);
  await page.locator('[data-ref=R-1]').getByText('Nothing was deducted').waitFor();
});

it.skipIf(!hasChromium).each([
  ['en', 'Not reversed', 'Nothing was deducted'],
  ['ar', 'لم تُسترجع العملية', 'لم يُخصم شيء'],
] as const)(
  'an undo without a connection says so in %s, and not that nothing was deducted',
  async (locale, said, wrong) => {
    const agent = await shared.startAgent({ locale });
    agent.operations = [operationOf({ external_ref: 'R-1', intent: 'redeem', state: 'applied', undo: 'reverse' })];
    agent.answer = ({ command }) => (command === 'operation.reverse' ? failure('not_sent') : null);
    const { page } = await shared.open(agent);
    await page.locator('[data-ref=R-1] .row-open').click();
    await page.locator('.outcome-choices .button-primary').click();
    await page.locator('.outcome').getByText(said).waitFor();
    expect(await page.locator('.outcome').textContent()).not.toContain(wrong);
  },
);

it.skipIf(!hasChromium)(
  'an undo whose answer was lost is pressed again, and nobody says that it was kept',
  async () => {
    const agent = await shared.startAgent();
    agent.operations = [operationOf({ external_ref: 'R-1', intent: 'redeem', state: 'applied', undo: 'reverse' })];
    agent.answer = ({ command }) => (command === 'operation.reverse' ? failure('agent_gone') : null);
    const { page } = await shared.open(agent);
    await page.locator('[data-ref=R-1] .row-open').click();
    const press = page.locator('.outcome-choices .button-primary');
    await press.click();
    const outcome = page.locator('.outcome');
    await outcome.getByText('It may be reversed already.').waitFor();
    expect(await outcome.textContent()).not.toContain('The sale counts once');
    expect(await outcome.getByRole('button', { name: 'Keep' }).count()).toBe(0);
    await press.click();
    const presses = () => agent.questions.filter(({ command }) => command === 'operation.reverse');
    await expect.poll(() => presses().length).toBe(2);
    expect(presses()[1]).toEqual(presses()[0]);
  },
);

it.skipIf(!hasChromium)('a redemption is minded though twenty sales came after it', async () => {
  const agent = await shared.startAgent();
  const card = demoCards.cashback;
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [card] }) });
  const spent = (ref: string, change: object) =>
    operationOf({ external_ref: ref, intent: 'redeem', card_id: card.card_id, amount_minor: 1_000, ...change });
  const at = (minute: number) => `2026-11-20T14:${String(minute).padStart(2, '0')}:00.000Z`;
  const sales = Array.from({ length: 20 }, (_, index) =>
    operationOf({ external_ref: `S-${index}`, state: 'applied', saved_at: at(12), updated_at: at(12) }),
  );
  const known = spent('R-1', { state: 'applied', saved_at: at(5), updated_at: at(5) });
  const old = spent('R-0', { state: 'applied', saved_at: at(1), updated_at: at(1) });
  agent.operations = [...sales, known, old];
  const { page } = await shared.open(agent);
  await page.locator('.recent .sale-row').nth(19).waitFor();
  expect(await page.locator('.recent .sale-row').count()).toBe(20);
  for (const { operation_id } of sales) agent.move(operation_id, 'applied');
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  const redeem = page.locator('[data-operation=redeem_amount]');
  await redeem.click();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await page.getByText('KWD 1.000 again?').waitFor();
  await answerIsRead(page);
  await page.keyboard.press('Escape');

  agent.operations = [...sales, spent('R-2', { state: 'unknown', saved_at: at(1), updated_at: at(1) })];
  agent.dropLines();
  await page.locator('.recent [data-ref=R-2]').waitFor();
  for (const { operation_id } of sales) agent.move(operation_id, 'applied');
  expect(await redeem.isDisabled()).toBe(true);
  await page.locator('.recent [data-ref=R-2] .row-open').click();
  await page.getByRole('button', { name: 'Take full payment' }).waitFor();
});

it.skipIf(!hasChromium)('a reward with an English name stands beside its icon on an Arabic screen', async () => {
  const agent = await shared.startAgent({ locale: 'ar' });
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
  const { page } = await shared.open(agent);
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  await page.locator('[data-operation=redeem_reward]').click();
  await page.locator('.choice-row').first().waitFor();
  expect(await startsBeside(page, '.choice-row .icon', '.choice-name')).toBeLessThan(40);
});

it.skipIf(!hasChromium)(
  'a refused redemption is corrected on its own card, though another was chosen since',
  async () => {
    const agent = await shared.startAgent();
    const other = { ...demoCards.reward, card_id: 'card_other', template_name: 'Second card' };
    agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward, other] }) });
    const error = { code: 'INSUFFICIENT_BALANCE', message: '', retryable: false, request_id: 'r' };
    const spent = { intent: 'redeem', amount_minor: null, currency: null, points: 40, card_id: 'card_reward' } as const;
    agent.operations = [operationOf({ ...spent, external_ref: 'R-1', state: 'cancelled', error })];
    const { page } = await shared.open(agent);
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Second card' }).click();
    await page.locator('.recent [data-ref=R-1] .row-open').click();
    await page.getByRole('button', { name: 'Correct the amount' }).click();
    await page.locator('#entry-amount').fill('3');
    await page.keyboard.press('Enter');
    const spends = () => agent.questions.filter(({ command }) => command === 'operation.redeem');
    await expect
      .poll(() => spends().map(({ input }) => Reflect.get(Object(input), 'card_id')))
      .toEqual(['card_reward']);
  },
);
