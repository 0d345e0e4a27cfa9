import { describe, expect, it } from 'vitest';
import {
  agent,
  complaints,
  confirm,
  earns,
  find,
  findBox,
  lastSale,
  openSalePage,
  operations,
  outcome,
  page,
  recent,
} from '../support/sale-page.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { profileOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, axeFindings, hasChromium, scan } from '../support/ui-page.ts';

openSalePage();

describe.skipIf(!hasChromium)('the find box', () => {
  it('has the focus from the start, and takes what is typed while a button has it', async () => {
    await expect.poll(() => findBox().evaluate((box) => box === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'العربية' }).focus();
    await page.keyboard.type('99');
    expect(await findBox().inputValue()).toBe('99');
  });

  it('shows what it took the text for, and lets the cashier say otherwise', async () => {
    const pressed = (): Promise<string[]> => page.locator('.kind[aria-pressed=true]').allInnerTexts();
    await findBox().fill('99887766');
    expect(await pressed()).toEqual(['Phone']);
    await findBox().fill('ali@example.com');
    expect(await pressed()).toEqual(['E-mail']);
    await findBox().fill('99887766');
    await page.getByRole('button', { name: 'Card', exact: true }).click();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('No customer with this card').waitFor();
    const asked = agent.questions.filter(({ command }) => command === 'customer.find');
    expect(asked.at(-1)?.input).toEqual({ identifier: { loyalty_id: '99887766' } });
  });

  it('says who is not known, and earns by the card number all the same', async () => {
    await find('LC-9999');
    await page.getByText('No customer with this card').waitFor();
    await page.getByRole('button', { name: 'Earn by card number' }).click();
    await page.getByLabel('Amount').fill('3');
    await confirm().click();
    const sale = await lastSale();
    expect(earns()[0]?.input).toMatchObject({
      identifier: { loyalty_id: 'LC-9999' },
      amount_minor: 3000,
      customer_name: null,
    });
    expect(await recent().locator(`[data-ref="${sale.external_ref}"]`).innerText()).toContain('Waiting to send');
  });

  it('offers no earn for an unknown phone', async () => {
    await find('99990000');
    await page.getByText('No customer with this phone').waitFor();
    expect(await page.getByRole('button', { name: 'Earn by card number' }).count()).toBe(0);
  });

  it('writes with the keypad on the screen and keeps the focus meanwhile', async () => {
    await page.getByRole('button', { name: 'Keypad' }).click();
    for (const key of ['9', '9', '8', '+']) await page.locator(`.find-keypad [data-key="${key}"]`).click();
    await page.locator('.find-keypad [data-key=erase]').click();
    expect(await findBox().inputValue()).toBe('998');
  });
});

describe.skipIf(!hasChromium)('a scanner', () => {
  it('is no amount: an open dialog keeps its customer, the card waits, and comes after', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await scan(page, 'LC-1001');
    expect(await page.getByLabel('Amount').inputValue()).toBe('12.5');
    expect(earns()).toEqual([]);
    await page.getByText('This sale is for Yousef Al-Mutairi. The scanned card waits.').waitFor();
    await confirm().click();
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    expect(earns()[0]?.input).toMatchObject({ identifier: { customer_id: 'cus_02' }, amount_minor: 12_500 });
  });

  it('with a card pattern tells a product from a card', async () => {
    // Told with something that is seen: the pattern has come, too, when it is there.
    agent.setState({ card_pattern: 'LC-\\d{4}', device_name: 'Till 9' });
    await page.getByText('Till 9').waitFor();
    await scan(page, '4006381333931');
    await page.getByText('4006381333931 is not a loyalty card').waitFor();
    expect(agent.questions.some(({ command }) => command === 'customer.find')).toBe(false);
  });
});

