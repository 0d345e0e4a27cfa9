import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerIsRead, axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

beforeEach(async () => {
  if (!hasChromium) return;
  await scan(page, 'LC-1001');
  await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
});
afterEach(async () => {
  if (!hasChromium) return;
  await till.control('/faults', undefined, 'DELETE');
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
  await releaseLeftOvers();
});

const held = () => page.getByRole('region', { name: 'Held for orders' });
const dialog = () => page.getByRole('dialog');
const slow = { delay: 60 };

const points = (): Promise<number> => till.points('LC-1001');

/** Presses a button of a row that somebody has read. */
async function press(name: string): Promise<void> {
  const button = held().getByRole('button', { name });
  await button.waitFor();
  await answerIsRead(page);
  await button.click();
}

/** What a failed test has left held must not fail the next one, too. */
async function releaseLeftOvers(): Promise<void> {
  const buttons = held().getByRole('button', { name: 'Release' });
  for (let left = await buttons.count(); left > 0; left = await buttons.count()) {
    await answerIsRead(page);
    await buttons.first().click();
    await expect.poll(() => buttons.count()).toBeLessThan(left);
  }
}

async function hold(count: string, cart = ''): Promise<void> {
  await page.getByRole('button', { name: 'Hold for an order' }).click();
  await dialog().getByLabel('Points').waitFor();
  await page.keyboard.type(count, slow);
  if (cart !== '') {
    await dialog().getByRole('button', { name: 'Order no.' }).click();
    await page.keyboard.type(cart, slow);
  }
  await dialog().locator('.entry-confirm').click();
}

