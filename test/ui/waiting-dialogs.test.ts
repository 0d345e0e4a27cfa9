import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TillReply } from '../../shared/till/api.ts';
import type { DayView } from '../../shared/till/day-views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, clickAt, hasChromium, pressAt, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// Keys that are pressed twice, or too early, while a dialog waits for the agent.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
/** What the agent says to the command that it lets wait. */
let say: (reply: TillReply<unknown>) => void;

const dialog = () => page.getByRole('dialog');
const button = (name: string) => page.getByRole('button', { name, exact: true });

const refused = ['R-1', 'R-2', 'R-3'].map((external_ref, index) =>
  operationOf({
    external_ref,
    row_id: index + 1,
    state: 'refused',
    cause: 'refused',
    error: { code: 'CUSTOMER_NOT_FOUND', message: 'Nobody', retryable: false, request_id: 'req_1' },
  }),
);
const day: DayView = {
  business_date: '2026-11-20',
  today: '2026-11-20',
  starts_at: '04:00',
  counted_at: '2026-11-20T14:13:00.000Z',
  close: null,
  lines: [],
  cashiers: [],
  since_closing: null,
  open: { waiting: 0, attention: 0 },
  carried_in: null,
  after_earlier: null,
  carried_out: null,
};

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent({ has_managers: true });
  ({ page } = await shared.open(agent));
});

/** The agent reads everything at once, and lets `command` wait. */
function letWait(command: string): void {
  const waiting = Promise.withResolvers<TillReply<unknown>>();
  say = waiting.resolve;
  agent.answer = (question) => {
    if (question.command === command) return waiting.promise;
    if (question.command === 'attention.list') return { ok: true, value: { operations: refused } };
    if (question.command === 'attention.cards')
      return { ok: true, value: { cards: [demoCards.reward, demoCards.cashback], other_cards: 0 } };
    if (question.command === 'day.read') return { ok: true, value: day };
    return question.command === 'day.list' ? { ok: true, value: { closes: [] } } : null;
  };
}

async function show(screen: 'attention' | 'day-close'): Promise<void> {
  if (screen === 'attention') agent.setState({ operations: { ...agent.state.operations, refused: refused.length } });
  await page.locator('.more').click();
  await page.locator(`.screen-entry[data-to="${screen}"]`).click();
}

/** A page can keep Chromium from closing a dialog once or twice only. */
async function pressEscapeOften(): Promise<void> {
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Escape');
}

async function askForBulk(): Promise<void> {
  letWait('attention.resend');
  await show('attention');
  await page.getByRole('checkbox', { name: 'All 3' }).check();
  await button('Retry 3').click();
  await dialog().getByLabel('Reason').fill('registered meanwhile');
}

async function askForClosing(): Promise<void> {
  letWait('day.close');
  await show('day-close');
  await button('Close the day').click();
  await dialog().waitFor();
}

describe.skipIf(!hasChromium)('Escape pressed again and again while a dialog waits', () => {
  it('leaves the result of a bulk there to be read, and the bulk’s button in order', async () => {
    await askForBulk();
    await page.keyboard.press('Enter');
    await dialog().getByText('0 of 3').waitFor();
    await page.keyboard.press('Escape');
    await dialog().getByText('Stopping').waitFor();
    await pressEscapeOften();
    say({ ok: true, value: { operation: refused[0] } });
    await dialog().getByText('3 waiting to send').waitFor();
    await answerIsRead(page);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await button('Retry 3').click();
    await dialog().waitFor();
  });

  it('leaves a wrong PIN told, and its field ready for the next one', async () => {
    await askForClosing();
    await page.keyboard.type('1111');
    await page.keyboard.press('Enter');
    await button('Closing').waitFor();
    await pressEscapeOften();
    say(failure('pin_wrong'));
    await dialog().getByText('Wrong PIN').waitFor();
    await page.keyboard.type('4711');
    expect(await dialog().getByLabel('Manager’s PIN').inputValue()).toBe('4711');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await button('Close the day').click();
    await dialog().waitFor();
  });
});

