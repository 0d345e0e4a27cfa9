import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoryTill, type StoryTill } from '../../support/story-till.ts';
import { hasChromium } from '../../support/ui-page.ts';

let till: StoryTill;

beforeAll(async () => {
  if (hasChromium) till = await openStoryTill();
});
afterAll(async () => {
  if (hasChromium) await till.close();
});

const hourMs = 3_600_000;
const rowOf = (receipt: string, state: string) => `.recent [data-ref$="-${receipt}"][data-state="${state}"]`;

describe.skipIf(!hasChromium)('a cashier in trouble', () => {
  it('goes on selling while the key is refused, and is told whom to call', async () => {
    await till.begin('09:10');
    await till.customer('LC-1001', 'Fatima Al-Sabah');
    await till.fault('/*', { type: 'error', status: 401, code: 'UNAUTHENTICATED' });
    await till.press('earn_amount');
    await till.confirm({ value: '6.500', receipt: '4071' });
    await till.page.locator('[data-connection=key_refused]').getByText('Call store IT. Sales are saved.').waitFor();
    await till.page.locator('.outcome[data-state=queued]').getByText('once the problem is solved').waitFor();
    await till.page.locator('.top').getByText('1 waiting').waitFor();
    await till.picture('key-refused');
    expect(await till.books('LC-1001')).toMatchObject({ points: 245.5 });
    // Store IT has put it right.
    await till.mendLine();
    await till.hurry(rowOf('4071', 'applied'));
    expect(await till.books('LC-1001')).toMatchObject({ points: 251.5 });
    expect(await till.writes('/transactions/earn')).toBe(1);
  });

  it('sees that the oldest sale is nearly too old, and it counts all the same', async () => {
    await till.begin('10:00');
    await till.customer('LC-1009', 'Hessa Al-Ajmi');
    await till.page.locator('.card').filter({ hasText: 'points' }).click();
    await till.cutLine();
    await till.press('earn_amount');
    await till.confirm({ value: '18', receipt: '4072' });
    await till.outcome('queued');
    await till.pass(71 * hourMs);
    await till.page.locator('.top').getByText('oldest 71 h of 72 h').waitFor();
    await till.page.locator('.connection').getByText('Offline since 12 Mar, 10:00').waitFor();
    await till.page.locator('.connection').getByText('Call store IT. Sales are saved.').waitFor();
    await till.picture('window-nearly-over');
    await till.mendLine();
    await till.hurry(rowOf('4072', 'applied'));
    expect(await till.books('LC-1009')).toMatchObject({ points: 98 });
  });

  it('chooses the card for a sale that was refused because the customer has two', async () => {
    await till.begin('16:45');
    // The POS program knows its customers by its own numbers, and no cards.
    const sold = { identifier: { external_id: 'crm-1009' }, external_ref: 'POS-7713', amount_minor: 9_500 };
    expect((await till.call('/transactions/earn', sold)).status).toBe(202);
    await till.page.getByRole('button', { name: '1 needs attention' }).click();
    const refused = till.page.locator('.attention-row[data-ref="POS-7713"]');
    await refused.waitFor();
    await till.picture('needs-attention');
    await refused.getByRole('button', { name: 'Choose the card' }).click();
    const dialog = till.page.getByRole('dialog');
    await dialog.locator('.choice-row').filter({ hasText: 'Cashback' }).click();
    await dialog.getByLabel('Reason').fill('Hessa asked for cashback');
    await till.picture('choose-the-card');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await till.page.getByText('Nothing needs attention').waitFor();
    await till.page.getByRole('button', { name: 'Back to the sale' }).click();
    await till.hurry('.recent [data-ref="POS-7713"][data-state="applied"]');
    expect(await till.books('LC-1010')).toMatchObject({ cashback_minor: 1_075 });
    expect(await till.books('LC-1009')).toMatchObject({ points: 80 });
  });

  it('closes the day while sales still wait: they are carried over, and go out', async () => {
    await till.begin('22:40');
    await till.customer('LC-1014', 'Noura Al-Enezi');
    await till.press('earn_amount');
    await till.confirm({ value: '52.250', receipt: '4073' });
    await till.outcome('applied');
    await till.cutLine();
    await till.customer('LC-1014', 'Noura Al-Enezi');
    await till.press('earn_amount');
    await till.confirm({ value: '17.500', receipt: '4074' });
    await till.outcome('queued');
    await till.open('day-close');
    await till.page.getByRole('button', { name: 'Close the day' }).click();
    const dialog = till.page.getByRole('dialog');
    await dialog.getByText('1 is still open').waitFor();
    await till.picture('day-close-ask');
    await dialog.getByLabel('Closed by').fill('Huda');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Close the day' }).click();
    await till.page.locator('.day-status[data-closed=true]').getByText('Closed by Huda').waitFor();
    await till.page.locator('[data-part="carried-out"] [data-ref$="-4074"]').waitFor();
    await till.picture('day-close');
    await till.mendLine();
    await till.page.getByRole('button', { name: 'Back to the sale' }).click();
    await till.hurry(rowOf('4074', 'applied'));
    expect(await till.books('LC-1014')).toMatchObject({ points: 69 });
  });
});
