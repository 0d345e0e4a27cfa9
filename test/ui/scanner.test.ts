import type { CDPSession } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/ui-page.ts';
import { page, useUiTill } from '../support/use-ui-till.ts';

// Keys with times of their own, in a real browser on a real agent: what a keyboard wedge sends.
useUiTill();
let keyboard: CDPSession;
/** The keys' own time, in seconds: it goes on between the tests as a shop's day does. */
let atSeconds: number;

beforeAll(async () => {
  if (!hasChromium) return;
  keyboard = await page.context().newCDPSession(page);
  atSeconds = Date.now() / 1000;
});
beforeEach(() => {
  // Long after whatever was scanned before.
  atSeconds += 10;
});
afterEach(async () => {
  if (!hasChromium) return;
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
  const next = page.getByRole('button', { name: /^(Next customer|العميل التالي)$/ });
  if ((await next.count()) > 0) await next.first().click();
  await page.locator('#find-box').fill('');
});

const texts: Readonly<Record<string, string>> = { Enter: '\r' };

/** Presses keys, each so long after the one before. */
async function keys(sequence: readonly string[], everyMs: number): Promise<void> {
  const sent = sequence.flatMap((key) => {
    atSeconds += everyMs / 1000;
    const text = key.length === 1 ? key : (texts[key] ?? '');
    const facts = { key, text, timestamp: atSeconds };
    return [
      keyboard.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', ...facts }),
      keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp: atSeconds }),
    ];
  });
  await Promise.all(sent);
}
const burst = (code: string, end = 'Enter', everyMs = 4): Promise<void> => keys([...Array.from(code), end], everyMs);
const wait = (seconds: number): void => {
  atSeconds += seconds;
};
const customer = (name: string) => page.getByRole('heading', { name, exact: true });
const fatima = 'Fatima Al-Sabah';
const yousef = 'Yousef Al-Mutairi';
const findBox = () => page.locator('#find-box');
const open = (operation: string) => page.locator(`[data-operation=${operation}]`).click();

describe.skipIf(!hasChromium)('a burst of keys', () => {
  it.each(['Enter', 'Tab'])('ended by %s is a scan', async (end) => {
    await burst('LC-1001', end);
    await customer(fatima).waitFor();
    expect(await findBox().inputValue()).toBe('');
  });

  it('of keys just under 35 ms each is one still', async () => {
    await burst('LC-1001', 'Enter', 34);
    await customer(fatima).waitFor();
  });

  it('finds the customer whatever button has the focus', async () => {
    await page.locator('.more').focus();
    await burst('LC-1001');
    await customer(fatima).waitFor();
  });

  it('leaves an amount that was being typed as it was, and the card waits', async () => {
    await burst('LC-1001');
    await customer(fatima).waitFor();
    await open('earn_amount');
    await keys(['1', '2', '.', '5'], 120);
    wait(1);
    await burst('LC-1002');
    await page.getByText('This sale is for Fatima').waitFor();
    expect(await page.getByRole('dialog').locator('.amount-input').inputValue()).toBe('12.5');
    await page.getByRole('button', { name: 'Switch to that card' }).click();
    await customer(yousef).waitFor();
  });

  it('goes into the receipt number, which takes scans, and confirms nothing', async () => {
    await burst('LC-1001');
    await customer(fatima).waitFor();
    await open('earn_amount');
    await page.locator('.receipt-open').click();
    await burst('R-000123');
    expect(await page.getByLabel('Receipt no.').inputValue()).toBe('R-000123');
    // It is its own wherever the focus is.
    await page.locator('.entry-confirm').focus();
    await burst('R-000124');
    await expect.poll(() => page.getByLabel('Receipt no.').inputValue()).toBe('R-000124');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
  });

  it('loses its framing and control characters', async () => {
    await burst(']C1LC-1001');
    await customer(fatima).waitFor();
  });
});

describe.skipIf(!hasChromium)('scans in a row', () => {
  it('are two, of which the last one stays in front', async () => {
    await burst('LC-1001');
    await burst('LC-1002');
    await customer(yousef).waitFor();
    expect(await customer(fatima).count()).toBe(0);
  });

  it('are one when it is the same card within two seconds: its customer stays in front', async () => {
    await burst('LC-1001');
    await customer(fatima).waitFor();
    wait(1);
    await burst('LC-1001');
    await page.waitForTimeout(300);
    expect(await customer(fatima).isVisible()).toBe(true);
    expect(await findBox().inputValue()).toBe('');
  });

  it.each([
    ['Escape', () => keys(['Escape'], 300)],
    ['a press on Next customer', () => page.getByRole('button', { name: 'Next customer' }).click()],
  ] as const)(
    'are two when it is the same card at once, and its customer was let go between them by %s',
    async (_, letGo) => {
      await burst('LC-1001');
      await customer(fatima).waitFor();
      await letGo();
      await customer(fatima).waitFor({ state: 'detached' });
      wait(0.5);
      await burst('LC-1001');
      await customer(fatima).waitFor();
    },
  );

  it('are two when it is the same card later on', async () => {
    await burst('LC-1001');
    await customer(fatima).waitFor();
    await page.getByRole('button', { name: 'Next customer' }).click();
    wait(3);
    await burst('LC-1001');
    await customer(fatima).waitFor();
  });
});

describe.skipIf(!hasChromium)('what is no scan', () => {
  it('typed by hand stays in the box until Enter', async () => {
    await keys(Array.from('LC-1001'), 90);
    expect(await findBox().inputValue()).toBe('LC-1001');
    expect(await customer(fatima).count()).toBe(0);
    await keys(['Enter'], 90);
    await customer(fatima).waitFor();
  });

  it('is a key that is held', async () => {
    await findBox().focus();
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '7', text: '7', timestamp: atSeconds });
    for (let repeats = 0; repeats < 12; repeats += 1) {
      atSeconds += 0.03;
      const held = { key: '7', text: '7', autoRepeat: true, timestamp: atSeconds };
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', ...held });
    }
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key: '7', timestamp: atSeconds });
    wait(0.5);
    expect(await findBox().inputValue()).toBe('7777777777777');
  });

  it('is a burst of five', async () => {
    await burst('12345');
    await page.getByText('No customer', { exact: false }).or(page.getByText('Not a card')).first().waitFor();
  });

  it('is a digit with a customer in front: it begins their amount', async () => {
    await burst('LC-1001');
    await customer(fatima).waitFor();
    await keys(['4'], 200);
    await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
    expect(await page.locator('.amount-input').inputValue()).toBe('4');
  });
});

it.skipIf(!hasChromium)('in Arabic a scan is the same scan', async () => {
  await page.locator('.language').click();
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
  await burst('LC-1001');
  await customer(fatima).waitFor();
  await open('earn_amount');
  await keys(['1', '2'], 120);
  wait(1);
  await burst('LC-1002');
  await page.locator('[role=dialog] .notice').first().waitFor();
  expect(await page.locator('.amount-input').inputValue()).toBe('١٢');
  await page.keyboard.press('Escape');
  await customer(yousef).waitFor();
});
