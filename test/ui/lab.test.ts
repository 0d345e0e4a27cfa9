import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultTypes } from '../../shared/till/lab-names.ts';
import { LabPage } from '../support/lab-page.ts';
import { axeFindings, hasChromium } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();
let lab: LabPage;

beforeAll(() => {
  if (hasChromium) lab = new LabPage(till);
});
beforeEach(async () => {
  if (hasChromium) await lab.begin();
});

const earn = (reference: string, card = 'LC-1001') =>
  till.call('/transactions/earn', { identifier: { loyalty_id: card }, external_ref: reference, amount_minor: 12_500 });

const faults = async () => (await till.control<{ data: readonly unknown[] }>('/faults', undefined, 'GET')).data;
const customersThere = async () =>
  (await till.control<{ customers: readonly unknown[] }>('/', undefined, 'GET')).customers;
const codes = () => till.control<{ data: readonly { otp: string }[] }>('/otp', undefined, 'GET');
const chip = (): Locator => page.locator('[data-lab=turned]');
const axe = () => axeFindings(page);

describe.skipIf(!hasChromium)('practice', () => {
  it('cuts the line with one press and repairs it with another; every screen tells it', async () => {
    await expect.poll(() => page.getByRole('radio', { name: 'Online' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'No connection' }).check({ force: true });
    await page.locator('[data-connection=offline]').waitFor();
    await lab.show('sale');
    await chip().getByText('No connection').waitFor();
    expect((await earn('CUT-1')).status).toBe(202);
    await chip().click();
    await page.getByText(/^Met \d+ calls?$/).waitFor();
    await page.getByRole('radio', { name: 'Online' }).check({ force: true });
    await page.locator('[data-connection=online]').waitFor();
    await chip().waitFor({ state: 'detached' });
    expect(await faults()).toEqual([]);
  });

  it('has one situation at a time, whatever came before', async () => {
    for (const [name, effect] of [
      ['Slow connection', { type: 'delay', ms: 3000 }],
      ['Answers get lost', { type: 'drop_response' }],
      ['The service is busy', { type: 'error', status: 503, code: 'INTERNAL' }],
      ['Asked to slow down', { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 10 }],
      ['The API key is refused', { type: 'error', status: 401, code: 'UNAUTHENTICATED' }],
      ['The shop is suspended', { type: 'error', status: 403, code: 'TENANT_SUSPENDED' }],
    ] as const) {
      await page.getByRole('radio', { name }).check({ force: true });
      await expect.poll(faults).toMatchObject([{ effect }]);
      await expect.poll(() => page.getByRole('radio', { name }).isChecked()).toBe(true);
    }
  });

  it('says when somebody else has turned something', async () => {
    await till.control('/faults', { match: { path: '/transactions/earn' }, effect: { type: 'offline' }, times: 3 });
    await page.getByText('Your own faults are on').waitFor();
    await till.control('/clock', { mode: 'manual' });
    await page.getByText('The sandbox clock differs from real time').waitFor();
    await chip().getByText('No connection · Clock stopped').waitFor();
    await till.control('/settings', { suspended: true }, 'PATCH');
    await page.getByText('The shop is suspended by the rules').waitFor();
    expect(await axe()).toEqual([]);
    await lab.press('End the suspension');
    await page.getByText('The shop is suspended by the rules').waitFor({ state: 'detached' });
  });
});

describe.skipIf(!hasChromium)('customers', () => {
  it('are found, shown with codes for the scanner, and brought to the till', async () => {
    await lab.part('Customers');
    await page.getByRole('img', { name: 'QR code of card LC-1001' }).waitFor();
    await page.getByLabel('Name, phone, e-mail or card').fill('1010');
    await page.getByRole('heading', { name: 'Hessa Al-Ajmi' }).waitFor();
    expect(await page.locator('.lab-card').count()).toBe(2);
    await page.getByLabel('Name, phone, e-mail or card').fill('nobody at all');
    await page.getByText('Nobody found').waitFor();
    await page.getByLabel('Name, phone, e-mail or card').fill('sarah');
    await lab.press(/^Use at the till: LC-1003/);
    await page.locator('[data-screen=sale]').waitFor();
    await page.getByRole('heading', { name: 'Sarah Mitchell' }).waitFor();
  });

  it('are made with any balances; what is wrong is said at the field', async () => {
    await lab.part('Customers');
    await lab.press('New test customer');
    await lab.dialog().getByLabel('Name').fill('Test Person');
    await lab.dialog().getByLabel('Phone', { exact: true }).fill('+96599887766');
    await lab.dialog().getByLabel('Kind of card').selectOption({ label: 'Cashback 5 %' });
    await lab.dialog().getByLabel('Money on the card (KWD)').fill('12,5');
    await lab.press('Create the customer', lab.dialog());
    await lab.dialog().getByText('A number, zero or more. A coupon has 0 or 1.').waitFor();
    await lab.dialog().getByLabel('Money on the card (KWD)').fill('12.5');
    await lab.press('Create the customer', lab.dialog());
    await lab.dialog().getByText('Not a phone number, or of another customer.').waitFor();
    expect(await axe()).toEqual([]);
    await lab.dialog().getByLabel('Phone', { exact: true }).fill('٥٥٥٩٩٩٩٩');
    await lab.press('Create the customer', lab.dialog());
    await page.getByRole('heading', { name: 'Test Person' }).waitFor();
    await page.getByText('KWD 12.500 cashback').waitFor();
    const customers = await customersThere();
    expect(customers.at(-1)).toMatchObject({
      phone: '+96555599999',
      cards: [{ balances: { cashback_minor: 12_500 } }],
    });
  });

  it('have cards that are suspended and resumed', async () => {
    await lab.part('Customers');
    const card = page.locator('.lab-card[data-card="LC-1001"]');
    await lab.press(/^Suspend: LC-1001/);
    await expect.poll(() => card.getAttribute('data-state')).toBe('suspended');
    await lab.press(/^Resume: LC-1001/);
    await expect.poll(() => card.getAttribute('data-state')).toBe('active');
  });
});

describe.skipIf(!hasChromium)('the codes', () => {
  it('wait here with their time, and one press puts them into the enrolling dialog', async () => {
    await lab.part('Codes');
    await page.getByText('No waiting code').waitFor();
    await lab.show('sale');
    await lab.press('New customer');
    await lab.dialog().getByLabel('Phone').fill('5551 2345');
    await lab.press('Send the code', lab.dialog());
    await expect.poll(codes).toMatchObject({ data: [{ phone: '+96555512345' }] });
    const { otp = '' } = (await codes()).data[0] ?? {};
    await lab.press(new RegExp(`The sandbox sent this code: ${otp}`), lab.dialog());
    expect(await lab.dialog().getByLabel('Code', { exact: true }).inputValue()).toBe(otp);
    await page.keyboard.press('Escape');
    await lab.show('lab');
    await lab.part('Codes');
    const row = page.locator('.lab-code');
    await row.getByText(otp).waitFor();
    await row.getByText(/^Valid for 4:\d\d/).waitFor();
    await lab.press(`Copy the code ${otp}`);
    expect(await page.evaluate(() => window.getSelection()?.toString())).toContain(otp);
    expect(await axe()).toEqual([]);
    await till.control('/clock', { advance_ms: 300_000 });
    await row.getByText(/^Expired/).waitFor();
  });
});

describe.skipIf(!hasChromium)('the clock', () => {
  it('is held, moved on and let run, and says beforehand what becomes due', async () => {
    await lab.part('Clock');
    await lab.press('Stop the clock');
    await page.locator('[data-clock=held]').waitFor();
    await earn('CLOCK-1');
    await page.locator('[data-due=transaction][data-ref="CLOCK-1"]').waitFor();
    // On a slow machine an earlier sale of this file may become due with it.
    const completed = page.locator('[data-step=minute]').getByText(/^(1 sale is|\d+ sales are) completed/);
    await completed.waitFor();
    expect(await axe()).toEqual([]);
    await page.locator('[data-step=hour]').click();
    await page.locator('[data-due=transaction][data-ref="CLOCK-1"]').waitFor({ state: 'detached' });
    await lab.press('Start the clock');
    await page.getByText('1 hour ahead of the real time').waitFor();
    await chip().getByText('Clock 1 h ahead').waitFor();
    await page.getByLabel('Own step').fill('x');
    await lab.press('Move forward');
    await page.getByText('Enter a number above zero.').waitFor();
    await page.getByLabel('Own step').fill('٣');
    await page.getByLabel('Unit').selectOption('day');
    await lab.press('Move forward');
    await page.getByText('3 days ahead of the real time').waitFor();
  });

  it('is set to a time of the shop’s own clock, and never back', async () => {
    await lab.part('Clock');
    await lab.press('Stop the clock');
    await page.locator('[data-clock=held]').waitFor();
    await page.getByLabel('Date and time').fill('2020-01-01T10:00');
    await lab.press('Set the clock');
    await page.getByText('Choose a later time. The clock cannot go back.').waitFor();
    await page.getByLabel('Date and time').fill('2030-05-06T10:00');
    await lab.press('Set the clock');
    await page.getByText('10:00:00').waitFor();
    expect((await till.control<{ now: string }>('/clock', undefined, 'GET')).now).toBe('2030-05-06T07:00:00.000Z');
    await lab.press('Back to real time');
    await lab.press('Start over', lab.dialog());
    await page.locator('[data-clock=real]').waitFor();
  });

  it('brings a failure that somebody has asked for', async () => {
    await lab.part('Clock');
    await lab.press('Stop the clock');
    await earn('FAIL-1');
    await lab.press('Make it fail: FAIL-1');
    await lab.press('Make it fail', lab.dialog());
    await page.getByText('Will fail: The card does not allow this').waitFor();
    await page.locator('[data-step=minute]').click();
    await expect.poll(() => stateAtService('FAIL-1')).toBe('failed');
  });
});

const stateAtService = async (reference: string) => {
  const path = `/transactions?external_ref=${reference}`;
  return (await till.call<{ data: readonly { status: string }[] }>(path)).json.data[0]?.status;
};

describe.skipIf(!hasChromium)('faults of one’s own', () => {
  it('are put together from all that the sandbox can do', async () => {
    await lab.part('Faults');
    await page.getByText('No faults').waitFor();
    const form = page.getByRole('form', { name: 'Add a fault' });
    const effects = await form
      .getByLabel('What goes wrong')
      .locator('option')
      .evaluateAll((all) => all.map((option) => option.getAttribute('value')));
    expect(new Set(effects)).toEqual(new Set(faultTypes));
    await form.getByLabel('What goes wrong').selectOption('error');
    await form.getByLabel('Error').selectOption('RATE_LIMITED');
    expect(await form.getByLabel('HTTP status').inputValue()).toBe('429');
    await form.getByLabel(/^Try again after/).fill('7');
    await form.getByLabel('Which calls').selectOption({ label: 'Earn' });
    await form.getByLabel(/^Only this reference/).fill('ONLY-1');
    await form.getByLabel('How often').selectOption('next');
    await form.getByLabel('How many calls').fill('0');
    await lab.press('Add the fault');
    await form.getByText('A whole number above zero.').waitFor();
    expect(await axe()).toEqual([]);
    await form.getByLabel('How many calls').fill('2');
    await form.getByLabel('Of the calls, percent').fill('50');
    await lab.press('Add the fault');
    await page.locator('[data-fault=error]').getByText('Earn').waitFor();
    expect(await faults()).toMatchObject([
      {
        match: { method: 'POST', path: '/transactions/earn', external_ref: 'ONLY-1' },
        effect: { type: 'error', status: 429, code: 'RATE_LIMITED', retry_after: 7 },
        times: 2,
        probability: 0.5,
      },
    ]);
    await form.getByLabel('What goes wrong').selectOption('delay');
    await form.getByLabel('Seconds').fill('1.5');
    await form.getByLabel('Which calls').selectOption('own');
    await form.getByLabel('Path').fill('/redemptions/*');
    await lab.press('Add the fault');
    await page.locator('[data-fault=delay]').getByText('/redemptions/*').waitFor();
    await lab.press('Remove: Slow connection');
    await page.locator('[data-fault=delay]').waitFor({ state: 'detached' });
    await lab.press('Clear all');
    await page.getByText('No faults').waitFor();
  });
});

describe.skipIf(!hasChromium)('requests', () => {
  it('come by themselves, are filtered and opened, and a repeat with other values is marked', async () => {
    await lab.part('Requests');
    await page.getByText('No calls yet').waitFor();
    await earn('LOG-1');
    const row = page.locator('.lab-log > [data-ref="LOG-1"][data-call="earn"]');
    await row.first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    // Where it was sold makes no other request of it for the till; the service compares all of it.
    for (const channel of ['pos', 'ecommerce']) {
      await till.call('/customers/enroll', { external_ref: 'LOG-3', phone: '55512345', name: 'Noura', channel });
    }
    await earn('LOG-2', 'LC-1002');
    await page.getByText('Paused. New calls are not shown.').waitFor();
    expect(await page.locator('[data-mark=payload_differs]').count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('[data-mark=payload_differs]').waitFor();
    await page.getByLabel('Result').selectOption('differs');
    await expect.poll(() => page.locator('.lab-request').count()).toBe(1);
    await page.locator('.lab-request').click();
    await lab.dialog().getByText('The same reference came with other values. The first values count.').waitFor();
    await lab.dialog().getByRole('region', { name: 'Request' }).getByText('"channel": "ecommerce"').waitFor();
    await lab.dialog().getByRole('region', { name: 'Answer' }).getByText('awaiting_otp').waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Result').selectOption('every');
    await page.getByLabel('Call', { exact: true }).selectOption({ label: 'Hold' });
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('Call', { exact: true }).selectOption('every');
    expect(await axe()).toEqual([]);
    await lab.press('Clear');
    await page.locator('.lab-log > [data-ref="LOG-1"]').first().waitFor({ state: 'detached' });
  });
});

describe.skipIf(!hasChromium)('the lab', () => {
  it('is walked by keyboard, and speaks Arabic throughout', async () => {
    await page.getByRole('tab', { name: 'Practice' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('tab', { name: 'Customers', selected: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-connection=offline]').waitFor();
    await page.locator('.language').click();
    await page.locator('html[lang=ar]').waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.locator('.lab-skeletons').waitFor({ state: 'detached' });
      expect(await axe()).toEqual([]);
      const text = await page.locator('.lab-content').evaluate((content) => {
        const copy = content.ownerDocument.importNode(content, true);
        for (const part of copy.querySelectorAll('bdi, .ref, option, time')) part.remove();
        return copy.textContent;
      });
      // Card kinds keep the tenant's own names; the product and abbreviations keep their Latin letters.
      expect(text.replace(/Tillbridge|HTTP|QR|KWD|[A-Z]+_[A-Z_]+|\d+/g, '')).not.toMatch(/[A-Za-z]{2}/);
      await page.locator('.lab-tab').first().click();
    }
    await page.locator('.language').click();
    expect(till.complaints).toEqual([]);
  });
});