describe.skipIf(!hasChromium)('a customer', () => {
  it('shows each card with its balances, and the chosen card\u2019s operations alone', async () => {
    const { stamp, discount, coupon } = demoCards;
    const profile = profileOf({ cards: [stamp, discount, coupon] });
    agent.customers.set('fatima@example.com', { source: 'service', profile });
    await find('fatima@example.com');
    const cards = page.getByRole('radiogroup', { name: 'Cards' });
    await cards.getByRole('radio', { name: 'Ten for One, 7 of 10 stamps, 1 reward ready' }).waitFor();
    expect(await cards.getByRole('radio', { name: 'Staff Discount, 0 visits', exact: true }).count()).toBe(1);
    expect(await operations().locator('[data-operation]').evaluateAll(operationsOf)).toEqual(stamp.allowed_operations);
    await cards.getByRole('radio', { name: /Welcome Coupon/ }).check();
    expect(await operations().locator('[data-operation]').evaluateAll(operationsOf)).toEqual(['redeem_coupon']);
    expect(await page.getByText('99887766').count()).toBe(0);
  });

  it('whose scanned card may be any of two has none chosen, no operation, and is told to choose', async () => {
    agent.customers.set('LC-1', {
      source: 'service',
      profile: profileOf({ cards: [demoCards.reward, demoCards.cashback] }),
    });
    await find('LC-1');
    await page.getByRole('status').getByText('Choose the card that the customer showed.').waitFor();
    const cards = page.getByRole('radiogroup', { name: 'Cards' });
    expect(await cards.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await operations().locator('[data-operation], .hollow').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await cards.getByRole('radio', { name: /Cashback Club/ }).check();
    await page.getByText('Choose the card that the customer showed.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Earn on purchase' }).click();
    await page.keyboard.type('31', { delay: 60 });
    await page.keyboard.press('Enter');
    await expect.poll(() => earns()[0]?.input).toMatchObject({ card_id: 'card_cashback', amount_minor: 31_000 });
  });

  it('has stamps towards the price that the shop has set, and whole letters as the sign of a name', async () => {
    agent.setState({ reward_goals: [{ card: 'Ten for One', each: 8, reward: 'a coffee' }] });
    const { stamp, discount } = demoCards;
    const profile = profileOf({ name: '\u{1F600} Ali', cards: [stamp, discount] });
    agent.customers.set('LC-1', { source: 'service', profile });
    await find('LC-1');
    await page.getByRole('radio', { name: 'Ten for One, 7 of 8 stamps, 1 reward ready' }).check();
    expect(await page.locator('.card-unit').first().textContent()).toBe('of 8 stamps');
    await operations().getByRole('button', { name: 'Add stamps' }).click();
    await page.getByText('· 7 of 8 stamps').waitFor();
    expect(await page.locator('.avatar').textContent()).toBe('\u{1F600}A');
  });

  it('kept from before says so with its age, and offline the others say what they need', async () => {
    agent.setState({ connection: { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } });
    agent.customers.set('LC-1', {
      source: 'kept',
      profile: profileOf({ cards: [demoCards.reward], balances_as_of: '2026-11-20T11:13:00.000Z' }),
    });
    await find('LC-1');
    await page.getByText('Balance from 14:13').waitFor();
    await page.getByText('2 rewards ready when the connection is back').waitFor();
    expect(await page.getByRole('status', { name: 'Connection' }).innerText()).toContain('Offline since 14:02');
    expect(await page.getByRole('button', { name: 'Earn on purchase', exact: true }).isEnabled()).toBe(true);
    const spend = page.getByRole('button', { name: 'Spend points', exact: true, description: 'Needs connection' });
    expect(await spend.isDisabled()).toBe(true);
  });

  it('has spending disabled with the reason without a line, and an unknown operation under its own name', async () => {
    const card = { ...demoCards.reward, allowed_operations: ['redeem_points', 'teleport'] };
    agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [card] }) });
    await find('LC-1');
    expect(await page.getByRole('button', { name: 'Spend points', exact: true }).isEnabled()).toBe(true);
    agent.setState({ connection: { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } });
    const why = { exact: true, description: 'Needs connection' } as const;
    await page.getByRole('button', { name: 'Spend points', ...why }).waitFor();
    expect(await page.getByRole('button', { name: 'Spend points', ...why }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'teleport', exact: true }).isDisabled()).toBe(true);
  });

  it('sees what they did last with a verb, and how far the next reward is; a late past is nobody else’s', async () => {
    const past = (id: string, change: object = {}) => ({
      transaction_id: id,
      intent: 'earn' as const,
      status: 'success' as const,
      card_id: 'card_reward',
      amount_minor: null,
      currency: 'KWD',
      points: null,
      stamps: null,
      visits: null,
      occurred_at: '2026-11-19T09:00:00.000Z',
      operation_id: null,
      given_name: null,
      ...change,
    });
    const transactions = [
      past('t1', { amount_minor: 5000 }),
      past('t2', { intent: 'redeem', given_name: 'Free coffee' }),
      past('t3', { intent: 'redeem', points: 30, occurred_at: '2026-11-14T09:00:00.000Z' }),
      past('t4', { amount_minor: 9000, status: 'failed' }),
    ];
    agent.pasts.set('cus_01', { source: 'service', as_of: '2026-11-20T14:13:00.000Z', transactions });
    agent.setState({ reward_goals: [{ card: 'Coffee Circle', each: 100, reward: null }] });
    const { promise, resolve } = Promise.withResolvers<null>();
    await find('LC-1001');
    await page.getByText('Last visit yesterday').waitFor();
    expect(await page.locator('.past-row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Earned KWD\s5.000\s+yesterday$/),
      expect.stringMatching(/^Gave Free coffee\s+yesterday$/),
      expect.stringMatching(/^Spent 30 points\s+14 Nov$/),
    ]);
    await page.getByText('54.5 more to the next reward').waitFor();
    // Hers again, and slowly: meanwhile the next customer is found.
    agent.answer = ({ command, input }) => {
      if (command !== 'customer.history' || !JSON.stringify(input).includes('cus_01')) return null;
      const last = { source: 'service', as_of: '2026-11-20T14:13:00.000Z', transactions };
      return promise.then(() => ({ ok: true, value: { last, operations: [] } }));
    };
    agent.customers.set('LC-2', {
      source: 'service',
      profile: profileOf({ customer_id: 'cus_03', name: 'Noura', cards: [{ ...demoCards.reward, card_id: 'card_3' }] }),
    });
    await page.keyboard.press('Escape');
    await find('LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await find('LC-2');
    await page.getByRole('heading', { name: 'Noura' }).waitFor();
    resolve(null);
    await page.waitForTimeout(100);
    expect(await page.locator('.past-row, .fact-old').count()).toBe(0);
    expect(await page.getByText('Last visit').count()).toBe(0);
  });

  it('who is known by a card’s number alone earns a stamp, and what is on its way stands beside the balance', async () => {
    agent.setState({ connection: { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } });
    await find('LC-9999');
    await operations().locator('[data-operation=earn_stamp]').click();
    await answerIsRead(page);
    await confirm().click();
    await lastSale();
    expect(earns()[0]?.input).toMatchObject({ identifier: { loyalty_id: 'LC-9999' }, stamps: 1 });
    agent.customers.set('LC-1', { source: 'kept', profile: profileOf({ cards: [demoCards.reward] }) });
    await find('LC-1');
    await operations().locator('[data-operation=earn_amount]').click();
    await page.getByLabel('Amount').fill('7.25');
    await confirm().click();
    await expect.poll(() => earns().length).toBe(2);
    await page.keyboard.press('Escape');
    await find('LC-1');
    await page.locator('.card .on-the-way').getByText('+ KWD\u00a07.250 on the way').waitFor();
    expect(await page.locator('.card-value').innerText()).toBe('245.5');
  });

  it('who comes late never replaces the one who was asked for after', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    agent.answer = ({ command, input }) => {
      const isFirst = command === 'customer.find' && JSON.stringify(input).includes('LC-1001');
      const profile = profileOf({ cards: [demoCards.reward] });
      return isFirst ? promise.then(() => ({ ok: true, value: { source: 'service', profile } })) : null;
    };
    await scan(page, 'LC-1001');
    await scan(page, 'LC-1002');
    await page.getByRole('dialog').waitFor();
    resolve();
    await page.waitForTimeout(100);
    expect(await page.getByRole('heading', { name: 'Yousef Al-Mutairi' }).count()).toBe(1);
  });
});

