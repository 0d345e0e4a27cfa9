import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CustomerProfile } from '../../shared/contract/profile.ts';
import type { TillReply } from '../../shared/till/api.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, pressAt, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// Keys that come before the screen is there for them: they wait for whom they are meant, or they do nothing.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
let answerFind: () => void;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  know('LC-1001', 'Fatima Al-Sabah', [demoCards.reward]);
  know('LC-1002', 'Yousef Al-Mutairi', [demoCards.cashback]);
  know('LC-1003', 'Sami Haddad', [demoCards.stamp]);
  know('LC-1004', 'Lucía Fernández', [demoCards.coupon]);
  ({ page } = await shared.open(agent));
});

const hand = { delay: 60 };
const dialog = () => page.getByRole('dialog');
const amount = () => page.locator('#entry-amount');
const findBox = () => page.locator('#find-box');
const asked = (command: string) => agent.questions.filter((question) => question.command === command);
const lookUps = () => asked('customer.find').map(({ input }) => input);

function know(loyaltyId: string, name: string, cards: CustomerProfile['cards']): void {
  const profile = profileOf({ customer_id: `cus_${loyaltyId}`, name, cards });
  agent.customers.set(loyaltyId, { source: 'service', profile });
}

/** Scans a card whose customer is shown only once `answerFind` is called. */
async function scanSlowly(code: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  answerFind = () => resolve(null);
  agent.answer = ({ command, input }) =>
    command === 'customer.find' && JSON.stringify(input).includes(code)
      ? promise.then((): TillReply<unknown> => {
          const value = agent.customers.get(code);
          return value === undefined ? failure('customer_not_found') : { ok: true, value };
        })
      : null;
  await scan(page, code);
  await page.locator('[data-stage=finding]').waitFor();
}

describe.skipIf(!hasChromium)('F1', () => {
  it('opens the help as soon as the screen is there, whatever has not come yet, and is never left to the browser', async () => {
    await page.route('**/assets/at-rest-*', (route) => route.abort());
    await page.reload();
    await page.locator('[data-connection=online]').waitFor();
    await page.evaluate(() => {
      addEventListener('keydown', (event) => {
        if (!event.defaultPrevented) document.title = `${event.key} was left`;
      });
    });
    await page.keyboard.press('F1');
    await page.locator('dialog.help button:focus').waitFor();
    await page.keyboard.press('F1');
    expect([await dialog().count(), await page.title()]).toEqual([1, 'Tillbridge']);
  });
});

