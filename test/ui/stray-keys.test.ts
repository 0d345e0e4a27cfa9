import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TillReply } from '../../shared/till/api.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, keysAreThere, pressAt, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// Nothing is lost by a key: who stood there and what was typed stay, or come back with one key.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  know('LC-1001', fatima, demoCards.reward);
  know('LC-1002', yousef, demoCards.cashback);
  know('LC-1003', sami, demoCards.stamp);
  know('LC-1004', nobodyEarns, demoCards.coupon);
  know('40063813', 'Digits Only', demoCards.reward);
  ({ page } = await shared.open(agent));
});

const [fatima, yousef, sami, nobodyEarns] = ['Fatima Al-Sabah', 'Yousef Al-Mutairi', 'Sami Haddad', 'Lucía Fernández'];
const hand = { delay: 90 };
const dialog = () => page.getByRole('dialog');
const amount = () => page.locator('#entry-amount');
const findBox = () => page.locator('#find-box');
const customer = (name: string) => page.getByRole('heading', { name, exact: true });
const outcome = () => page.locator('.outcome');

function know(loyaltyId: string, name: string, card: (typeof demoCards)[keyof typeof demoCards]): void {
  const profile = profileOf({ customer_id: `cus_${loyaltyId}`, name, cards: [card] });
  agent.customers.set(loyaltyId, { source: 'service', profile });
  agent.customers.set(profile.customer_id, { source: 'service', profile });
}

/** The answer about that card comes late: when it is told to. */
function holdBackAnswerOn(loyaltyId: string): { readonly come: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  agent.answer = ({ command, input }) =>
    command === 'customer.find' && JSON.stringify(input).includes(loyaltyId)
      ? promise.then((): TillReply<unknown> => ({ ok: true, value: agent.customers.get(loyaltyId) }))
      : null;
  return { come: resolve };
}

const earnIds = () =>
  agent.questions
    .filter(({ command }) => command === 'operation.earn')
    .map(({ input }) => (input as { operation_id?: string }).operation_id);

async function inFront(loyaltyId: string, name: string): Promise<void> {
  await scan(page, loyaltyId);
  await customer(name).waitFor();
}

describe.skipIf(!hasChromium)('a card scanned over an open dialog', () => {
  it('is the customer of what is typed next, while nothing was typed into it', async () => {
    await inFront('LC-1002', yousef);
    await dialog().getByText(yousef).waitFor();
    await page.waitForTimeout(50);
    await inFront('LC-1001', fatima);
    await page.keyboard.type('1.11', hand);
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    const earns = agent.questions.filter(({ command }) => command === 'operation.earn');
    expect(earns.map(({ input }) => input)).toMatchObject([
      { amount_minor: 1_110, identifier: { customer_id: 'cus_LC-1001' } },
    ]);
  });

  it('waits behind a sale that is named, and so is what became of it', async () => {
    await inFront('LC-1002', yousef);
    await amount().waitFor();
    await page.keyboard.type('1.11', hand);
    await page.waitForTimeout(50);
    await scan(page, 'LC-1001');
    await dialog().getByText(`This sale is for ${yousef}. The scanned card waits.`).waitFor();
    // An Enter right behind a scan's own is the scan's.
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await customer(fatima).waitFor();
    await page.locator('.outcome-slot').getByText(`KWD 1.110 for ${yousef}: Saved`).waitFor();
    expect(await outcome().count()).toBe(0);
  });

  it('that is the same again leaves one stamp ready to be replaced', async () => {
    await inFront('LC-1003', sami);
    await amount().waitFor();
    // The scanner's listener holds the same code for one scan within two seconds.
    await page.waitForTimeout(2_100);
    await scan(page, 'LC-1003');
    await page.keyboard.type('3', hand);
    expect(await amount().inputValue()).toBe('3');
  });
});

