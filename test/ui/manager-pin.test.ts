import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { asksForManager, managerPin, pinsSent } from '../support/manager-asked.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, figure, hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A sale or a correction above a limit: a manager comes, and types the PIN in a hurry, wherever the focus is.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
const pin = managerPin;

const dialog = () => page.getByRole('dialog');
const field = (id: string) => dialog().locator(`#${id}`);
const hand = { delay: 60 };
const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
const sentPins = (command: string) => pinsSent(agent, command);
const ask = (command: string, wrong?: 'pin_locked') => asksForManager(agent, command, wrong);

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.setState({ has_managers: true });
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
  ({ page } = await shared.open(agent));
});

/** A sale for which the agent wants a manager. */
async function sale(): Promise<void> {
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  await page.locator('[data-stage=customer]').waitFor();
  await page.locator('[data-operation=earn_amount]').click();
  await page.keyboard.type('12', hand);
  await page.keyboard.press('Enter');
  await field('entry-pin').waitFor();
}

describe.skipIf(!hasChromium)('the PIN of a sale above a limit', () => {
  it('is typed into its own field, never into the amount, and Enter sends it', async () => {
    ask('operation.earn');
    await sale();
    await expect.poll(focused).toBe('entry-pin');
    await page.keyboard.type(pin, hand);
    expect(await field('entry-amount').inputValue()).toBe('12');
    expect(await field('entry-pin').getAttribute('type')).toBe('password');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('operation.earn')).toEqual([undefined, pin]);
  });

  it('that is wrong is told, cleared and asked for again; the sale is as it was typed', async () => {
    ask('operation.earn');
    await sale();
    await page.keyboard.type('1111', hand);
    // With the mouse: the focus is on the button then.
    await page.locator('.entry-confirm').click();
    await dialog().getByText('Wrong PIN').waitFor();
    await expect.poll(focused).toBe('entry-pin');
    expect(await field('entry-pin').inputValue()).toBe('');
    await page.keyboard.type(pin, hand);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('operation.earn')).toEqual([undefined, '1111', pin]);
  });

  it('is locked after too many: that is told, and Escape leaves without a sale', async () => {
    ask('operation.earn', 'pin_locked');
    await sale();
    await page.keyboard.type('1111', hand);
    await page.keyboard.press('Enter');
    await dialog().getByText('Too many wrong PINs').waitFor();
    await dialog().getByText('Wait 3 minutes, then enter the PIN again.').waitFor();
    await answerIsRead(page);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(agent.operations).toEqual([]);
  });

  it('is not sent twice by a second Enter, and not kept for the next sale', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof failure>>();
    ask('operation.earn');
    await sale();
    const asks = agent.answer;
    agent.answer = (question) => (question.command === 'operation.earn' ? answer.promise : asks(question));
    await page.keyboard.type('2222', hand);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    answer.resolve(failure('pin_wrong'));
    await dialog().getByText('Wrong PIN').waitFor();
    expect(sentPins('operation.earn')).toEqual([undefined, '2222']);
    await answerIsRead(page);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.locator('[data-operation=earn_amount]').click();
    await field('entry-amount').waitFor();
    expect(await field('entry-pin').count()).toBe(0);
  });

  it('in Arabic digits is the same PIN', async () => {
    ask('operation.earn');
    await sale();
    await field('entry-pin').fill('٤٧١١');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('operation.earn')).toEqual([undefined, pin]);
  });
});

describe.skipIf(!hasChromium)('the PIN of a hold above a limit', () => {
  it('is typed into its own field; a wrong one is asked for again, the right one holds', async () => {
    ask('hold.reserve');
    const held = operationOf({ intent: 'reserve', state: 'applied', points: 12 });
    const asks = agent.answer;
    agent.answer = (question) =>
      asks(question) ??
      (question.command === 'hold.reserve' ? { ok: true, value: { holds: [], operation: held } } : null);
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.locator('.hold-button').click();
    await dialog().getByLabel('Points').waitFor();
    await page.keyboard.type('12', hand);
    await page.keyboard.press('Enter');
    await field('entry-pin').waitFor();
    await expect.poll(focused).toBe('entry-pin');
    await page.keyboard.type('1111', hand);
    await page.keyboard.press('Enter');
    await dialog().getByText('Wrong PIN').waitFor();
    await expect.poll(focused).toBe('entry-pin');
    expect(await field('entry-pin').inputValue()).toBe('');
    await page.keyboard.type(pin, hand);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('hold.reserve')).toEqual([undefined, '1111', pin]);
  });
});

