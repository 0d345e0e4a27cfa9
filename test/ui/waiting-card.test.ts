import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { firstIconPaths } from '../../renderer/components/first-icon-paths.ts';
import { entryWords as arabic } from '../../renderer/copy/ar/entry-words.ts';
import { entryWords as english } from '../../renderer/copy/en/entry-words.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { TillInput, TillReply } from '../../shared/till/api.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, holdOf, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, axeFindings, hasChromium, keysAreThere, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A redemption is being checked, and its customer waits at the counter. Meanwhile the next one's card is scanned.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

const [fatima, yousef, sami] = ['Fatima Al-Sabah', 'Yousef Al-Mutairi', 'Sami Haddad'];
const isChecked = `20 points for ${fatima}: Checking`;
const said = { en: english.entry, ar: arabic.entry } as const;
const outcome = () => page.locator('.outcome');
const note = () => page.locator('.outcome-slot .entry-note');
const customer = (name: string) => page.getByRole('heading', { name, exact: true });

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  know('LC-1001', fatima, demoCards.reward);
  know('LC-1002', yousef, demoCards.cashback);
  checkRedemptions(fatima, 20, 'card_reward');
});

/** From now on a redemption is of these points for this customer, and is being checked. */
function checkRedemptions(customer_name: string, points: number, card_id: string): void {
  agent.answer = ({ command, input }) => {
    if (command !== 'operation.redeem') return null;
    const { operation_id } = input as TillInput<'operation.redeem'>;
    const value = { amount_minor: null, currency: null, points, card_id, customer_name };
    agent.operations = [
      operationOf({ ...value, operation_id, intent: 'redeem', state: 'sending' }),
      ...agent.operations,
    ];
    agent.move(operation_id, 'unknown');
    return new Promise<TillReply<unknown>>(() => undefined);
  };
}

function know(loyaltyId: string, name: string | null, ...cards: readonly CardEntry[]): void {
  const profile = profileOf({ customer_id: `cus_${loyaltyId}`, name, cards: [...cards] });
  for (const known of [loyaltyId, profile.customer_id]) agent.customers.set(known, { source: 'service', profile });
}

/** Opens the screen, and there a redemption whose answer does not come. */
async function beginChecking(options: Parameters<typeof shared.open>[1] = {}): Promise<void> {
  ({ page } = await shared.open(agent, options));
  await scan(page, 'LC-1001');
  await customer(fatima).waitFor();
  await page.locator('[data-operation=redeem_points]').click();
  await page.locator('#entry-amount').fill('20');
  await page.keyboard.press('Enter');
  await page.locator('.outcome[data-state=unknown]').waitFor();
}

/** Scans the next customer's card, which waits. */
async function scanNext(): Promise<void> {
  await scan(page, 'LC-1002');
  await note().waitFor();
}

async function switchToNext(): Promise<void> {
  await page.getByRole('button', { name: english.entry.scanSwitchTo }).click();
  await customer(yousef).waitFor();
}

/** What stands above the customer when the outcome that named the waiting card is gone. */
const keptNote = (text: string) => page.locator('.customer .entry-note').getByText(text, { exact: true });

async function openAndCloseRow(): Promise<void> {
  await page.locator('.recent .row-open').last().click();
  await page.locator('.outcome-back').click();
}

