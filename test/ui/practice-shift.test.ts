import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { axeFindings, hasChromium, keysAreThere, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

const help = () => page.getByRole('dialog', { name: 'Help and keys' });
const step = (name: string) => page.locator(`.shift[data-step=${name}]`).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function sell(amount: string): Promise<void> {
  await page.locator('#find-box').fill('LC-1001');
  await page.keyboard.press('Enter');
  await page.locator('[data-operation=earn_amount]').click();
  await page.keyboard.type(amount, { delay: 60 });
  await page.keyboard.press('Enter');
}

describe.skipIf(!hasChromium)('the help', () => {
  it('opens by F1 and by a question mark, and leaves the find box as it was', async () => {
    await keysAreThere(page);
    await page.keyboard.press('F1');
    await help().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await help().waitFor({ state: 'detached' });
    await page.keyboard.type('?');
    await help().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await help().waitFor({ state: 'detached' });
    expect(await page.locator('#find-box').inputValue()).toBe('');
  });

  it('stays away when a scanned code or somebody’s typing holds a question mark', async () => {
    await scan(page, '?LC-9999?');
    await page.getByText('?LC-9999?').first().waitFor();
    await page.locator('#find-box').fill('who');
    await page.keyboard.type('?');
    await page.waitForTimeout(150);
    expect(await help().count()).toBe(0);
    expect(await page.locator('#find-box').inputValue()).toBe('who?');
    await page.locator('#find-box').fill('');
  });

  it('closes again when a busy page gets the other keys of a scan late', async () => {
    await scan(page, '?LC-9998', { secondKeyLateByMs: 400 });
    await page.getByText('?LC-9998').first().waitFor();
    expect(await help().count()).toBe(0);
    await expect.poll(() => page.locator('#find-box').inputValue()).toBe('?LC-9998');
  });

  it('stays away when a code that ends with a question mark is scanned where nothing is typed', async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.getByRole('heading', { name: 'Activity' }).click();
    await scan(page, 'LC-9997?');
    await page.getByText('LC-9997?').first().waitFor();
    await page.waitForTimeout(150);
    expect(await help().count()).toBe(0);
  });
});

describe.skipIf(!hasChromium)('a practice shift', () => {
  it('ticks each step when it was done, outlives a reload, and leaves a certificate in the log', async () => {
    await page.keyboard.press('F1');
    await press('Start a practice shift');
    await step('find');
    await scan(page, 'LC-1001');
    await step('sell');
    await sell('4.5');
    await step('cut');
    expect(await axeFindings(page)).toEqual([]);
    await press('Cut the connection');
    await step('sell_offline');
    await sell('3.25');
    await step('mend');
    await press('Restore the connection');
    await step('lose');
    await press('Lose the answers');
    await step('ask');
    await sell('6.75');
    await step('settle');
    await press('Restore the connection');
    await step('undo');
    expect((await till.control<{ data: readonly unknown[] }>('/faults', undefined, 'GET')).data).toEqual([]);
    await page.reload();
    await step('undo');
    await sell('2.125');
    // One that was not sent yet would be cancelled without a question.
    await page.locator('.outcome[data-state=applied]').waitFor();
    await page.locator('.outcome-undo').click();
    await press('Undo the sale');
    await step('finished');
    await press('Save certificate');
    await page.getByText('Enter a name first.').waitFor();
    await page.getByLabel('Name on the certificate').fill('Mona');
    await page.keyboard.press('Enter');
    await page.getByText(/^Certificate for Mona, /).waitFor();
    const lines = readFileSync(join(till.dataDir, 'logs', 'agent.log'), 'utf8');
    expect(lines).toMatch(/"trainee":"Mona","minutes":\d+,"employee_ref":null.*A practice shift was completed/);
    await page.locator('.shift').getByRole('button', { name: 'Close' }).click();
    await page.locator('.shift').waitFor({ state: 'detached' });
    expect(till.complaints).toEqual([]);
  });
});
