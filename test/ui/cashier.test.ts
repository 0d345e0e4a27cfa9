import { describe, expect, it } from 'vitest';
import { CommandProcess } from '../support/agent-process.ts';
import { axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

const more = () => page.getByRole('button', { name: 'More' }).click();
const signIn = () => page.getByRole('button', { name: 'Sign in' });

describe.skipIf(!hasChromium)('who sells', () => {
  it('is not asked for where nobody has a badge', async () => {
    await more();
    await page.getByRole('button', { name: 'Activity' }).waitFor();
    expect(await signIn().count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('signs in by badge, stands in the top bar and on the sale, and signs out', async () => {
    const add = ['people', 'add-cashier', 'Sara', '--employee-ref', 'E-7', '--badge', 'BADGE-0007'];
    const command = new CommandProcess(['tillbridge', ...add, '--data-dir', till.dataDir]);
    expect(await command.ended).toMatchObject({ exitCode: 0 });
    await more();
    await signIn().click();
    await page.getByRole('dialog', { name: 'Who is selling?' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await scan(page, 'BADGE-9999');
    await page.getByText('This badge is not known here.', { exact: false }).waitFor();
    await scan(page, 'BADGE-0007');
    await page.locator('[data-cashier="E-7"]').getByText('Sara').waitFor();

    await scan(page, 'LC-1001');
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('12', { delay: 60 });
    await page.keyboard.press('Enter');
    // Before the command, which may take as long as the outcome stands.
    await page.locator('.outcome[data-state=applied]').waitFor();
    const reference = await page.locator('.recent [data-ref]').first().getAttribute('data-ref');
    const show = new CommandProcess(['tillbridge', 'queue', 'show', reference ?? '', '--data-dir', till.dataDir]);
    expect((await show.ended).stdout).toContain('E-7');

    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'My sales' }).click();
    await page.locator('.my-sum[data-sum=earned]').getByText('KWD\u00a012.000').waitFor();
    const row = page.locator('.activity-list > [data-intent=earn]');
    await row.getByText('Earned KWD\u00a012.000').waitFor();
    expect(await row.locator('.activity-cashier').innerText()).toBe('Sara');
    await page.getByLabel('Cashier').selectOption('Nobody signed in');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await more();
    await page.getByRole('button', { name: 'Sign out Sara' }).click();
    await page.locator('[data-cashier]').waitFor({ state: 'detached' });
  });

  it('switches in one step by a scanned badge, or by name and PIN; the sale that was begun stays', async () => {
    await till.office('people.add_cashier', { name: 'Mona', employee_ref: 'E-8', badge: 'BADGE-0008' });
    await till.office('people.set_pin', { name: 'Mona', pin: '4711' });
    // Whether or not the screen has cleared itself since the sale before.
    await page.locator('#find-box').fill('LC-1001');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('7', { delay: 60 });
    const amount = page.locator('#entry-amount');
    await scan(page, 'BADGE-0007');
    await page.getByText('Sara sells now').waitFor();
    await page.locator('[data-cashier="E-7"]').waitFor();
    expect(await amount.inputValue()).toBe('7');

    await more();
    await page.getByRole('button', { name: 'Switch cashier' }).click();
    // Sara has no PIN.
    await page.locator('.who-name').first().waitFor();
    expect(await page.locator('.who-name').allInnerTexts()).toEqual(['Mona']);
    await page.getByRole('button', { name: 'Mona' }).click();
    for (const digit of ['4', '7', '1', '2']) await page.locator(`.who-pin [data-key="${digit}"]`).click();
    await page.keyboard.press('Enter');
    await page.getByText('Wrong PIN', { exact: false }).waitFor();
    expect(await page.locator('#cashier-pin').inputValue()).toBe('');
    expect(await axeFindings(page)).toEqual([]);
    for (const digit of ['4', '7', '1', '1']) await page.locator(`.who-pin [data-key="${digit}"]`).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-cashier="E-8"]').waitFor();
    expect(await amount.inputValue()).toBe('7');
  });

  it('locks, shows nothing of the sale, takes no key that was meant for it, and opens where it was', async () => {
    await more();
    await page.getByRole('button', { name: 'Lock the screen' }).click();
    const locked = page.getByRole('dialog', { name: 'Locked' });
    await locked.waitFor();
    // It may be a PIN that was being typed quickly, and is told as not taken.
    await scan(page, '00012345');
    await locked.getByText('The screen had just locked. Scan the badge again.').waitFor();
    expect(await page.locator('.app-body').isVisible()).toBe(false);
    await page.keyboard.type('4711', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await page.locator('#badge-number').inputValue()).toBe('');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Mona' }).click();
    await page.keyboard.type('4711', { delay: 60 });
    await page.keyboard.press('Enter');
    await locked.waitFor({ state: 'detached' });
    await page.locator('[data-cashier="E-8"]').waitFor();
    expect(await page.locator('#entry-amount').inputValue()).toBe('7');
    // The focus comes back with the next frame.
    await page.locator('#entry-amount:focus').waitFor();
    // Before that an Enter may have been meant for the dialog.
    await page.waitForTimeout(400);
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    const reference = await page.locator('.recent [data-ref]').first().getAttribute('data-ref');
    const show = new CommandProcess(['tillbridge', 'queue', 'show', reference ?? '', '--data-dir', till.dataDir]);
    expect((await show.ended).stdout).toContain('E-8');
    // What is nobody's badge is a card, as ever.
    await scan(page, 'LC-1002');
    await page.getByText('Yousef Al-Mutairi').first().waitFor();
  });

  it('is nobody who gets a manager’s PIN: settings ask for it again after a lock and after another badge', async () => {
    await till.office('people.add_manager', { name: 'Noura', pin: '8024' });
    const pin = page.getByLabel('Manager’s PIN');
    const typePin = async () => {
      await pin.fill('8024');
      await page.keyboard.press('Enter');
      await page.locator('.office-tab').first().waitFor();
    };
    await till.open('settings');
    await typePin();
    await more();
    await page.getByRole('button', { name: 'Lock the screen' }).click();
    await page.getByRole('dialog', { name: 'Locked' }).waitFor();
    await scan(page, 'BADGE-0007');
    await page.locator('[data-cashier="E-7"]').waitFor();
    await pin.waitFor();
    await typePin();
    await more();
    await page.getByRole('button', { name: 'Switch cashier' }).click();
    await page.locator('.who-name').first().waitFor();
    await scan(page, 'BADGE-0008');
    await page.locator('[data-cashier="E-8"]').waitFor();
    await pin.waitFor();
    expect(await page.locator('.office-tab').count()).toBe(0);
    // Nor does a PIN that was typed and not sent stay for the next one.
    await pin.fill('8024');
    await more();
    await page.getByRole('button', { name: 'Sign out Mona' }).click();
    await expect.poll(() => pin.inputValue()).toBe('');
  });
});
