import { describe, expect, it } from 'vitest';
import type { DayView } from '../../shared/till/day-views.ts';
import { axeFindings, hasChromium, textOf } from '../support/ui-page.ts';
import { till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();
let sold = 0;

async function earn(loyaltyId: string, value: object): Promise<void> {
  sold += 1;
  const body = { identifier: { loyalty_id: loyaltyId }, external_ref: `R-${sold}`, ...value };
  expect((await till.call('/transactions/earn', body)).status).toBe(202);
}
const figure = (line: string, outcome: string) =>
  till.page.locator(`.day-panel:first-child [data-line="${line}"] td[data-outcome="${outcome}"]`);
const part = (name: string) => till.page.locator(`[data-part="${name}"]`);
const dialog = () => till.page.getByRole('dialog');
const violations = async () => await axeFindings(till.page);

describe.skipIf(!hasChromium)('the day close', () => {
  it('says what will appear on a day on which nothing was taken', async () => {
    await till.open('day-close');
    await till.page.getByText('No sales on this day').waitFor();
    await till.page.getByText('No day closed yet').waitFor();
  });

  it('follows the sales: by operation and currency, in the currency’s own decimals', async () => {
    await earn('LC-1001', { amount_minor: 12_500, employee_ref: 'E-7' });
    await earn('LC-1001', { amount_minor: 1_000_000 });
    await earn('LC-1001', { points: 7.5 });
    await earn('NO-SUCH-CARD', { amount_minor: 700 });
    await figure('earn-money', 'applied').getByText('KWD\u00a01,012.500').waitFor();
    await figure('earn-money', 'applied').getByText('2 times').waitFor();
    await figure('earn-money', 'refused').getByText('KWD\u00a00.700').waitFor();
    await figure('earn-points', 'applied').getByText('7.5 points').waitFor();
    // Once more for each cashier.
    const sum = (ref: string) => part('cashiers').locator(`[data-cashier-ref="${ref}"] [data-sum=earned]`).innerText();
    expect([await sum('E-7'), await sum('')]).toEqual(['KWD\u00a012.500', 'KWD\u00a01,000.000 · 7.5 points']);
    expect(await violations()).toEqual([]);
  });

  it('is kept as a file', async () => {
    const [download] = await Promise.all([
      till.page.waitForEvent('download'),
      till.page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^day-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await textOf(download)).split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffbusiness_date,part,operation,takes_back,unit,currency,applied_count,applied_total,waiting_count,waiting_total,refused_count,refused_total,written_off_count,written_off_total,taken_back_count,taken_back_total,employee_ref',
    );
    expect(lines[1]).toMatch(/,day,earn,,money,KWD,2,1012\.500,0,0\.000,1,0\.700,0,0\.000,0,0\.000,$/);
  });

  it('is printed without the screen around it, in ink on paper', async () => {
    await till.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await till.page.locator('.top').isVisible()).toBe(false);
    expect(await till.page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await till.page.locator('.paper-sign').isVisible()).toBe(true);
    expect(await till.page.locator('.paper-head').innerText()).toContain('Till 1');
    const paper = await till.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(paper).toBe('rgb(255, 255, 255)');
    await till.page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    // The button asks the browser for it.
    await till.page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await till.page.getByRole('button', { name: 'Print' }).click();
    expect(await till.page.locator('body').getAttribute('data-printed')).toBe('');
  });

  it('is closed when what is still open was seen, with a name on it', async () => {
    await till.page.getByRole('button', { name: 'Close the day' }).click();
    await dialog().getByText('1 is still open').waitFor();
    await dialog().getByText('1 needs attention').waitFor();
    await till.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await till.page.getByRole('button', { name: 'Close the day' }).click();
    await dialog().getByRole('button', { name: 'Close the day' }).click();
    await dialog().getByText('Confirm that you have seen the open sales.').waitFor();
    // By keyboard alone.
    await dialog().getByRole('checkbox').focus();
    await till.page.keyboard.press('Space');
    await till.page.keyboard.press('Enter');
    await dialog().getByText('Enter your name.').waitFor();
    expect(await violations()).toEqual([]);
    await till.page.getByLabel('Closed by').fill('Huda');
    // Meanwhile another sale goes wrong: nothing is carried over that nobody saw.
    await earn('NO-SUCH-CARD', { amount_minor: 300 });
    await till.page.getByText('2 need attention').waitFor();
    await till.page.keyboard.press('Enter');
    await dialog().getByText('The number of open sales has changed. Look again.').waitFor();
    await dialog().getByText('2 are still open').waitFor();
    await dialog().getByRole('checkbox').check();
    await dialog().getByRole('button', { name: 'Close the day' }).click();
    await dialog().waitFor({ state: 'detached' });
    await till.page.locator('.day-status[data-closed=true]').getByText('Closed by Huda').waitFor();
    await part('carried-out').getByText('2 carried over to the next day').waitFor();
    expect(await part('carried-out').locator('[data-ref="R-4"]').getAttribute('data-state')).toBe('refused');
    await till.page.locator('.day-close-row').getByText('Huda').waitFor();
    expect(await till.page.getByRole('button', { name: 'Close the day' }).count()).toBe(0);
    expect(await violations()).toEqual([]);
  });

  it('tells of sales since the closing, and keeps its figures', async () => {
    await earn('LC-1001', { amount_minor: 250 });
    await part('since-closing').getByText('1 since closing').waitFor();
    await part('since-closing').getByText('KWD\u00a00.250').waitFor();
    expect(await figure('earn-money', 'applied').innerText()).toContain('1,012.500');
  });

  it('shows on the next day what was carried over, and what became of it', async () => {
    const decided = { external_ref: 'R-4', reason: 'no such card', person: 'Huda' };
    expect((await till.office('queue.write_off', decided)).status).toBe(200);
    await till.control('/clock', { advance_ms: 24 * 3_600_000 });
    await till.page.getByRole('button', { name: 'Back to the sale' }).click();
    await till.open('day-close');
    await part('carried-in').locator('[data-outcome=written_off]').getByText('Written off: 1').waitFor();
    await part('carried-in').locator('[data-outcome=refused]').getByText('Refused or failed: 1').waitFor();
    await part('after-earlier').waitFor();
    await till.page.getByText('Not closed yet').waitFor();
    await till.page.getByRole('button', { name: 'The day before' }).click();
    await till.page.locator('.day-status[data-closed=true]').waitFor();
    await till.page.getByRole('button', { name: 'Today' }).click();
    await till.page.getByText('Not closed yet').waitFor();
  });

  it('says who has closed it when somebody else was quicker', async () => {
    await till.page.getByRole('button', { name: 'Close the day' }).click();
    await till.page.getByLabel('Closed by').fill('Sami');
    await dialog().getByRole('checkbox').check();
    const { json } = await till.office('day.read', {});
    const { business_date, open } = json as Pick<DayView, 'business_date' | 'open'>;
    const closing = { business_date, closed_by: 'Mona', acknowledged_open: open.waiting + open.attention };
    expect(await till.office('day.close', closing)).toMatchObject({ json: { kind: 'closed' } });
    await dialog().getByRole('button', { name: 'Close the day' }).click();
    await dialog().getByText('This day was closed before').waitFor();
    await dialog().getByText('By Mona').waitFor();
    expect(await violations()).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await till.page.locator('.day-status').getByText('Closed by Mona').waitFor();
    expect(till.complaints).toEqual([]);
  });
});
