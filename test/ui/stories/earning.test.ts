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

const rowOf = (receipt: string, state: string) => `.recent [data-ref$="-${receipt}"][data-state="${state}"]`;
const row = (receipt: string, state: string) => till.page.locator(rowOf(receipt, state));

describe.skipIf(!hasChromium)('a cashier', () => {
  it('takes a sale while the line is up: saved at once, on the card a second later', async () => {
    await till.begin('10:02');
    await till.customer('LC-1001', 'Fatima Al-Sabah');
    await till.press('earn_amount');
    await till.confirm({ value: '12.5', receipt: '1041' });
    await till.outcome('applied');
    await till.page.locator('.outcome').getByText('257.5 points now').waitFor();
    expect(await till.books('LC-1001')).toMatchObject({ points: 257.5 });
    expect(await till.writes('/transactions/earn')).toBe(1);
    // The next sale of the same customer needs no scrolling.
    for (const button of await till.page.locator('[data-operation], .hold-button').all()) {
      expect(await button.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(768);
    }
    await till.picture('earn-online');
  });

  it('goes on selling while the line is down, and sees the backlog go out when it is back', async () => {
    await till.begin('11:15');
    // Seen this morning: the till knows him without the line.
    await till.customer('LC-1002', 'Yousef Al-Mutairi');
    await till.page.keyboard.press('Escape');
    await till.cutLine();
    await till.pass(7 * 60_000);
    for (const [receipt, code, value] of [
      ['1042', 'LC-1014', '4.250'],
      ['1043', 'LC-1010', '31'],
    ] as const) {
      await till.scan(code);
      await till.page.getByRole('button', { name: 'Earn by card number' }).click();
      await till.confirm({ value, receipt });
      await till.outcome('queued');
    }
    await till.customer('LC-1002', 'Yousef Al-Mutairi');
    await till.page.getByText(/^Balance from /).waitFor();
    await till.press('earn_amount');
    await till.confirm({ value: '8.750', receipt: '1044' });
    await till.page.locator('.outcome').getByText('Cashback follows when the connection is back').waitFor();
    await till.page.locator('.top').getByText('3 waiting').waitFor();
    expect(await till.books('LC-1002')).toMatchObject({ cashback_minor: 1_250 });
    await till.picture('earn-offline');
    // Touched, it stays: the customer is still in front when the sales have gone out, however slowly they go.
    await till.page.locator('.outcome').getByText('Cashback follows when the connection is back').click();

    await till.mendLine();
    for (const receipt of ['1042', '1043', '1044']) await till.hurry(rowOf(receipt, 'applied'));
    // He is shown as the service knows him, with all that his card can do.
    await till.page.locator('[data-operation=redeem_amount]:enabled').waitFor();
    expect(await till.page.getByText(/^Balance from /).count()).toBe(0);
    await till.page.locator('.queue').waitFor({ state: 'detached' });
    expect(await till.books('LC-1014')).toMatchObject({ points: 4 });
    expect(await till.books('LC-1010')).toMatchObject({ cashback_minor: 2_150 });
    expect(await till.books('LC-1002')).toMatchObject({ cashback_minor: 1_687 });
    expect(await till.writes('/transactions/earn')).toBe(3);
    await till.picture('line-back');
  });

  it('undoes a sale that has not gone out', async () => {
    await till.begin('12:30');
    await till.customer('LC-1009', 'Hessa Al-Ajmi');
    await till.page.locator('.card').filter({ hasText: 'points' }).click();
    await till.cutLine();
    await till.press('earn_amount');
    await till.confirm({ value: '99', receipt: '1045' });
    await till.page.locator('.outcome-undo').click();
    await row('1045', 'cancelled').waitFor();
    await till.outcome('cancelled');
    await till.picture('undo-unsent');
    await till.mendLine();
    await till.pass(60_000);
    expect(await till.books('LC-1009')).toMatchObject({ points: 80 });
    expect(await till.writes('/transactions/earn')).toBe(0);
  });

  it('takes back a sale that is on the card already', async () => {
    await till.begin('13:05');
    await till.customer('LC-1001', 'Fatima Al-Sabah');
    await till.press('earn_amount');
    await till.confirm({ value: '45', receipt: '1046' });
    await till.outcome('applied');
    expect(await till.books('LC-1001')).toMatchObject({ points: 290.5 });
    const sold = row('1046', 'applied');
    await sold.locator('.row-open').click();
    await till.page.locator('.outcome').getByText('Undo the sale of KWD\u00a045.000 for Fatima?').waitFor();
    await till.picture('undo-sent');
    await till.page.locator('.outcome').getByRole('button', { name: 'Undo the sale' }).click();
    await till.hurry(rowOf('1046', 'reversed'));
    expect(await till.writes('/transactions/reverse')).toBe(1);
    expect(await till.books('LC-1001')).toMatchObject({ points: 245.5 });
  });
});
