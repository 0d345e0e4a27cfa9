import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LabPage } from '../support/lab-page.ts';
import { answerFirst } from '../support/late-answers.ts';
import { failure } from '../support/ui-fake-agent.ts';
import { axeFindings, hasChromium } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

const demoKey = 'loyalty_pk_test_demo_4kq7m2xw9c3t';
useUiTill();
let lab: LabPage;

beforeAll(() => {
  if (hasChromium) lab = new LabPage(till);
});
beforeEach(async () => {
  if (hasChromium) await lab.begin();
});

const earn = (reference: string) =>
  till.call('/transactions/earn', {
    identifier: { loyalty_id: 'LC-1001' },
    external_ref: reference,
    amount_minor: 12_500,
  });
const customersThere = async () =>
  (await till.control<{ customers: readonly unknown[] }>('/', undefined, 'GET')).customers;
const axe = () => axeFindings(page);

describe.skipIf(!hasChromium)('keys', () => {
  it('are made with limits, changed, revoked and let in again', async () => {
    await lab.part('Keys');
    await page.locator(`[data-key="${demoKey}"]`).getByText('This till uses this key').waitFor();
    await lab.press('New API key');
    await lab.dialog().getByLabel('Partner').fill('webshop');
    await lab.dialog().getByLabel('Works until').fill('2030-05-06T10:00');
    await lab.dialog().getByLabel('Only from these addresses').fill('10.0.0.0/8, somewhere');
    await lab.press('Create the API key', lab.dialog());
    await lab.dialog().getByText('One of the addresses is wrong.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('lab-key-addresses');
    expect(await axe()).toEqual([]);
    await lab.dialog().getByLabel('Only from these addresses').fill('10.0.0.0/8');
    await lab.press('Create the API key', lab.dialog());
    const row = page.locator('.lab-key').filter({ hasText: 'webshop' });
    await row.getByText('only from').waitFor();
    await lab.press(/^Change/, row);
    await lab.press('Expire now', lab.dialog());
    await expect.poll(() => row.getAttribute('data-state')).toBe('expired');
    await lab.press(/^Revoke/, row);
    await lab.press('Revoke', lab.dialog());
    await expect.poll(() => row.getAttribute('data-state')).toBe('revoked');
    await lab.press(/^Allow again/, row);
    await expect.poll(() => row.getAttribute('data-state')).toBe('expired');
  });

  it('say what happens when the till’s own is revoked, and let it back in', async () => {
    await lab.part('Keys');
    await lab.press(`Revoke: ${demoKey}`);
    await lab.dialog().getByText('This till uses this key. Sales are saved, and wait.', { exact: false }).waitFor();
    await lab.press('Revoke', lab.dialog());
    await earn('KEY-1');
    await page.locator('[data-connection=key_refused]').waitFor();
    await lab.press(`Allow again: ${demoKey}`);
    await page.locator('[data-connection=online]').waitFor();
  });
});

describe.skipIf(!hasChromium)('rules and starting over', () => {
  it('changes the rules, and names a value that is not taken', async () => {
    await lab.part('Rules');
    await page.getByLabel('A sale is completed after (ms)').fill('-5');
    await lab.press('Save the rules');
    await page.getByText('The service does not accept this value.').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByLabel('A sale is completed after (ms)').fill('2500');
    await page.getByLabel('Calls allowed').fill('50');
    await page.getByLabel('within (s)').fill('10');
    await lab.press('Save the rules');
    await expect
      .poll(() => till.control('/settings', undefined, 'GET'))
      .toMatchObject({
        apply_delay_ms: 2500,
        rate_limit: { requests: 50, per_seconds: 10 },
      });
    await lab.press('Defaults');
    await expect
      .poll(() => till.control('/settings', undefined, 'GET'))
      .toMatchObject({ apply_delay_ms: 1000, rate_limit: null });
  });

  it('keeps what is typed when something else is chosen, which is saved at once', async () => {
    await lab.part('Rules');
    const delay = page.getByLabel('A sale is completed after (ms)');
    const template = page.getByLabel('New customers get');
    const become = async (expected: object): Promise<void> => {
      await expect.poll(() => till.control('/settings', undefined, 'GET')).toMatchObject(expected);
      // While a press is being sent, another one does nothing.
      await page.locator('.lab-sheet-foot [type=submit][aria-disabled=false]').waitFor();
    };
    await delay.fill('2500');
    const suspended = page.getByRole('checkbox', { name: 'The shop is suspended' });
    await suspended.focus();
    await page.keyboard.press('Space');
    await become({ suspended: true, apply_delay_ms: 1000 });
    await page.keyboard.press('Space');
    await become({ suspended: false });
    await template.selectOption('');
    await become({ default_template_id: null });
    expect(await delay.inputValue()).toBe('2500');
    await lab.press('Save the rules');
    await become({ apply_delay_ms: 2500 });
    await delay.fill('3000');
    await lab.press('Defaults');
    await expect.poll(() => delay.inputValue()).toBe('1000');
  });

  it.each([
    ['is saved', null, true, ''],
    ['was refused, which is told', failure('invalid'), false, 'tpl_reward'],
  ] as const)('shows at once what was chosen, and then what %s', async (_, reply, isSuspended, templateId) => {
    const own = await page.context().newPage();
    let answers = Promise.withResolvers<null>();
    await own.goto(page.url());
    await answerFirst(own, 'lab.change_settings', () => answers.promise.then(() => reply));
    await own.locator('.more').click();
    await own.locator('.screen-entry[data-to="lab"]').click();
    await own.getByRole('tab', { name: 'Rules' }).click();
    const suspended = own.getByRole('checkbox', { name: 'The shop is suspended' });
    const template = own.getByLabel('New customers get');
    const answer = async (): Promise<void> => {
      answers.resolve(null);
      await own.locator('.lab-sheet-foot [type=submit][aria-disabled=false]').waitFor();
      expect(await own.getByRole('alert').count()).toBe(reply === null ? 0 : 1);
      answers = Promise.withResolvers<null>();
    };
    await suspended.focus();
    await own.keyboard.press('Space');
    await own.locator('.lab-sheet-foot [type=submit][aria-disabled=true]').waitFor();
    expect(await suspended.isChecked()).toBe(true);
    // A press while another one is being sent does nothing, and shows nothing.
    await own.keyboard.press('Space');
    await expect.poll(() => suspended.isChecked()).toBe(true);
    await answer();
    expect(await suspended.isChecked()).toBe(isSuspended);
    await template.selectOption('');
    await own.locator('.lab-sheet-foot [type=submit][aria-disabled=true]').waitFor();
    expect(await template.inputValue()).toBe('');
    await answer();
    expect(await template.inputValue()).toBe(templateId);
    await own.close();
  });

  it('starts over after saying what is lost', async () => {
    await till.control('/customers', { name: 'Passing by' });
    await lab.press('Start over');
    await lab.dialog().getByText('every sale, hold and code at the service').waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await customersThere()).toHaveLength(15);
    await lab.press('Start over');
    await lab.dialog().getByRole('radio', { name: 'No customers' }).check({ force: true });
    await lab.press('Start over', lab.dialog());
    await lab.dialog().waitFor({ state: 'detached' });
    await lab.part('Customers');
    await page.getByText('No customers').waitFor();
  });
});
