import { describe, expect, it } from 'vitest';
import { earnInputSchema } from '../../shared/till/api.ts';
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
import { failure, operationOf } from '../support/ui-fake-agent.ts';
import { figure, hasChromium, pressAt, scan } from '../support/ui-page.ts';

openSalePage();

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

  it('waits for nothing that comes later: a page that is never at rest finds and sells', async () => {
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1) ?? ''));
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    await page.reload();
    await page.locator('[data-connection=online]').waitFor();
    await expect.poll(() => findBox().evaluate((box) => box === document.activeElement)).toBe(true);
    expect((await scripts()).filter((name) => /^(customer-in-front|outcome-panel|menu-entries)/.test(name))).toEqual(
      [],
    );
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Activity' }).waitFor();
    await page.keyboard.press('Escape');
    await find('LC-1002');
    await page.getByRole('heading', { name: 'Yousef Al-Mutairi' }).waitFor();
    await page.getByLabel('Amount').fill('12.5');
    await confirm().click();
    expect((await lastSale()).amount_minor).toBe(12_500);
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
    await page.getByLabel('Amount').fill('12');
    expect(await figure(page)).toMatch(/KWD\s*12\.000/);
    await page.getByLabel('Amount').fill('١٢٫٥');
    expect(await figure(page)).toMatch(/KWD\s*12\.500/);
    await page.getByLabel('Amount').fill('');
    for (const key of ['7', '.', '2', '5']) await page.locator(`.entry-stage [data-key="${key}"]`).click();
    expect(await figure(page)).toMatch(/KWD\s*7\.250/);
  });

  it('has its receipt number written by finger; what was typed comes back, and the number goes along to another operation', async () => {
    await find('LC-1001');
    await page.locator('[data-operation=earn_amount]').click();
    await page.getByLabel('Amount').fill('12.5');
    await page.locator('.receipt-open').click();
    for (const key of ['R', '-', '7', 'X', 'erase']) await page.locator(`.letters [data-key="${key}"]`).click();
    expect(await page.locator('#entry-receipt').inputValue()).toBe('R-7');
    expect(await figure(page)).toMatch(/KWD\s*12\.500/);
    await page.locator('.letters [data-key=digits]').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.locator('[data-operation=earn_amount]').click();
    await page.locator('.receipt-open[data-receipt=R-7]').waitFor();
    expect(await figure(page)).toMatch(/KWD\s*12\.500/);

    await page.locator('[data-operation=redeem_points]').click();
    await page.getByRole('dialog', { name: 'Spend points' }).locator('.receipt-open[data-receipt=R-7]').waitFor();
    await page.locator('#entry-amount').fill('3');
    await page.keyboard.press('Enter');
    const spent = () => agent.questions.find(({ command }) => command === 'operation.redeem')?.input;
    await expect.poll(spent).toMatchObject({ points: 3, receipt_number: 'R-7' });
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
    // Both at once: between two that are waited for, the question could have been read.
    const atMs = Date.now();
    await Promise.all([pressAt(page, 'Enter', atMs), pressAt(page, 'Enter', atMs + 40)]);
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
    await outcome().getByText('Saved on this till').waitFor();
    agent.move(sale.operation_id, 'sending');
    agent.move(sale.operation_id, 'accepted');
    await outcome().getByText('Cashback in a moment').waitFor();
    agent.move(sale.operation_id, 'applied', {
      new_balances: { ...demoCards.cashback.balances, cashback_minor: 1875 },
    });
    await outcome().getByText('KWD 1.875 to spend now').waitFor();
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
    await find('LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await recent()
      .getByRole('button', { name: /^Earned KWD\s12\.500/ })
      .click();
    await outcome().getByRole('button', { name: 'Undo' }).click();
    await recent().locator('[data-state=cancelled]').waitFor();
    expect(await outcome().getByRole('button', { name: 'Undo' }).count()).toBe(0);
    // Whoever stands in front is there again.
    await page.keyboard.press('Escape');
    await outcome().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
  });
});
