import { beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

beforeAll(async () => {
  if (!hasChromium) return;
  for (const reference of ['R-1', 'R-2']) {
    const body = { identifier: { loyalty_id: 'NO-SUCH-CARD' }, external_ref: reference, amount_minor: 12_500 };
    expect((await till.call('/transactions/earn', body)).status).toBe(202);
  }
  await page.getByRole('button', { name: '2 need attention' }).waitFor();
});

const row = (reference: string) => page.locator(`.attention-row[data-ref="${reference}"]`);

describe.skipIf(!hasChromium)('every operation of the till', () => {
  it('is listed, narrowed and opened with its history, the customer masked', async () => {
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await expect.poll(() => page.locator('.activity-row').count()).toBe(2);
    await page.getByLabel('Customer or receipt').fill('r-2');
    await page.locator('.activity-list > [data-ref="R-1"]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.locator('.activity-list > [data-ref="R-1"]').waitFor();
    // By keyboard: into the list, down to the older one, and open it.
    await page.locator('[data-row="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('1');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('R-1', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Customer or receipt').fill('such-card');
    await page.getByLabel('State').selectOption('attention');
    await page.locator('.activity-list > [data-ref="R-2"]').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('State').selectOption('applied');
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('State').selectOption('refused');
    await page.locator('.activity-list > [data-ref="R-2"] button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('CUSTOMER_NOT_FOUND', { exact: false }).first().waitFor();
    expect(await dialog.innerText()).not.toContain('NO-SUCH-CARD');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // It comes back only when the whole list was read again.
    await page.getByLabel('Customer or receipt').fill('r-2');
    await page.locator('.activity-list > [data-ref="R-1"]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.locator('.activity-list > [data-ref="R-1"]').waitFor();
  });

  it('tells of new ones without moving the others under a finger', async () => {
    const body = { identifier: { loyalty_id: 'LC-1001' }, external_ref: 'R-3', points: 1 };
    expect((await till.call('/transactions/earn', body)).status).toBe(202);
    await page.getByRole('button', { name: '1 new · Show' }).waitFor();
    expect(await page.locator('.activity-list > [data-ref="R-3"]').count()).toBe(0);
    await page.getByRole('button', { name: '1 new · Show' }).click();
    await page.locator('.activity-list > [data-ref="R-3"][data-state=applied]').waitFor();
    await page.getByRole('button', { name: 'Back to the sale' }).click();
    await page.getByRole('textbox', { name: /^Scan or type/ }).waitFor();
  });
});

describe.skipIf(!hasChromium)('sales that the service has refused', () => {
  it('are found from the top bar, with the reason in words', async () => {
    await page.getByRole('button', { name: '2 need attention' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page
      .getByRole('region', { name: 'The service does not know this customer' })
      .locator('[data-ref="R-1"]')
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('are given up with a reason, and with a manager’s PIN once there are managers', async () => {
    await row('R-1').getByRole('button', { name: 'Write off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Write off' }).click();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Reason').fill('card was never issued');
    await dialog.getByRole('button', { name: 'Write off' }).click();
    await row('R-1').waitFor({ state: 'detached' });

    expect((await till.office('people.add_manager', { name: 'Mona', pin: '4711' })).status).toBe(200);
    await page.reload();
    await page.getByRole('button', { name: '1 needs attention' }).click();
    await row('R-2').getByRole('button', { name: 'Write off' }).click();
    await dialog.getByLabel('Reason').fill('the same');
    await dialog.getByLabel('Manager’s PIN').fill('1234');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Write off' }).click();
    await dialog.getByText('Wrong PIN').waitFor();
    await dialog.getByLabel('Manager’s PIN').fill('4711');
    await dialog.getByRole('button', { name: 'Write off' }).click();
    await page.getByText('Nothing needs attention').waitFor();
    const { json } = await till.office<{ operations: { history: { person: string | null }[] }[] }>('queue.show', {
      external_ref: 'R-2',
    });
    expect(json.operations[0]?.history.at(-1)).toMatchObject({ person: 'Mona', reason: 'the same' });
  });

  it('are led to a closing in the name of the manager whose PIN it is', async () => {
    await till.open('day-close');
    await page.getByRole('button', { name: 'Close the day' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close the day' }).click();
    await dialog.getByText('Enter the PIN.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Manager’s PIN').fill('4711');
    await dialog.getByRole('button', { name: 'Close the day' }).click();
    await page.locator('.day-status[data-closed=true]').getByText('Closed by Mona').waitFor();
  });

  it('leave for the next customer at a scan', async () => {
    await scan(page, 'LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
  });
});
