import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { asksForManager, managerPin as pin, pinsSent } from '../support/manager-asked.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// The undo of another's sale: a manager comes, and types the PIN in a hurry, wherever the focus is.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

const hand = { delay: 60 };
const sentPins = (command: string) => pinsSent(agent, command);
const ask = (command: string) => asksForManager(agent, command);

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.setState({ has_managers: true });
  ({ page } = await shared.open(agent));
});

describe.skipIf(!hasChromium)('the PIN of an undo', () => {
  const sold = operationOf({ external_ref: 'R-9', state: 'applied', undo: 'reverse', row_id: 9 });
  const undone = operationOf({
    external_ref: 'reverse-earn-R-9',
    intent: 'reverse',
    state: 'accepted',
    row_id: 10,
    reverses_row_id: 9,
  });
  const row = () => page.locator('.recent [data-ref="R-9"]');
  const outcome = () => page.locator('.outcome');
  const pinField = () => outcome().locator('input[type=password]');
  const findBox = () => page.locator('#find-box').inputValue();
  const finds = () => agent.questions.filter(({ command }) => command === 'customer.find');

  async function undo(): Promise<void> {
    const asks = agent.answer;
    agent.answer = (question) =>
      asks(question) ??
      (question.command === 'operation.reverse'
        ? { ok: true, value: { operation: undone, original: sold, duplicate: false } }
        : null);
    agent.operations = [sold];
    await page.reload();
    await row().getByRole('button').click();
    await outcome().getByRole('button', { name: 'Undo the sale' }).click();
    await pinField().waitFor();
  }

  it('is typed into its own field without a press, and never into the find box; Enter sends it once', async () => {
    ask('operation.reverse');
    await undo();
    await page.keyboard.type(pin, hand);
    expect([await findBox(), await pinField().inputValue()]).toEqual(['', pin]);
    await page.keyboard.press('Enter');
    await row().getByText('Being undone').waitFor();
    expect(sentPins('operation.reverse')).toEqual([undefined, pin]);
    expect(finds()).toEqual([]);
  });

  it('that is wrong is asked for again in the same field, which keeps the keys while it is checked', async () => {
    ask('operation.reverse');
    const asks = agent.answer;
    const wrong = Promise.withResolvers<ReturnType<typeof failure>>();
    agent.answer = (question) =>
      sentPins('operation.reverse').at(-1) === '1111' && question.command === 'operation.reverse'
        ? wrong.promise
        : asks(question);
    await undo();
    await page.keyboard.type('1111', hand);
    await page.keyboard.press('Enter');
    await expect.poll(() => sentPins('operation.reverse').length).toBe(2);
    // With a second Enter, which sends nothing twice.
    await page.keyboard.type('47', hand);
    await page.keyboard.press('Enter');
    expect([await findBox(), await pinField().inputValue()]).toEqual(['', '1111']);
    wrong.resolve(failure('pin_wrong'));
    await outcome().getByText('Wrong PIN').waitFor();
    await expect.poll(() => pinField().inputValue()).toBe('');
    // Wherever the focus is.
    await outcome().getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.type(pin, hand);
    expect([await findBox(), await pinField().inputValue()]).toEqual(['', pin]);
    await page.keyboard.press('Enter');
    await row().getByText('Being undone').waitFor();
    expect(sentPins('operation.reverse')).toEqual([undefined, '1111', pin]);
    expect(finds()).toEqual([]);
  });

  it('that comes as fast as a scan while the one before is checked goes nowhere', async () => {
    const checked = Promise.withResolvers<ReturnType<typeof failure>>();
    agent.answer = ({ command, input }) => {
      if (command !== 'operation.reverse') return null;
      return Reflect.get(Object(input), 'pin') === undefined ? failure('pin_needed') : checked.promise;
    };
    await undo();
    await page.keyboard.type('1111', hand);
    await page.keyboard.press('Enter');
    await expect.poll(() => sentPins('operation.reverse').length).toBe(2);
    await scan(page, '471100');
    checked.resolve(failure('pin_wrong'));
    await outcome().getByText('Wrong PIN').waitFor();
    expect([await findBox(), finds()]).toEqual(['', []]);
  });

  it('is not asked for any more once the undo is under way, however long the service takes', async () => {
    ask('operation.reverse');
    const asks = agent.answer;
    agent.answer = (question) =>
      question.command === 'operation.reverse' && asks(question) === null
        ? new Promise(() => undefined)
        : asks(question);
    await undo();
    await page.keyboard.type(pin, hand);
    await page.keyboard.press('Enter');
    await expect.poll(() => sentPins('operation.reverse')).toEqual([undefined, pin]);
    agent.operations = [undone, sold];
    agent.move(undone.operation_id, 'sending');
    await pinField().waitFor({ state: 'detached' });
    await row().getByText('Being undone').waitFor();
    // Whose card comes now is the next customer.
    await scan(page, '471100');
    await expect.poll(() => finds().length).toBe(1);
  });

  it.each([
    ['the next card', () => scan(page, 'LC-1004')],
    ['Back', () => outcome().locator('.outcome-back').click()],
    ['Next customer', () => page.locator('.next').click()],
  ] as const)('that was typed and not sent is forgotten behind %s', async (_, leave) => {
    agent.customers.set('LC-1004', { source: 'service', profile: profileOf({ cards: [demoCards.stamp] }) });
    ask('operation.reverse');
    await undo();
    await page.keyboard.type(pin, hand);
    expect(await pinField().inputValue()).toBe(pin);
    await leave();
    await pinField().waitFor({ state: 'detached' });
    await row().getByRole('button').click();
    await pinField().waitFor();
    expect(await pinField().inputValue()).toBe('');
    await outcome().getByRole('button', { name: 'Undo', exact: true }).click();
    await page.waitForTimeout(200);
    expect(sentPins('operation.reverse')).not.toContain(pin);
  });

  it('is not asked for any more behind Escape, and the find box has the keys again', async () => {
    ask('operation.reverse');
    await undo();
    await page.keyboard.type('47', hand);
    await page.keyboard.press('Escape');
    await pinField().waitFor({ state: 'detached' });
    await page.keyboard.type('LC-1', hand);
    expect(await findBox()).toBe('LC-1');
  });
});