describe.skipIf(!hasChromium)('digits typed with a customer in front', () => {
  it('are the amount of their first earn, from the first digit on', async () => {
    await inFront('LC-1001', fatima);
    await page.keyboard.type('12.5', hand);
    await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
    expect(await amount().inputValue()).toBe('12.5');
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    expect(agent.questions.find(({ command }) => command === 'operation.earn')?.input).toMatchObject({
      amount_minor: 12_500,
      identifier: { customer_id: 'cus_LC-1001' },
    });
  });

  it('are so too while their first earn has the focus, as after Enter in the empty find box', async () => {
    await keysAreThere(page);
    await inFront('LC-1001', fatima);
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await page.locator('[data-operation=earn_amount]:focus').waitFor();
    await page.keyboard.type('12.5', hand);
    await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
    expect(await amount().inputValue()).toBe('12.5');
  });

  it('are no earn while another operation has the focus', async () => {
    await keysAreThere(page);
    await inFront('LC-1001', fatima);
    await page.locator('[data-operation=redeem_points]').focus();
    await page.keyboard.type('20', hand);
    await page.waitForTimeout(150);
    expect([await dialog().count(), await findBox().inputValue()]).toEqual([0, '20']);
  });

  it('are stamps where the card earns stamps', async () => {
    await inFront('LC-1003', sami);
    await page.keyboard.type('3', hand);
    await page.getByRole('dialog', { name: 'Add stamps' }).waitFor();
    expect(await amount().inputValue()).toBe('3');
  });

  it('leave the customer there where the card earns nothing', async () => {
    await inFront('LC-1004', nobodyEarns);
    await page.keyboard.type('12', hand);
    await page.waitForTimeout(150);
    expect(await dialog().count()).toBe(0);
    expect(await findBox().inputValue()).toBe('12');
    expect(await customer(nobodyEarns).count()).toBe(1);
  });

  it('that a scanner types are a card still', async () => {
    await inFront('LC-1001', fatima);
    await scan(page, '40063813');
    await customer('Digits Only').waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it('that a scanner types are a card also where a busy page gets most of them late, and leave no amount behind', async () => {
    await inFront('LC-1001', fatima);
    await scan(page, '40063813', { secondKeyLateByMs: 400 });
    await customer('Digits Only').waitFor();
    expect(await dialog().count()).toBe(0);
    await page.keyboard.press('Escape');
    await customer(fatima).waitFor();
    await page.getByRole('button', { name: 'Earn on purchase' }).click();
    expect(await amount().inputValue()).toBe('');
  });

  it('that a scanner types are a card also where the customer before arrives between two of them', async () => {
    const answer = holdBackAnswerOn('LC-1002');
    await scan(page, 'LC-1002');
    await page.locator('[data-stage=finding]').waitFor();
    const scanned = scan(page, '40063813', { secondKeyLateByMs: 600 });
    await expect.poll(() => findBox().inputValue()).toBe('4');
    answer.come();
    await customer(yousef).waitFor();
    await scanned;
    await customer('Digits Only').waitFor();
    await page.waitForTimeout(150);
    expect(await dialog().count()).toBe(0);
    expect(await page.getByText('The scanned card waits').count()).toBe(0);
  });

  it('of a late scan leave a sale whose answer was lost under its own number', async () => {
    agent.answer = ({ command }) =>
      command === 'operation.earn' ? { ok: false, error: { code: 'agent_gone', message: 'No answer came.' } } : null;
    await inFront('LC-1001', fatima);
    await page.keyboard.type('7.5', hand);
    await dialog().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => earnIds().length).toBe(1);
    await page.waitForTimeout(700);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await scan(page, '40063813', { secondKeyLateByMs: 400 });
    await customer('Digits Only').waitFor();
    agent.answer = () => null;
    await inFront('LC-1001', fatima);
    await page.getByRole('button', { name: 'Earn on purchase' }).click();
    expect(await amount().inputValue()).toBe('7.5');
    await page.waitForTimeout(700);
    await page.keyboard.press('Enter');
    await expect.poll(() => earnIds().length).toBeGreaterThan(1);
    expect(new Set(earnIds()).size).toBe(1);
  });

  it('while the customer is being looked up are kept for them', async () => {
    for (const [code, name, title] of [
      ['LC-1001', fatima, 'Earn on purchase'],
      ['LC-1002', yousef, 'Earn on purchase'],
    ] as const) {
      const answer = holdBackAnswerOn(code);
      await scan(page, code);
      await page.locator('[data-stage=finding]').waitFor();
      await page.keyboard.type('12', hand);
      answer.come();
      await customer(name).waitFor();
      await page.getByRole('dialog', { name: title }).waitFor();
      expect(await amount().inputValue()).toBe('12');
      await page.keyboard.press('Escape');
    }
  });

  it('while the customer is being looked up stay a phone number that is longer than an amount, to its last digit', async () => {
    know('99887766', sami, demoCards.stamp);
    const answer = holdBackAnswerOn('LC-1002');
    await scan(page, 'LC-1002');
    await page.locator('[data-stage=finding]').waitFor();
    await page.keyboard.type('9988776', hand);
    answer.come();
    await customer(yousef).waitFor();
    await page.keyboard.type('6', hand);
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await customer(sami).waitFor();
    expect(agent.questions.filter(({ command }) => command === 'operation.earn')).toEqual([]);
  });

  it('are kept when the trigger is pulled once more meanwhile', async () => {
    const answer = holdBackAnswerOn('LC-1002');
    await scan(page, 'LC-1002');
    await page.locator('[data-stage=finding]').waitFor();
    await page.keyboard.type('7', hand);
    await page.waitForTimeout(100);
    await scan(page, 'LC-1002');
    expect(await findBox().inputValue()).toBe('7');
    answer.come();
    await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
    expect(await amount().inputValue()).toBe('7');
  });

  it('after a sale begin the next customer, and nobody is cleared', async () => {
    await inFront('LC-1001', fatima);
    await page.keyboard.type('3', hand);
    await dialog().waitFor();
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    await page.keyboard.type('9988', hand);
    expect(await findBox().inputValue()).toBe('9988');
    expect([await outcome().count(), await customer(fatima).count()]).toEqual([1, 1]);
    // The screen clears for the next customer, whose number is half typed.
    await outcome().waitFor({ state: 'detached' });
    expect(await findBox().inputValue()).toBe('9988');
  });
});

describe.skipIf(!hasChromium)('a stray key', () => {
  it('clears nobody, and Escape takes it back', async () => {
    await inFront('LC-1001', fatima);
    await page.keyboard.type('x', hand);
    expect(await findBox().inputValue()).toBe('x');
    expect(await customer(fatima).count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await findBox().inputValue()).toBe('');
    expect(await customer(fatima).count()).toBe(1);
  });

  it('Escape itself is taken back by another', async () => {
    await inFront('LC-1001', fatima);
    await page.keyboard.press('Escape');
    await page.locator('[data-stage=idle]').waitFor();
    await page.keyboard.press('Escape');
    await customer(fatima).waitFor();
  });
});

describe.skipIf(!hasChromium)('Escape brings back who was just there', () => {
  it('after a card that nobody knows', async () => {
    await inFront('LC-1001', fatima);
    await scan(page, 'LC-9999');
    await page.locator('[data-missing]').waitFor();
    await page.keyboard.press('Escape');
    await customer(fatima).waitFor();
  });

  it('after somebody else’s card, as they are now', async () => {
    await inFront('LC-1001', fatima);
    await inFront('40063813', 'Digits Only');
    const richer = { ...demoCards.reward, balances: { ...demoCards.reward.balances, points: 999 } };
    know('LC-1001', fatima, richer);
    await page.keyboard.press('Escape');
    await customer(fatima).waitFor();
    await page.getByRole('radio', { name: /999 points/ }).waitFor();
  });

  it('while somebody else is being looked up, who then comes too late', async () => {
    await inFront('LC-1001', fatima);
    const answer = holdBackAnswerOn('LC-1003');
    await scan(page, 'LC-1003');
    await page.locator('[data-stage=finding]').waitFor();
    await page.keyboard.press('Escape');
    await customer(fatima).waitFor();
    answer.come();
    await page.waitForTimeout(100);
    expect(await customer(fatima).count()).toBe(1);
  });

  it('with what became of their sale, and not over the customer after them', async () => {
    await inFront('LC-1001', fatima);
    await page.keyboard.type('3', hand);
    await dialog().waitFor();
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-stage=idle]').waitFor();
    await page.keyboard.press('Escape');
    await customer(fatima).waitFor();
    await outcome().waitFor();
    await inFront('40063813', 'Digits Only');
    await page.keyboard.press('Escape');
    await page.locator('[data-stage=idle]').waitFor();
  });

  it('a product’s code throws nobody away', async () => {
    agent.setState({ card_pattern: 'LC-\\d{4}' });
    await inFront('LC-1001', fatima);
    await scan(page, '4006381333931');
    await page.getByText('4006381333931 is not a loyalty card').waitFor();
    expect(await customer(fatima).count()).toBe(1);
  });
});

