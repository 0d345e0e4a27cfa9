import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';
import { hasChromium, leaveCustomer } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();
let presses: number;

beforeEach(async () => {
  if (!hasChromium) return;
  await till.control('/reset', {});
  presses = 0;
});
afterEach(async () => {
  if (!hasChromium) return;
  await till.control('/faults', undefined, 'DELETE');
  await page.locator('[data-connection=online]').waitFor();
  await next();
});

/** The table of the document, by the name of its row. */
const told = new Map(
  readFileSync(join(root, 'docs', 'stories.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && /^\d+$/.test(cells[3] ?? ''))
    .map(([, story, , today]) => [story ?? '', Number(today)]),
);

async function tap(what: Locator): Promise<void> {
  presses += 1;
  await what.click();
}
async function key(name: string): Promise<void> {
  presses += 1;
  await page.keyboard.press(name);
}
const digit = (name: string) => page.locator(`.entry-stage [data-key="${name}"]`);
const operation = (name: string) => page.locator(`[data-operation="${name}"]`);
const act = () => page.locator('.entry-confirm');
const outcome = (state: string) => page.locator(`.outcome[data-state="${state}"]`).waitFor();

/** The customer is there: their card was scanned, which is no press. */
async function customer(): Promise<void> {
  await page.locator('#find-box').fill('LC-1001');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
  await page.locator('[data-operation]').first().waitFor();
}
async function next(): Promise<void> {
  await page.keyboard.press('Escape');
  await leaveCustomer(page);
  await page.locator('[data-stage=idle]').waitFor();
}

/** Every digit of the figure is seen: none is scrolled out of its field. */
async function wholeFigure(typed: string): Promise<void> {
  const field = page.locator('#entry-amount');
  expect(await field.inputValue()).toBe(typed);
  expect(await field.evaluate((input) => input.scrollLeft)).toBe(0);
}

/** Two digits, the point and a half: KWD 12.500. */
async function tapAmount(): Promise<void> {
  for (const name of ['1', '2', '.', '5']) await tap(digit(name));
}

describe.skipIf(!hasChromium)('presses that a cashier needs, as docs/stories.md counts them', () => {
  const counts = (story: string, play: () => Promise<void>): void =>
    it(story, async () => {
      await play();
      expect(presses).toBe(told.get(story));
    });

  counts('Earn, by touch', async () => {
    await customer();
    await tap(operation('earn_amount'));
    await tapAmount();
    await wholeFigure('12.5');
    await tap(act());
    await outcome('applied');
  });

  counts('Earn, by keyboard', async () => {
    await customer();
    await key('Enter');
    await key('Enter');
    for (const name of ['1', '3', '.', '5']) await key(name);
    await key('Enter');
    await outcome('applied');
  });

  counts('Earn what a POS handed over', async () => {
    const sale = { amount_minor: 14_250, currency: 'KWD', external_ref: `PRESSES-${Date.now()}` };
    expect((await till.call('/agent/screen/sale', sale)).status).toBe(200);
    await customer();
    await act().waitFor();
    // Whoever presses has read what stands there.
    await page.waitForTimeout(500);
    await wholeFigure('14.250');
    await key('Enter');
    await outcome('applied');
  });

  counts('Give a reward', async () => {
    await customer();
    await tap(operation('redeem_reward'));
    await tap(page.locator('.choice-row', { hasText: 'Free cake' }));
    await tap(act());
    await outcome('applied');
  });

  counts('Undo a completed sale', async () => {
    await customer();
    await operation('earn_amount').click();
    await page.keyboard.type('15.5');
    await page.keyboard.press('Enter');
    await outcome('applied');
    await tap(page.locator('.outcome-undo'));
    await tap(page.locator('.outcome-choices .button-primary'));
    await outcome('reversed');
  });

  counts('Undo a sale that was not sent', async () => {
    await till.control('/faults', { match: {}, effect: { type: 'offline' } });
    await page.locator('[data-connection=offline]').waitFor();
    await customer();
    await operation('earn_amount').click();
    await page.keyboard.type('16.5');
    await page.keyboard.press('Enter');
    await outcome('queued');
    await tap(page.locator('.outcome-undo'));
    await outcome('cancelled');
  });
});
