import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerIsRead, axeFindings, hasChromium } from '../support/ui-page.ts';
import { openUiTill } from '../support/ui-till.ts';

it.skipIf(!hasChromium)('a new customer gets the card that the cashier chooses, where there is a choice', async () => {
  const templates = ['tpl_stamp=Coffee stamps', 'tpl_cashback=Cashback'];
  const till = await openUiTill({
    prepare: (dataDir) =>
      writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ enroll_templates: templates })),
  });
  try {
    const { page } = till;
    await page.locator('.find-enroll').click();
    const dialog = page.getByRole('dialog', { name: 'Enroll a customer' });
    await dialog.getByRole('radio', { name: 'Coffee stamps', checked: true }).waitFor();
    await dialog.getByText('Cashback', { exact: true }).click();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Phone').fill('5551 2301');
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    // The sandbox has the code at hand.
    await dialog.locator('.practice-code').click();
    await answerIsRead(page);
    await dialog.getByRole('button', { name: 'Check the code' }).click();
    await dialog.getByRole('button', { name: 'Start the sale' }).waitFor();
    await answerIsRead(page);
    await dialog.getByRole('button', { name: 'Start the sale' }).click();
    // A card that earns in one way opens it at once: cashback.
    await page.getByRole('dialog', { name: 'Earn on purchase' }).waitFor();
  } finally {
    await till.close();
  }
});
