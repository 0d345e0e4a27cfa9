import { describe, expect, it } from 'vitest';
import { hasChromium, scan } from '../support/ui-page.ts';
import { till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

const button = (name: string) => till.page.getByRole('button', { name, exact: true });
const dialog = () => till.page.locator('dialog[open]');
const section = (name: string) => till.page.locator(`.office-tab[data-section=${name}]`).click();
const hasFocus = (name: string) =>
  expect.poll(() => button(name).evaluate((element) => element === document.activeElement)).toBe(true);

describe.skipIf(!hasChromium)('a dialog that is left', () => {
  it.each([
    ['settings', 'Add a cashier'],
    ['day-close', 'Close the day'],
    ['lab', 'New test customer'],
  ])('gives the focus back to the button that opened it: %s', async (screen, opener) => {
    await till.open(screen);
    if (screen === 'settings') await section('people');
    if (screen === 'lab') await till.page.getByRole('tab', { name: 'Customers' }).click();
    await button(opener).focus();
    await till.page.keyboard.press('Enter');
    await dialog().waitFor();
    await till.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await hasFocus(opener);
  });
});

describe.skipIf(!hasChromium)('a badge that is too long', () => {
  it('is told as that, and not as somebody else’s', async () => {
    await till.open('settings');
    await section('people');
    await button('Add a cashier').click();
    await dialog().getByLabel('Name').fill('Huda');
    await dialog().getByLabel('Employee’s code').fill('E-9');
    await dialog().getByLabel('Badge').focus();
    await scan(till.page, 'Q'.repeat(100));
    await dialog().getByText('100 characters').waitFor();
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByText('A badge has at most 64 characters.', { exact: false }).waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Huda');
    await till.page.keyboard.press('Escape');
    expect(till.complaints).toEqual([]);
  });
});