describe.skipIf(!hasChromium)('a card scanned while a redemption is checked', () => {
  it.each([
    [1366, 768, 'en', 'light'],
    [1024, 600, 'ar', 'dark'],
  ] as const)('waits below the name of whose sale it is (%i by %i, %s)', async (width, height, locale, colorScheme) => {
    agent.setState({ locale });
    await beginChecking({ viewport: { width, height }, colorScheme });
    await scan(page, 'LC-1002');
    await note().getByText(said[locale].scanWaitsFor(fatima), { exact: true }).waitFor();
    expect([await customer(fatima).count(), await outcome().count(), await customer(yousef).count()]).toEqual([
      1, 1, 0,
    ]);
    expect(await axeFindings(page)).toEqual([]);
    // Both are seen whole.
    for (const part of [note(), outcome()]) {
      const box = await part.boundingBox();
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    }
    await note().getByRole('button', { name: said[locale].scanSwitchTo }).click();
    await customer(yousef).waitFor();
  });

  it.each([
    ['a row of Recent was opened and closed', openAndCloseRow],
    [
      'the refused redemption is paid in full',
      async () => {
        const error = { code: 'INSUFFICIENT_BALANCE', message: '', retryable: false, request_id: 'req' };
        agent.move(agent.operations[0]?.operation_id ?? '', 'refused', { error });
        await page.getByRole('button', { name: 'Full price' }).click();
      },
    ],
    ['another card was chosen by an arrow', () => page.keyboard.press('ArrowRight')],
  ])('is still named, and comes with one press, when %s', async (_, putOutcomeAway) => {
    know('LC-1001', fatima, demoCards.reward, demoCards.coupon);
    agent.operations = [operationOf({ external_ref: 'earlier', state: 'applied', customer_name: yousef })];
    await beginChecking();
    await scanNext();
    await keysAreThere(page);
    await putOutcomeAway();
    await outcome().waitFor({ state: 'detached' });
    await keptNote(english.entry.scanWaitsFor(fatima)).waitFor();
    await switchToNext();
  });

  it('is named beside an earlier sale that is open, as is the redemption', async () => {
    agent.operations = [operationOf({ external_ref: 'earlier', state: 'applied', customer_name: yousef })];
    await beginChecking();
    await scanNext();
    await page.locator('.recent .row-open').last().click();
    await outcome().getByText('KWD 12.500 added').waitFor();
    await keptNote(english.entry.cardWaits).waitFor();
    await keptNote(isChecked).waitFor();
    await switchToNext();
    await page.getByRole('dialog').getByText(`This sale is for ${yousef}. ${isChecked}`).waitFor();
  });

  it('comes after a paid order, which is told of beside the next customer, and then the redemption', async () => {
    know('LC-1003', sami, demoCards.cashback);
    const paid = operationOf({ operation_id: 'paid', intent: 'commit', state: 'applied', amount_minor: 2_000 });
    const { answer } = agent;
    agent.answer = (question) => {
      if (question.command === 'hold.list') return { ok: true, value: { holds: [holdOf()] } };
      if (question.command !== 'hold.commit') return answer(question);
      return { ok: true, value: { holds: [], operation: { ...paid, customer_name: sami } } };
    };
    await beginChecking();
    await scanNext();
    await page.getByRole('button', { name: 'Order paid' }).click();
    await page.locator('#entry-receipt').fill('ORD-1');
    await page.locator('.entry-confirm').click();
    await customer(yousef).waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`This sale is for ${yousef}. KWD 2.000 for ${sami}: Completed`).waitFor();
    // Until somebody can have read it.
    await page.waitForTimeout(600);
    await scan(page, 'LC-1003');
    await dialog.getByText(`This sale is for ${sami}. ${isChecked}`).waitFor();
  });

  it('takes no number that is being typed, and is named when the screen clears for it', async () => {
    await beginChecking();
    await scanNext();
    await page.keyboard.type('9988', { delay: 90 });
    agent.move(agent.operations[0]?.operation_id ?? '', 'applied');
    await page.locator('.outcome[data-state=applied]').waitFor();
    await page.keyboard.type('77', { delay: 90 });
    expect(await page.locator('#find-box').inputValue()).toBe('998877');
    await outcome().waitFor({ state: 'detached' });
    await keptNote(english.entry.cardWaits).waitFor();
    expect(await page.locator('#find-box').inputValue()).toBe('998877');
    await switchToNext();
  });

  it('comes for nobody while the screen is locked, and is named when it opens', async () => {
    await beginChecking();
    await scanNext();
    agent.setState({ has_cashiers: true, sign_in: 'locked' });
    await page.getByRole('dialog', { name: 'Locked' }).waitFor();
    agent.move(agent.operations[0]?.operation_id ?? '', 'applied');
    await page.waitForTimeout(200);
    expect(JSON.stringify(agent.questions)).not.toContain('LC-1002');
    agent.setState({ sign_in: null });
    await keptNote(english.entry.scanWaitsFor(fatima)).waitFor();
    await switchToNext();
  });

  it('comes when the answer is there, and the end of the redemption is told beside the next customer', async () => {
    await beginChecking();
    await scanNext();
    agent.move(agent.operations[0]?.operation_id ?? '', 'applied');
    await customer(yousef).waitFor();
    await page.getByRole('dialog').getByText(`20 points for ${fatima}: Completed`).waitFor();
  });

  it('is the next customer once the cashier may decide, with whose redemption it was above them', async () => {
    await beginChecking();
    agent.setState({ now: new Date(Date.parse(agent.state.now) + 16_000).toISOString() });
    await outcome().locator('.ways').waitFor();
    await scan(page, 'LC-1002');
    await customer(yousef).waitFor();
    const told = page.getByRole('dialog').locator('[data-passed=done]');
    await told.getByText(`This sale is for ${yousef}. ${isChecked}`).waitFor();
    expect(await told.locator('svg path').getAttribute('d')).toBe(firstIconPaths.hourglass);
  });
});