describe.skipIf(!hasChromium)('while the PIN of a sale is asked for', () => {
  const shown = async () => (await figure(page)).slice('KWD '.length);
  const press = (key: string) => dialog().locator(`.key[data-key="${key}"]`).click();

  it('the keypad types it, the figure stays, and a press on the amount takes it away', async () => {
    ask('operation.earn');
    await sale();
    for (const key of pin) await press(key);
    expect([await field('entry-pin').inputValue(), await shown()]).toEqual([pin, '12.000']);
    await field('entry-amount').click();
    await field('entry-pin').waitFor({ state: 'detached' });
    await press('5');
    expect([await field('entry-amount').inputValue(), await shown()]).toEqual(['125', '125.000']);
  });

  it('a burst of digits goes into its field, wherever the focus is, and nobody is asked for a card', async () => {
    ask('operation.earn');
    await sale();
    await page.waitForTimeout(50);
    await scan(page, '471100');
    await expect.poll(() => field('entry-pin').inputValue()).toBe('471100');
    await page.locator('.entry-confirm').focus();
    await scan(page, '123456');
    await expect.poll(() => field('entry-pin').inputValue()).toBe('123456');
    expect(await shown()).toBe('12.000');
    await answerIsRead(page);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.waitForTimeout(100);
    expect(agent.questions.filter(({ command }) => command === 'customer.find')).toHaveLength(1);
    expect(await page.getByText('471100').or(page.getByText('123456')).count()).toBe(0);
  });

  it('what was typed of it is gone when the screen has locked, and when somebody else sells', async () => {
    const cashier = (name: string, employee_ref: string) => ({ cashier: { name, employee_ref }, has_cashiers: true });
    agent.setState(cashier('Sami', 'E-7'));
    await page.locator('[data-cashier="E-7"]').waitFor();
    ask('operation.earn');
    await sale();
    const typed = () => page.locator('#entry-pin').inputValue();
    await page.keyboard.type(pin, hand);
    agent.setState({ sign_in: 'locked' });
    await page.getByRole('dialog', { name: 'Locked' }).waitFor();
    await expect.poll(typed).toBe('');
    agent.setState({ sign_in: null });
    await page.getByRole('dialog', { name: 'Locked' }).waitFor({ state: 'detached' });
    await field('entry-pin').fill(pin);
    agent.setState(cashier('Lina', 'E-8'));
    await expect.poll(typed).toBe('');
    expect(await shown()).toBe('12.000');
  });

  it('its first digits count, typed before the agent has answered', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof failure>>();
    ask('operation.earn');
    const asks = agent.answer;
    agent.answer = (question) =>
      question.command === 'operation.earn' && sentPins('operation.earn').length === 1
        ? answer.promise
        : asks(question);
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.locator('[data-stage=customer]').waitFor();
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('12', hand);
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Saving' }).waitFor();
    await page.keyboard.type(pin.slice(0, 2), hand);
    answer.resolve(failure('pin_needed'));
    await expect.poll(focused).toBe('entry-pin');
    await page.keyboard.type(pin.slice(2), hand);
    expect([await field('entry-pin').inputValue(), await shown()]).toEqual([pin, '12.000']);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('operation.earn')).toEqual([undefined, pin]);
  });
});

describe.skipIf(!hasChromium)('the PIN of a correction above a limit', () => {
  const refused = operationOf({
    state: 'refused',
    cause: 'refused',
    error: { code: 'CARD_NOT_ELIGIBLE', message: 'The card takes no amounts.', retryable: false, request_id: 'req_1' },
  });

  async function correction(): Promise<void> {
    const asks = agent.answer;
    agent.answer = (question) => {
      if (question.command === 'attention.list') return { ok: true, value: { operations: [refused] } };
      if (question.command === 'attention.cards')
        return { ok: true, value: { cards: [demoCards.reward], other_cards: 0 } };
      return (
        asks(question) ??
        (question.command === 'attention.correct' ? { ok: true, value: { operation: refused } } : null)
      );
    };
    agent.setState({ operations: { ...agent.state.operations, refused: 1 } });
    await page.locator('.more').click();
    await page.locator('.screen-entry[data-to="attention"]').click();
    await page
      .locator('.attention-row')
      .getByRole('button', { name: /^(Correct|Choose the card)/ })
      .click();
    await field('correct-value').fill('9.500');
    await field('correct-reason').or(dialog().getByLabel('Reason')).first().fill('typed wrong');
    await page.keyboard.press('Enter');
    await field('correct-pin').waitFor();
  }

  it('is typed into its own field; a wrong one is asked for again, the right one sends it', async () => {
    ask('attention.correct');
    await correction();
    await expect.poll(focused).toBe('correct-pin');
    await page.keyboard.type('1111', hand);
    await dialog().locator('.entry-confirm').click();
    await dialog().getByText('Wrong PIN').waitFor();
    await expect.poll(focused).toBe('correct-pin');
    await page.keyboard.type(pin, hand);
    expect(await field('correct-value').inputValue()).toBe('9.500');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('attention.correct')).toEqual([undefined, '1111', pin]);
  });

  it('is locked after too many, and Escape leaves the sale as it was', async () => {
    ask('attention.correct', 'pin_locked');
    await correction();
    await page.keyboard.type('1111', hand);
    await page.keyboard.press('Enter');
    await dialog().getByText('Too many wrong PINs').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(sentPins('attention.correct')).toEqual([undefined, '1111']);
  });
});
