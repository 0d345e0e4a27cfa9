import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { earnInputSchema } from '../../shared/till/api.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
let complaints: string[];

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

const findBox = () => page.getByLabel('Scan or type a card, phone or e-mail');
const operations = () => page.getByRole('group', { name: 'Operations' });
const recent = () => page.getByRole('region', { name: 'Recent' });
const confirm = () => page.locator('.entry-confirm');
const outcome = () => page.locator('.outcome');
const earns = () => agent.questions.filter(({ command }) => command === 'operation.earn');

async function find(text: string): Promise<void> {
  await findBox().fill(text);
  await page.keyboard.press('Enter');
}

async function lastSale(): Promise<OperationView> {
  await outcome().waitFor();
  const [operation] = agent.operations;
  if (operation === undefined) throw new Error('Nothing was sold');
  return operation;
}

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
    expect(agent.questions.at(-1)?.input).toEqual({ identifier: { loyalty_id: '99887766' } });
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
    agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [stamp, discount, coupon] }) });
    await find('LC-1');
    const cards = page.getByRole('radiogroup', { name: 'Cards' });
    await cards.getByRole('radio', { name: 'Ten for One, 7 of 10 stamps, 1 reward ready' }).waitFor();
    expect(await cards.getByRole('radio', { name: 'Staff Discount, 0 visits', exact: true }).count()).toBe(1);
    expect(await operations().locator('[data-operation]').evaluateAll(operationsOf)).toEqual(stamp.allowed_operations);
    await cards.getByRole('radio', { name: /Welcome Coupon/ }).check();
    expect(await operations().locator('[data-operation]').evaluateAll(operationsOf)).toEqual(['redeem_coupon']);
    expect(await page.getByText('99887766').count()).toBe(0);
  });

  it('kept from before says so with its age, and offline the others say what they need', async () => {
    agent.setState({ connection: { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } });
    agent.customers.set('LC-1', {
      source: 'kept',
      profile: profileOf({ cards: [demoCards.reward], balances_as_of: '2026-11-20T11:13:00.000Z' }),
    });
    await find('LC-1');
    await page.getByText('Saved on this till 3 hours ago').waitFor();
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

describe.skipIf(!hasChromium)('an earn', () => {
  it('is asked for once however often Confirm is pressed', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    let release: (reply: null) => void = () => undefined;
    const slow = new Promise<null>((resolve) => {
      release = resolve;
    });
    agent.answer = ({ command }) => (command === 'operation.earn' ? slow.then(() => failure('queue_full')) : null);
    await confirm().dblclick();
    await page.keyboard.press('Enter');
    release(null);
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    expect(earns()).toHaveLength(1);
  });

  it('that was saved although the answer was lost shows the value that stands', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    let lost = true;
    agent.answer = ({ command, input }) => {
      if (command !== 'operation.earn' || !lost) return null;
      lost = false;
      agent.operations = [
        operationOf({ operation_id: earnInputSchema.parse(input).operation_id, amount_minor: 12_500 }),
      ];
      return failure('not_saved');
    };
    await confirm().click();
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    await page.getByLabel('Amount').fill('13.75');
    await confirm().click();
    expect(await outcome().innerText()).toMatch(/Already saved with KWD\s*12\.500/);
    expect(await outcome().innerText()).not.toContain('13.750');
  });

  it('has its dialog rehearsed while nobody looks: nothing of it stays, and the find box keeps the focus', async () => {
    await page.addInitScript(() => {
      // Told at the end of the very task in which it was made.
      new MutationObserver((records) => {
        for (const { addedNodes } of records) {
          for (const node of addedNodes) {
            if (!(node instanceof HTMLElement) || !node.classList.contains('rehearsal')) continue;
            performance.mark('rehearsal', { detail: node.isConnected ? 'left' : 'gone' });
          }
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    const rehearsals = () =>
      page.evaluate(() => performance.getEntriesByName('rehearsal').map((mark) => Reflect.get(mark, 'detail')));
    await expect.poll(rehearsals).toEqual(['gone']);
    expect(await page.locator('#entry-amount').count()).toBe(0);
    await expect.poll(() => findBox().evaluate((box) => box === document.activeElement)).toBe(true);
    await find('LC-1001');
    await operations().waitFor();
    expect(await rehearsals()).toEqual(['gone']);
    expect(complaints).toEqual([]);
  });

  it('opens its dialog by itself when nothing is left to choose, and Escape cancels it', async () => {
    await find('LC-1002');
    await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(earns()).toEqual([]);
  });

  it('echoes the amount in all its decimals, from keys, keypad and Arabic digits', async () => {
    await find('LC-1002');
    const echo = page.locator('.echo');
    await page.getByLabel('Amount').fill('12');
    expect(await echo.innerText()).toMatch(/KWD\s*12\.000/);
    await page.getByLabel('Amount').fill('١٢٫٥');
    expect(await echo.innerText()).toMatch(/KWD\s*12\.500/);
    await page.getByLabel('Amount').fill('');
    for (const key of ['7', '.', '2', '5']) await page.locator(`.entry [data-key="${key}"]`).click();
    expect(await echo.innerText()).toMatch(/KWD\s*7\.250/);
  });

  it('says at the field what is wrong, in words', async () => {
    await find('LC-1002');
    for (const [text, words] of [
      ['12.5555', 'At most 3 decimals.'],
      ['0', 'Enter a value above zero.'],
      ['5000.001', 'The limit of this till is KWD\u00a05,000.000.'],
      ['', 'Enter the amount.'],
    ] as const) {
      await page.getByLabel('Amount').fill(text);
      await page.keyboard.press('Enter');
      await page.getByText(words).waitFor();
    }
    expect(earns()).toEqual([]);
  });

  it('asks once more about a large amount, and a double press does not answer for the cashier', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('750');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('is that right?').waitFor();
    expect(earns()).toEqual([]);
    await confirm().click();
    await outcome().waitFor();
    expect(earns()).toHaveLength(1);
  });

  it('asks about a repeat and sends it again under the same id', async () => {
    agent.answer = ({ command, input }) =>
      command === 'operation.earn' && JSON.stringify(input).includes('"ask"') ? failure('looks_like_a_repeat') : null;
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    await page.getByText('KWD 12.500 again?').waitFor();
    await confirm().click();
    await outcome().waitFor();
    const [first, second] = earns().map(({ input }) => input as { operation_id: string; repeat: string });
    expect([first?.repeat, second?.repeat]).toEqual(['ask', 'accepted']);
    expect(second?.operation_id).toBe(first?.operation_id);
  });

  it('that could not be saved says so in red, keeps what was typed, and can be tried again', async () => {
    agent.answer = ({ command }) => (command === 'operation.earn' ? failure('not_saved') : null);
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    const alert = page.getByRole('alert').filter({ hasText: 'Not saved' });
    await alert.waitFor();
    expect(await alert.getAttribute('data-state')).toBe('not_saved');
    expect(await alert.innerText()).toContain('Keep the receipt');
    expect(await outcome().count()).toBe(0);
    agent.answer = () => null;
    await confirm().click();
    await outcome().waitFor();
    const ids = new Set(earns().map(({ input }) => (input as { operation_id: string }).operation_id));
    expect(ids.size).toBe(1);
  });

  it('goes Saved, Sent, Applied with the new balance, and then the screen clears', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    const sale = await lastSale();
    expect(await outcome().getAttribute('data-ref')).toBe(sale.external_ref);
    await outcome().getByRole('heading', { name: 'Saved' }).waitFor();
    agent.move(sale.operation_id, 'sending');
    agent.move(sale.operation_id, 'accepted');
    await outcome().getByText('Cashback on the way').waitFor();
    agent.move(sale.operation_id, 'applied', {
      new_balances: { ...demoCards.cashback.balances, cashback_minor: 1875 },
    });
    await outcome().getByText('KWD 1.875 cashback now').waitFor();
    await page.getByRole('radio', { name: /KWD 1.875 cashback/ }).waitFor();
    await outcome().waitFor({ state: 'detached' });
    await page.getByText('Scan a card to begin').waitFor();
    expect(await recent().locator('[data-state=applied]').count()).toBe(1);
  });

  it('that is refused says why and what to do', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    const sale = await lastSale();
    const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req' };
    agent.move(sale.operation_id, 'refused', { error });
    await outcome().getByText('This card does not allow this').waitFor();
    await outcome().getByText('Keep the receipt and call store IT.').waitFor();
  });

  it('that is refused late touches Recent alone, not the customer in front', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    const sale = await lastSale();
    await scan(page, 'LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    agent.move(sale.operation_id, 'failed');
    await recent().locator('[data-state=failed]').waitFor();
    expect(await outcome().count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).count()).toBe(1);
  });

  it('is undone from Recent while no byte of it was sent', async () => {
    await find('LC-1002');
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    await lastSale();
    await recent().getByRole('button', { name: 'Undo' }).click();
    await recent().locator('[data-state=cancelled]').waitFor();
    expect(await recent().getByRole('button', { name: 'Undo' }).count()).toBe(0);
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