describe.skipIf(!hasChromium)('after a phone number that nobody has', () => {
  const newCustomer = () => page.locator('[data-missing] [data-enroll]');
  const made = () => agent.questions.filter(({ command }) => /^customer\.(enroll|verify)$|^operation\./.test(command));

  beforeEach(async () => {
    if (!hasChromium) return;
    await keysAreThere(page);
    await page.keyboard.type('99887700', hand);
    await page.keyboard.press('Enter');
    await newCustomer().waitFor();
  });

  it('New customer is one arrow and one Enter away, with that number', async () => {
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-missing] [data-enroll]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#enroll-phone').waitFor();
    expect(await page.locator('#enroll-phone').inputValue()).toBe('99887700');
  });

  it('an arrow up goes back to the number, and digits are the next number', async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.locator('#find-box:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('9988', hand);
    expect(await findBox().inputValue()).toBe('9988');
    // The number has changed, so the customer would be another one.
    await page.keyboard.press('ArrowDown');
    await page.locator('#find-box:focus').waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it('digits and Enter look for somebody and make nobody, and Enter held down asks for no code', async () => {
    await page.keyboard.type('1', hand);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Enter', hand);
    expect(made()).toEqual([]);
    await page.keyboard.type('99887700', hand);
    await page.keyboard.press('Enter');
    await newCustomer().waitFor();
    await page.keyboard.press('ArrowDown');
    for (let times = 0; times < 6; times += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.locator('#enroll-phone').waitFor();
    expect(made()).toEqual([]);
  });
});

it.skipIf(!hasChromium)('the same card scanned again into its own customer’s sale is no other card', async () => {
  await inFront('LC-1002', yousef);
  await dialog().waitFor();
  await page.waitForTimeout(2_100);
  await scan(page, 'LC-1002');
  await page.waitForTimeout(100);
  expect(await page.getByText('A card was scanned').count()).toBe(0);
});

describe.skipIf(!hasChromium)('Enter pressed again and again', () => {
  it('while a sale is being saved leaves on the screen what became of it, until somebody has seen it', async () => {
    await keysAreThere(page);
    const { promise: isSaved, resolve: save } = Promise.withResolvers<null>();
    agent.answer = ({ command }) => (command === 'operation.earn' ? isSaved : null);
    await inFront('LC-1001', fatima);
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('12.5', hand);
    // The presses say themselves when they were: a busy machine makes no pause between them.
    let atMs = Date.now();
    const enterAfter = async (ms: number): Promise<void> => {
      atMs += ms;
      await pressAt(page, 'Enter', atMs);
    };
    await page.keyboard.press('Enter');
    for (let times = 0; times < 3; times += 1) await enterAfter(200);
    save(null);
    await outcome().waitFor();
    for (let times = 0; times < 5; times += 1) await enterAfter(200);
    await outcome().waitFor();
    expect(await dialog().count()).toBe(0);
    // Whoever waits a moment goes on as ever: to the operations, and into the first of them.
    await enterAfter(800);
    await page.locator('[data-operation=earn_amount]:focus').waitFor();
    await enterAfter(800);
    await amount().waitFor();
  });

  it('after a pause leaves it there, too', async () => {
    await keysAreThere(page);
    await inFront('LC-1001', fatima);
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('12.5', hand);
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    const pausedUntilMs = Date.now() + 800;
    for (let times = 0; times < 4; times += 1) await pressAt(page, 'Enter', pausedUntilMs + times * 90);
    expect(await dialog().count()).toBe(0);
    await outcome().waitFor();
  });
});

describe.skipIf(!hasChromium)('a reward chosen by its digit', () => {
  it('is the one that has the focus', async () => {
    await inFront('LC-1001', fatima);
    await page.locator('[data-operation=redeem_reward]').click();
    await dialog().getByRole('radio').first().waitFor();
    await page.keyboard.press('2');
    await dialog().getByRole('radio', { name: 'Free cake', checked: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest('[data-reward]')?.textContent)).toBe('Free cake');
  });
});
