import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { noSessionCode } from '../../shared/till/session-words.ts';
import { axeFindings, figure, hasChromium, openPage } from '../support/ui-page.ts';
import { openUiTill, type UiTill } from '../support/ui-till.ts';

/** The cashier's screen and the customers' one, on the built agent with its own sandbox. */
let till: UiTill;
let page: Page;
let customer: Page;
let complaints: string[];

beforeAll(async () => {
  if (!hasChromium) return;
  till = await openUiTill({ args: () => ['--customer-display', 'on'] });
  ({ page } = till);
  const address = till.agent.ready.customer_url ?? '';
  ({ page: customer, complaints } = await openPage(till.browser, address, { viewport: { width: 1024, height: 600 } }));
  await customer.locator('[data-link=open]').waitFor();
});
afterAll(async () => {
  if (hasChromium) await till.close();
});

const readMs = 800;
const findBox = () => page.locator('#find-box');
const outcome = () => page.locator('.outcome');
const shows = (name: string) => customer.locator(`[data-customer=${name}]`).waitFor();
const next = () => page.getByRole('button', { name: 'Next customer' }).first().click();
const handOver = (amountMinor: number, reference: string) =>
  till.call('/agent/screen/sale', { amount_minor: amountMinor, currency: 'KWD', external_ref: reference });

async function withdraw(): Promise<void> {
  const { base_url: bridge, token } = till.agent.ready;
  await fetch(`${bridge}/agent/screen/sale`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
}

async function find(text: string): Promise<void> {
  await findBox().fill(text);
  await page.keyboard.press('Enter');
  await page.locator('[data-stage=customer]').waitFor();
}

async function checkIn(phone: string): Promise<void> {
  for (const digit of phone) await customer.locator(`[data-key="${digit}"]`).click();
  await customer.getByRole('button', { name: 'Check in' }).click();
}

describe.skipIf(!hasChromium)('an amount that a POS program has handed over', () => {
  it('stands filled in when the customer is found, and Enter takes it under the program’s reference', async () => {
    expect((await handOver(12_500, 'POS-4471')).status).toBe(200);
    await find('LC-1001');
    await expect.poll(() => figure(page)).toMatch(/12\.500$/);
    // An Enter that comes with the one which found the customer takes nothing.
    await page.waitForTimeout(readMs);
    await page.keyboard.press('Enter');
    await outcome().locator('xpath=self::*[@data-state="applied"]').waitFor();
    const { json } = await till.call<{ data: readonly object[] }>('/transactions?external_ref=POS-4471');
    expect(json.data).toMatchObject([{ external_ref: 'POS-4471', amount_minor: 12_500, status: 'success' }]);
    await next();
  });

  it('leaves alone what the cashier has typed, and waits beside it', async () => {
    await find('LC-1001');
    await page.locator('[data-operation=earn_amount]').click();
    await page.locator('#entry-amount').fill('3.25');
    await handOver(9_000, 'POS-4472');
    await page.locator('[data-beside=handed-over]').waitFor();
    expect(await page.locator('#entry-amount').inputValue()).toBe('3.25');
    await page.keyboard.press('Enter');
    await outcome().locator('xpath=self::*[@data-state="applied"]').waitFor();
    const { json } = await till.call<{ sale: object | null }>('/agent/screen/sale');
    expect(json.sale).toMatchObject({ external_ref: 'POS-4472' });
    await withdraw();
    await next();
  });
});

describe.skipIf(!hasChromium)('the customers’ screen', () => {
  it('checks somebody in, and shows them their reward, the sale and what it brought', async () => {
    await shows('phone');
    expect(await axeFindings(customer)).toEqual([]);
    await checkIn('99887766');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await shows('reward');
    const read = await customer.locator('.cw-page').innerText();
    expect(read).toContain('Yours: ');
    expect(read).not.toMatch(/Al-Sabah|7766/);
    await page.locator('[data-operation=earn_amount]').click();
    await page.locator('#entry-amount').fill('6.75');
    await customer.getByText('6.750').waitFor();
    await page.keyboard.press('Enter');
    await shows('gained');
    await customer.getByText('+6 points').waitFor();
    await next();
    await shows('phone');
  });

  it('names at the till who checks in while the cashier reads something else, and brings them by one press', async () => {
    await page.getByRole('region', { name: 'Recent' }).locator('[data-ref]').first().getByRole('button').click();
    await outcome().waitFor();
    await checkIn('99887766');
    const note = page.locator('[data-beside=check-in]');
    await note.getByText('7766').waitFor();
    expect(await page.locator('[data-stage=customer]').count()).toBe(0);
    await note.getByRole('button').click();
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await note.waitFor({ state: 'detached' });
    await shows('reward');
    await next();
  });

  it('follows the till’s language', async () => {
    await page.locator('.language').click();
    await expect.poll(() => customer.locator('html').getAttribute('dir')).toBe('rtl');
    await page.locator('.language').click();
    await expect.poll(() => customer.locator('html').getAttribute('dir')).toBe('ltr');
  });

  it('opens neither the till, nor the bridge, nor the sandbox with its session', async () => {
    expect(complaints).toEqual([]);
    const { base_url: bridge, control_url: control, ui_url: screen } = till.agent.ready;
    const answers = await customer.evaluate(
      (addresses) =>
        Promise.all(
          addresses.map((address) =>
            fetch(address).then(
              ({ status }) => status,
              () => 'refused',
            ),
          ),
        ),
      ['/till', '/v1/agent/status', `${bridge}/agent/status`, `${control}/clock`],
    );
    expect(answers).toEqual([404, 404, 'refused', 'refused']);

    // What the page's keys sign for is not known at the till's own address.
    const session = await customer.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          const opened = indexedDB.open('tillbridge', 1);
          opened.onsuccess = () => {
            const read = opened.result.transaction('session').objectStore('session').get('screen');
            read.onsuccess = () => resolve(read.result?.session);
          };
        }),
    );
    expect(session).toEqual(expect.any(String));
    const { origin } = new URL(screen ?? '');
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/till`, { origin });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.once('message', () =>
      socket.send(JSON.stringify({ session, challenge: 'ab'.repeat(32), proof: 'cd'.repeat(32) })),
    );
    expect(await closed).toBe(noSessionCode);
  });
});