describe.skipIf(!hasChromium)('an amount and Enter while a customer is looked up', () => {
  it.each(['LC-1001', 'LC-1002'])('are the sale of the customer that was scanned: %s', async (code) => {
    await scanSlowly(code);
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(50);
    expect(asked('operation.earn')).toEqual([]);
    answerFind();
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([
      { identifier: { customer_id: `cus_${code}` }, amount_minor: 3_450 },
    ]);
    expect(lookUps()).toEqual([{ identifier: { loyalty_id: code } }]);
  });

  it('are so however long the amount is, and after a digit was taken back', async () => {
    await scanSlowly('LC-1002');
    await page.keyboard.type('1234.557', hand);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('6', hand);
    await page.keyboard.press('Enter');
    answerFind();
    await dialog().getByText('1,234.556').first().waitFor();
    expect(asked('operation.earn')).toEqual([]);
    // The question can be answered once somebody can have read it.
    await page.locator('.entry-confirm[aria-disabled=false]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([{ amount_minor: 1_234_556 }]);
  });

  it('send nothing when nobody has the card, and say so of the card', async () => {
    await scanSlowly('LC-9999');
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    answerFind();
    await page.locator('[data-missing]').getByText('LC-9999').waitFor();
    await page.getByRole('alert').getByText('KWD 3.450 was not taken: the customer was not found.').waitFor();
    expect(await findBox().inputValue()).toBe('LC-9999');
    expect([asked('operation.earn').length, lookUps().length]).toEqual([0, 1]);
  });

  it('search for nobody when the answer came before the Enter', async () => {
    await scanSlowly('LC-9999');
    await page.keyboard.type('3.4', hand);
    answerFind();
    await page.locator('[data-missing]').waitFor();
    await page.keyboard.type('5', hand);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
    expect(await page.locator('[data-missing]').getByText('LC-9999').count()).toBe(1);
    expect([await findBox().inputValue(), lookUps().length]).toEqual(['LC-9999', 1]);
  });

  it('search for nobody where the card earns nothing', async () => {
    await scanSlowly('LC-1004');
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    answerFind();
    await page.getByRole('heading', { name: 'Lucía Fernández' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
    expect([await findBox().inputValue(), lookUps().length, asked('operation.earn').length]).toEqual(['3.45', 1, 0]);
    expect(await page.getByRole('heading', { name: 'Lucía Fernández' }).count()).toBe(1);
  });

  it('are told as not taken where a low screen shows it without a hand', async () => {
    await page.setViewportSize({ width: 1024, height: 600 });
    const coupons = ['1', '2', '3', '4', '5', '6'].map((id) => ({ ...demoCards.coupon, card_id: `card_coupon_${id}` }));
    know('LC-1004', 'Lucía Fernández', coupons);
    await scanSlowly('LC-1004');
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    answerFind();
    const told = page.getByRole('alert').filter({ hasText: 'was not taken: this card earns nothing.' });
    await told.waitFor();
    const box = await told.boundingBox();
    expect((box?.y ?? 600) + (box?.height ?? 0)).toBeLessThanOrEqual(600);
  });

  it('wait for their customer when the trigger is pulled once more', async () => {
    await scanSlowly('LC-1002');
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(2_100);
    await scan(page, 'LC-1002');
    answerFind();
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([{ amount_minor: 3_450 }]);
  });

  it('are the sale of whom they were entered for, and another card scanned since waits for it', async () => {
    await scanSlowly('LC-1001');
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await scan(page, 'LC-1002');
    await page.waitForTimeout(100);
    expect([lookUps().length, await findBox().inputValue()]).toEqual([1, '3.45']);
    answerFind();
    await dialog().getByText('Yousef Al-Mutairi').first().waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([
      { identifier: { customer_id: 'cus_LC-1001' }, amount_minor: 3_450 },
    ]);
    expect(await amount().inputValue()).toBe('');
    // The news cover the name above, so they say whose sale this is.
    await dialog().getByText('This sale is for Yousef Al-Mutairi. KWD 3.450 for Fatima Al-Sabah').waitFor();
  });

  it('are gone with the Escape that takes them back', async () => {
    await scanSlowly('LC-1002');
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    answerFind();
    await dialog().waitFor();
    await page.waitForTimeout(150);
    expect([await amount().inputValue(), asked('operation.earn').length]).toEqual(['', 0]);
  });

  it('leave a phone number a search', async () => {
    await scanSlowly('LC-1002');
    await page.keyboard.type('99887766', hand);
    await page.keyboard.press('Enter');
    await expect.poll(() => lookUps()[1]).toEqual({ identifier: { phone: '99887766' } });
  });
});

describe.skipIf(!hasChromium)('an amount and Enter while the agent is asked whether a scanned code is a badge', () => {
  const nobody: TillReply<unknown> = { ok: true, value: { cashier: null } };
  beforeEach(async () => {
    if (!hasChromium) return;
    agent.setState({ has_cashiers: true });
    agent.answer = ({ command }) => (command === 'cashier.switch' ? nobody : null);
    ({ page } = await shared.open(agent));
  });
  /** Scans a code of which the agent says whose badge it is only when the returned function is called. */
  async function scanUnknown(code: string, cashier: { readonly name: string } | null): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<null>();
    const before = asked('cashier.switch').length;
    agent.answer = ({ command }) =>
      command === 'cashier.switch' ? promise.then((): TillReply<unknown> => ({ ok: true, value: { cashier } })) : null;
    await scan(page, code);
    await expect.poll(() => asked('cashier.switch').length).toBe(before + 1);
    return () => resolve(null);
  }
  const earns = () => asked('operation.earn').map(({ input }) => input);

  it.each([
    ['another’s entry is open', 'LC-1002'],
    ['nobody is in front', null],
  ])('are the sale of the customer who was scanned, where %s before', async (_, before) => {
    if (before !== null) {
      await scan(page, before);
      await amount().waitFor();
    }
    const answerBadge = await scanUnknown('LC-1001', null);
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect(earns()).toEqual([]);
    answerBadge();
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ identifier: { customer_id: 'cus_LC-1001' }, amount_minor: 3_450 }]);
  });

  it('go on where the answer came in the middle of them', async () => {
    await scan(page, 'LC-1002');
    await amount().waitFor();
    const answerBadge = await scanUnknown('LC-1001', null);
    await page.keyboard.type('3.4', hand);
    answerBadge();
    await dialog().getByText('Fatima Al-Sabah').first().waitFor();
    await page.keyboard.type('5', hand);
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ identifier: { customer_id: 'cus_LC-1001' }, amount_minor: 3_450 }]);
  });

  it('are the sale of the customer in front where it is a badge', async () => {
    await scan(page, 'LC-1002');
    await amount().waitFor();
    const answerBadge = await scanUnknown('BADGE-0007', { name: 'Sara' });
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect(earns()).toEqual([]);
    answerBadge();
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ identifier: { customer_id: 'cus_LC-1002' }, amount_minor: 3_450 }]);
  });

  it('send nothing where the code is nobody’s, and stay', async () => {
    agent.setState({ card_pattern: 'LC-[0-9]{4}' });
    ({ page } = await shared.open(agent));
    await scan(page, 'LC-1002');
    await amount().waitFor();
    const answerBadge = await scanUnknown('PRODUCT-17', null);
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    answerBadge();
    await page.locator('.find-hint').filter({ hasText: 'PRODUCT-17' }).waitFor({ state: 'attached' });
    expect([await amount().inputValue(), earns().length]).toEqual(['3.45', 0]);
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ identifier: { customer_id: 'cus_LC-1002' } }]);
  });
});