describe.skipIf(!hasChromium)('the line to the agent', () => {
  it('that is lost is said calmly, found again by itself, and everything is read again', async () => {
    agent.refusesLines = true;
    agent.dropLines();
    await page.getByRole('heading', { name: 'Reconnecting to Tillbridge' }).waitFor();
    expect(await page.getByRole('status', { name: 'Connection' }).innerText()).toContain('Reconnecting');
    agent.state = { ...agent.state, device_name: 'Counter 9' };
    agent.refusesLines = false;
    await page.getByText('Counter 9').waitFor();
    expect(await page.getByRole('heading', { name: 'Reconnecting to Tillbridge' }).count()).toBe(0);
  });

  it('that is lost during Confirm leaves the dialog, and Confirm again counts once', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    let cuts = 1;
    agent.answer = ({ command }) => {
      if (command === 'operation.earn' && cuts > 0) {
        cuts -= 1;
        setTimeout(() => agent.dropLines(), 20);
        return new Promise(() => undefined);
      }
      return null;
    };
    await confirm().click();
    await page.getByText('No answer from Tillbridge').waitFor();
    await page.locator('[data-connection=online]').waitFor();
    await confirm().click();
    await outcome().waitFor();
    const ids = new Set(earns().map(({ input }) => (input as { operation_id: string }).operation_id));
    expect([earns().length, ids.size]).toEqual([2, 1]);
  });
});