describe.skipIf(!hasChromium)('while its answer is waited for, a dialog goes on showing what was sent', () => {
  it('in a correction: the amount, the reason and the card, by key and by click', async () => {
    letWait('attention.correct');
    await show('attention');
    await page.locator('[data-ref="R-1"]').getByRole('button', { name: 'Correct' }).click();
    const amount = dialog().getByLabel('Amount');
    await dialog().getByRole('radio').first().check();
    await dialog().getByLabel('Reason').fill('typed wrong');
    await amount.fill('13.500');
    await page.keyboard.press('Enter');
    await button('One moment').waitFor();
    await page.keyboard.type('9');
    await dialog().locator('.choice-row').nth(1).click();
    expect(await dialog().getByRole('radio').first().isChecked()).toBe(true);
    await dialog().getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await dialog().getByLabel('Reason').focus();
    await page.keyboard.press('Backspace');
    const shown = async () => [
      await amount.inputValue(),
      await dialog().getByLabel('Reason').inputValue(),
      await dialog().getByRole('radio').first().isChecked(),
    ];
    expect(await shown()).toEqual(['13.500', 'typed wrong', true]);
    say(failure('offline'));
    await dialog().getByRole('alert').waitFor();
    expect(await shown()).toEqual(['13.500', 'typed wrong', true]);
    await amount.fill('15.500');
    expect(await amount.inputValue()).toBe('15.500');
  });

  it('in the closing of a day: the PIN', async () => {
    await askForClosing();
    const pin = dialog().getByLabel('Manager’s PIN');
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await button('Closing').waitFor();
    await page.keyboard.type('22');
    expect(await pin.inputValue()).toBe('4711');
  });
});

describe.skipIf(!hasChromium)('the dialog that closes a day', () => {
  it('is signed by the cashier whose badge is scanned while it asks for a manager’s PIN', async () => {
    const sara = { name: 'Sara', employee_ref: 'E-7' };
    agent.setState({ has_cashiers: true });
    await askForClosing();
    const asks = agent.answer;
    agent.answer = (question) => {
      if (question.command !== 'cashier.switch') return asks(question);
      agent.setState({ cashier: sara });
      return { ok: true, value: { cashier: sara } };
    };
    await page.keyboard.type('47', { delay: 60 });
    await page.keyboard.press('Enter');
    say(failure('pin_wrong'));
    await dialog().getByText('Wrong PIN').waitFor();
    await page.keyboard.type('47', { delay: 60 });
    await scan(page, 'BADGE-0007');
    const by = dialog().getByLabel('Closed by');
    await by.waitFor();
    expect(await by.inputValue()).toBe('Sara');
    expect(await dialog().getByText('PIN').count()).toBe(0);
    // Nor is the PIN there for whoever comes after her.
    agent.setState({ cashier: null });
    const pin = dialog().getByLabel('Manager’s PIN');
    await pin.waitFor();
    expect(await pin.inputValue()).toBe('');
  });
});

describe.skipIf(!hasChromium)('the second of two quick presses on Retry', () => {
  it.each(['by key', 'by finger'])('neither stops the sending nor closes its result unread: %s', async (how) => {
    await askForBulk();
    const press = (atMs: number) =>
      how === 'by key' ? pressAt(page, 'Enter', atMs) : clickAt(page, '.entry-confirm', atMs);
    const startedAtMs = Date.now();
    await press(startedAtMs);
    await dialog().getByText('0 of 3').waitFor();
    await press(startedAtMs + 150);
    expect(await dialog().getAttribute('data-stage')).toBe('running');
    const answeredAtMs = Date.now();
    say({ ok: true, value: { operation: refused[0] } });
    await dialog().getByText('3 waiting to send').waitFor();
    await press(answeredAtMs + 150);
    expect(await dialog().count()).toBe(1);
    await answerIsRead(page);
    await press(Date.now());
    await dialog().waitFor({ state: 'detached' });
  });

  it('once somebody can have read it, Stop stops', async () => {
    await askForBulk();
    await page.keyboard.press('Enter');
    await dialog().getByText('0 of 3').waitFor();
    await answerIsRead(page);
    await page.keyboard.press('Enter');
    await button('Stopping').waitFor();
  });
});