describe.skipIf(!hasChromium)('the parts of an entry that are loaded later', () => {
  beforeEach(async () => {
    if (!hasChromium) return;
    // They never come.
    await page.route(/\/assets\/(asked|letter-keys|spend-fields)[^/]*\.js/, () => undefined);
    await page.reload({ waitUntil: 'commit' });
    await page.locator('[data-connection=online]').waitFor();
  });

  it('keep no key of a receipt number waiting', async () => {
    await scan(page, 'LC-1002');
    await amount().waitFor();
    await page.keyboard.type('3.45', hand);
    await dialog().getByRole('button', { name: 'Receipt no.' }).click();
    await page.keyboard.type('R-17');
    expect(await page.locator('#entry-receipt').inputValue()).toBe('R-17');
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([
      { amount_minor: 3_450, receipt_number: 'R-17' },
    ]);
  });

  it('lose no digit of a PIN', async () => {
    agent.answer = ({ command, input }) =>
      command === 'operation.earn' && !JSON.stringify(input).includes('"pin"')
        ? Promise.resolve(failure('pin_needed'))
        : null;
    await scan(page, 'LC-1002');
    await amount().waitFor();
    await page.keyboard.type('3.45', hand);
    await page.keyboard.press('Enter');
    await expect.poll(() => asked('operation.earn').length).toBe(1);
    await page.keyboard.type('4711', hand);
    await dialog().getByRole('button', { name: 'Earn KWD 3.450' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').at(-1)?.input).toMatchObject({ amount_minor: 3_450, pin: '4711' });
  });
});

describe.skipIf(!hasChromium)('a dialog that has just opened', () => {
  it('takes no Enter of somebody who cannot have read it', async () => {
    const scannedAtMs = Date.now();
    await scan(page, 'LC-1003');
    await dialog().waitFor();
    await pressAt(page, 'Enter', scannedAtMs + 150);
    await page.waitForTimeout(400);
    expect([await dialog().count(), asked('operation.earn').length]).toEqual([1, 0]);
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([{ stamps: 1 }]);
  });

  it('takes the Enter after digits at once', async () => {
    await scan(page, 'LC-1003');
    await amount().waitFor();
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(asked('operation.earn').map(({ input }) => input)).toMatchObject([{ stamps: 3 }]);
  });
});