it.skipIf(!hasChromium)('the page never asks for what its policy forbids', async () => {
  await find('LC-1002');
  await page.getByLabel('Amount').fill('12.5');
  await confirm().click();
  await outcome().waitFor();
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(complaints).toEqual([]);
});

function operationsOf(buttons: readonly Element[]): (string | null)[] {
  return buttons.map((button) => button.getAttribute('data-operation'));
}

describe.skipIf(!hasChromium)('a page zoomed to 200 %', () => {
  const zoomed = [
    { width: 683, height: 384 },
    { width: 640, height: 400 },
  ];
  const box = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left, right, top, bottom };
      });

  /** Pairs of the bar's parts of which one lies over the other. */
  async function overlaps(): Promise<string[]> {
    const parts = ['.brand', '.find-box', '.connection', '.top-bar .more'];
    const boxes = await Promise.all(parts.map(box));
    return boxes.flatMap((one, index) =>
      boxes.flatMap((other, at) =>
        at > index && one.left < other.right - 0.5 && other.left < one.right - 0.5
          ? [`${parts[index]} and ${parts[at]}`]
          : [],
      ),
    );
  }

  /** What can be pressed and is smaller than a finger. */
  const tooSmall = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('button, .card, summary')].flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        const isShown = target.checkVisibility({ visibilityProperty: true }) && target.closest('[inert]') === null;
        return isShown && (width < 47.5 || height < 47.5)
          ? [`${target.className} ${Math.round(width)}x${Math.round(height)}`]
          : [];
      }),
    );

  async function isInSight(selector: string, height: number): Promise<boolean> {
    const { top, bottom } = await box(selector);
    return top >= 0 && bottom <= height + 0.5;
  }

  it.each(['en', 'ar'])('keeps the bar apart, and the act and every way on in sight, in %s', async (locale) => {
    if (locale === 'ar') await page.getByRole('button', { name: 'العربية' }).click();
    for (const { width, height } of zoomed) {
      await page.setViewportSize({ width, height });
      await page.locator('#find-box').fill('LC-1001');
      await page.keyboard.press('Enter');
      await page.locator('.card').first().waitFor();
      expect(await overlaps()).toEqual([]);
      expect(await tooSmall()).toEqual([]);
      expect(await isInSight('[data-operation=earn_amount]', height)).toBe(true);
      const others = page.locator('.act-others');
      await others.click();
      expect(await isInSight('[data-operation=redeem_reward]', height)).toBe(true);
      expect(await tooSmall()).toEqual([]);
      await page.locator('[data-operation=earn_amount]').click();
      await page.keyboard.type(String(height / 100), { delay: 60 });
      expect(await isInSight('.entry-confirm', height)).toBe(true);
      expect(await tooSmall()).toEqual([]);
      await confirm().click();
      await outcome().waitFor();
      expect(await isInSight('.next', height)).toBe(true);
      expect(await overlaps()).toEqual([]);
      expect(await tooSmall()).toEqual([]);
      await page.locator('.next').click();
    }
  });
});