describe.skipIf(!hasChromium)('a redemption that is put away while it is checked', () => {
  const passed = () => page.locator('.customer .passed');
  const above = (text: string) => page.getByRole('dialog').getByText(`This sale is for ${yousef}. ${text}`);

  async function putAwayForYousef(): Promise<void> {
    await page.keyboard.press('ArrowRight');
    await scan(page, 'LC-1002');
    await above(isChecked).waitFor();
  }

  async function refuseRedemption(): Promise<void> {
    const { operation_id = '', external_ref = '' } = agent.operations.find(({ intent }) => intent === 'redeem') ?? {};
    agent.move(operation_id, 'refused');
    await page.locator(`.recent [data-ref="${external_ref}"][data-state=refused]`).waitFor();
  }

  beforeEach(async () => {
    if (!hasChromium) return;
    know('LC-1001', fatima, demoCards.reward, demoCards.coupon);
    know('LC-1003', sami, demoCards.cashback);
    agent.operations = [operationOf({ external_ref: 'earlier', state: 'applied', customer_name: yousef })];
    await beginChecking();
    await keysAreThere(page);
  });

  it.each([
    ['another card was chosen by an arrow', () => page.keyboard.press('ArrowRight')],
    ['a row of Recent was opened and closed', openAndCloseRow],
    [
      'an entry was opened and left',
      async () => {
        await page.locator('[data-operation=earn_amount]').click();
        await page.getByRole('dialog').getByText(`This sale is for ${fatima}. ${isChecked}`).waitFor();
        await page.keyboard.press('Escape');
      },
    ],
  ])('is told of in one line, and beside the next customer, with its end, when %s', async (_, putAway) => {
    await putAway();
    await passed().getByText(isChecked, { exact: true }).waitFor();
    expect([await outcome().count(), await customer(fatima).count()]).toEqual([0, 1]);
    await scan(page, 'LC-1002');
    await customer(yousef).waitFor();
    await above(isChecked).waitFor();
    agent.move(agent.operations[0]?.operation_id ?? '', 'refused');
    await above(`20 points for ${fatima}: Not done`).waitFor();
  });

  it('is told of until its end is known, however many customers come', async () => {
    await putAwayForYousef();
    await page.locator('#entry-amount').fill('3');
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    await scan(page, 'LC-1003');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`This sale is for ${sami}. ${isChecked}`).waitFor();
    agent.move(agent.operations.find(({ intent }) => intent === 'redeem')?.operation_id ?? '', 'applied');
    await dialog.getByText(`20 points for ${fatima}: Completed`).waitFor();
    await answerIsRead(page);
    await scan(page, 'LC-1002');
    await customer(yousef).waitFor();
    expect(await page.getByText(`20 points for ${fatima}: Completed`).count()).toBe(0);
  });

  it('has its end told beside the next customer when it comes while the outcome of another sale is shown', async () => {
    await putAwayForYousef();
    await page.locator('#entry-amount').fill('3');
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    await refuseRedemption();
    await scan(page, 'LC-1003');
    const told = page.getByRole('dialog').getByText(`This sale is for ${sami}. 20 points for ${fatima}: Not done`);
    await told.waitFor();
    await answerIsRead(page);
    await scan(page, 'LC-1002');
    await customer(yousef).waitFor();
    expect(await page.getByText(`20 points for ${fatima}: Not done`).count()).toBe(0);
  });

  it('has its end told later when it comes while a card waits for the end of an entry', async () => {
    await putAwayForYousef();
    await page.locator('#entry-amount').fill('3');
    await scan(page, 'LC-1003');
    await page.getByRole('dialog').getByText(english.entry.scanWaitsFor(yousef)).waitFor();
    await refuseRedemption();
    // Not Enter: one that comes so soon after the scan's own means the scan.
    await page.locator('.entry-confirm').click();
    await customer(sami).waitFor();
    await scan(page, 'LC-1002');
    await above(`20 points for ${fatima}: Not done`).waitFor();
  });

  it('does not hide for whom the sale is, where that customer has no name', async () => {
    know('LC-1005', null, demoCards.cashback);
    await page.keyboard.press('ArrowRight');
    await scan(page, 'LC-1005');
    const who = await page.locator('#entry-who bdi').textContent();
    expect(who).toContain('7766');
    await page.getByRole('dialog').getByText(`This sale is for ${who}. ${isChecked}`).waitFor();
    await page.locator('#entry-amount').fill('3');
    await scan(page, 'LC-1003');
    await page
      .getByRole('dialog')
      .getByText(english.entry.scanWaitsFor(who ?? ''))
      .waitFor();
  });

  it('is told of, with its end, also when another one was put away after it', async () => {
    know('LC-1004', sami, { ...demoCards.reward, card_id: 'card_third' });
    await page.keyboard.press('ArrowRight');
    await scan(page, 'LC-1004');
    await customer(sami).waitFor();
    checkRedemptions(sami, 30, 'card_third');
    await page.locator('[data-operation=redeem_points]').click();
    await page.locator('#entry-amount').fill('30');
    await page.keyboard.press('Enter');
    await page.locator('.outcome[data-state=unknown]').waitFor();
    await page.locator('.recent .row-open').last().click();
    await page.locator('.outcome-back').click();
    await passed().getByText(`30 points for ${sami}: Checking`, { exact: true }).waitFor();
    const [second, first] = agent.operations.filter(({ intent }) => intent === 'redeem');
    agent.move(first?.operation_id ?? '', 'refused');
    await passed().getByText(`20 points for ${fatima}: Not done`, { exact: true }).waitFor();
    await answerIsRead(page);
    await scan(page, 'LC-1002');
    await above(`30 points for ${sami}: Checking`).waitFor();
    agent.move(second?.operation_id ?? '', 'applied');
    await above(`30 points for ${sami}: Completed`).waitFor();
  });

  it('is told of once, where its row is open, and no more once the cashier has decided', async () => {
    await page.keyboard.press('ArrowRight');
    await passed().waitFor();
    agent.setState({ now: new Date(Date.parse(agent.state.now) + 16_000).toISOString() });
    await page.locator('.recent .row-open').first().click();
    await outcome().locator('.ways').waitFor();
    expect(await passed().count()).toBe(0);
    await page.locator('.outcome-back').click();
    await passed().getByText(isChecked, { exact: true }).waitFor();
    agent.move(agent.operations[0]?.operation_id ?? '', 'unknown', { decision: 'give_it' });
    // News comes in its order: once the page shows the new time it knows of the decision, too.
    const clock = page.locator('.top-clock');
    const before = await clock.innerText();
    agent.setState({ now: new Date(Date.parse(agent.state.now) + 120_000).toISOString() });
    await expect.poll(() => clock.innerText()).not.toBe(before);
    await scan(page, 'LC-1002');
    await customer(yousef).waitFor();
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => page.getByText(isChecked).count()).toBe(0);
  });
});