describe.skipIf(!hasChromium)('a hold for an order', () => {
  it('counts down, is there after a reload, and is spent under the order’s number', async () => {
    const before = await points();
    await hold('40', 'CART-1');
    const told = page.locator('.outcome');
    await told.getByText('Held 40 points', { exact: true }).waitFor();
    await told.getByText('15 minutes, order').waitFor();
    const row = held().locator('[data-state=reserved]');
    await row.getByText('40 points', { exact: true }).waitFor();
    expect(await row.getAttribute('data-hold')).toMatch(/-CART-1$/);
    // Where the list is folded away on a small screen, the button that opens it counts.
    expect(await page.locator('.recent-toggle').textContent()).toBe('Recent1');
    const left = await row.locator('.held-left').innerText();
    expect(left).toMatch(/^1[45]:\d\d$/);
    await expect.poll(() => row.locator('.held-left').innerText()).not.toBe(left);
    expect(await points()).toBe(before);

    await page.reload();
    await press('Order paid');
    await dialog().getByLabel('Order no.').waitFor();
    expect(await dialog().locator('.entry-confirm').innerText()).toContain('Spend 40 points');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.type('A-9', slow);
    await page.keyboard.press('Enter');
    await held().waitFor({ state: 'detached' });
    await page.locator('.outcome').getByText('40 points spent').waitFor();
    const spent = page.getByRole('region', { name: 'Recent' }).locator('[data-intent=commit]');
    await spent.getByText('Spent 40 points').waitFor();
    expect(await spent.getAttribute('data-ref')).toMatch(/-A-9$/);
    expect(await points()).toBe(before - 40);

    await page.locator('.outcome-undo').click();
    await page.locator('.outcome').getByRole('button', { name: 'Give 40 points back' }).click();
    await expect.poll(points).toBe(before);
  });

  it('that is paid names its customer above the amount, with as much room as a note needs', async () => {
    await hold('40');
    await page.reload();
    await press('Order paid');
    const who = await dialog().locator('.entry-who').boundingBox();
    expect(who?.height).toBeGreaterThanOrEqual(72);
    await page.keyboard.press('Escape');
  });

  it('is let go again', async () => {
    await hold('40');
    await press('Release');
    await held().waitFor({ state: 'detached' });
  });

  it('that ran out says so, and is held again by one press', async () => {
    await hold('40');
    await held().locator('[data-state=reserved]').waitFor();
    await till.control('/clock', { advance_ms: 960_000 });
    const row = held().locator('[data-state=expired]');
    await row.getByText('Expired').waitFor();
    await press('Hold again');
    await held().locator('[data-state=reserved]').waitFor();
    expect(await held().locator('.sale-row').count()).toBe(1);
    await press('Release');
    await held().waitFor({ state: 'detached' });
  });

  it('of more than there is says why not, and keeps what was typed', async () => {
    await page.getByRole('button', { name: 'Hold for an order' }).click();
    await dialog().getByLabel('Points').waitFor();
    await page.keyboard.type('9999', slow);
    await dialog()
      .getByText(/^Only .+ points on the card$/)
      .waitFor();
    expect(await dialog().locator('.entry-confirm').getAttribute('aria-disabled')).toBe('true');
    expect(await dialog().getByLabel('Points').inputValue()).toBe('9999');
  });

  it('stands where a sale is entered: another operation takes its number, and it comes back as it was left', async () => {
    await page.getByRole('button', { name: 'Hold for an order' }).click();
    await dialog().getByLabel('Points').waitFor();
    await page.keyboard.type('30', slow);
    await dialog().getByText('60', { exact: true }).click();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.locator('.hold-button').click();
    await expect.poll(() => dialog().locator('.entry-confirm').innerText()).toContain('Hold 30 points');
    expect(await dialog().getByRole('radio', { name: '60' }).isChecked()).toBe(true);
    await page.locator('[data-operation=redeem_points]').click();
    await expect.poll(() => dialog().locator('.entry-confirm').innerText()).toContain('Spend 30 points');
    expect(await held().count()).toBe(0);
  });

  it('that was begun keeps a scanned card waiting', async () => {
    await page.getByRole('button', { name: 'Hold for an order' }).click();
    await dialog().getByLabel('Points').waitFor();
    await page.keyboard.type('30', slow);
    await scan(page, 'LC-1002');
    await dialog().getByText('The scanned card waits').waitFor();
    expect(await dialog().getByLabel('Points').inputValue()).toBe('30');
    await dialog().getByRole('button', { name: 'Switch to that card' }).click();
    await page.getByRole('heading', { name: 'Yousef Al-Mutairi' }).waitFor();
  });

  it('whose answer is lost is found out by itself, once', async () => {
    await till.control('/faults', {
      match: { path: '/redemptions/reserve' },
      effect: { type: 'drop_response' },
      times: 1,
    });
    await hold('40');
    await held().locator('[data-state=reserved]').waitFor();
    expect(await held().locator('.sale-row').count()).toBe(1);
    await press('Release');
    await held().waitFor({ state: 'detached' });
  });

  it('whose answer is lost, and the line with it, lets the next card come within 2 s, and is found later, once', async () => {
    const before = await points();
    // Nothing that is asked about the hold is answered.
    for (const path of ['/redemptions/reserve', '/transactions'])
      await till.control('/faults', { match: { path }, effect: { type: 'drop_response' } });
    await hold('40');
    await dialog().getByRole('button', { name: 'One moment' }).waitFor();
    await scan(page, 'LC-1002');
    await page.getByRole('heading', { name: 'Yousef Al-Mutairi' }).waitFor({ timeout: 3_000 });
    await page
      .locator('.passed')
      .getByText(/40 points.*Checking/)
      .waitFor();
    // It is not held a second time meanwhile.
    await scan(page, 'LC-1001');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    expect(await page.getByRole('button', { name: 'Hold for an order' }).isDisabled()).toBe(true);
    await held().locator('[data-state=asking]').waitFor();
    await till.control('/faults', undefined, 'DELETE');
    await press('Check again');
    await held().locator('[data-state=reserved]').waitFor();
    expect(await held().locator('.sale-row').count()).toBe(1);
    expect(await points()).toBe(before);
    await press('Release');
    await held().waitFor({ state: 'detached' });
  });

  it('needs a connection, and says so', async () => {
    await till.control('/faults', { match: { path: '/*' }, effect: { type: 'offline' } });
    await page.locator('[data-connection=offline]').waitFor();
    const button = page.getByRole('button', { name: 'Hold for an order' });
    expect(await button.isDisabled()).toBe(true);
    const described = await button.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Needs connection');
    await till.control('/faults', undefined, 'DELETE');
    await page.locator('[data-connection=online]').waitFor();
  });

  it('is not offered where nothing of the card is spent by an amount', async () => {
    await scan(page, 'LC-1002');
    await page.getByRole('heading', { name: 'Yousef Al-Mutairi' }).waitFor();
    for (const card of await page.getByRole('radio').all()) {
      await card.check({ force: true });
      const holds = await page.locator('[data-operation=redeem_points], [data-operation=redeem_amount]').count();
      expect(await page.getByRole('button', { name: 'Hold for an order' }).count()).toBe(Math.min(holds, 1));
    }
  });

  it('fits the smallest till, in Arabic too', async () => {
    await page.setViewportSize({ width: 1024, height: 600 });
    await page.locator('.language').click();
    await page.locator('html[lang=ar]').waitFor();
    await page.locator('.hold-button').click();
    await dialog().locator('.segment').first().waitFor();
    expect(await dialog().evaluate(cutParts)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

/** What of the entry does not fit into its own box, or lies outside of the entry. */
function cutParts(entry: Element): string[] {
  const room = entry.getBoundingClientRect();
  return [...entry.querySelectorAll('.amount, .hold-terms, .segment, .pad, .entry-foot')].flatMap((part) => {
    const { top, bottom, left, right } = part.getBoundingClientRect();
    const box = part.closest('.amount')?.getBoundingClientRect() ?? room;
    const isInside = top >= box.top - 1 && bottom <= Math.min(box.bottom, room.bottom) + 1;
    return isInside && left >= box.left - 1 && right <= box.right + 1 ? [] : [part.className];
  });
}
