import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopApp, electronDistPath, openDesktopApp } from '../support/electron-app.ts';

describe.skipIf(electronDistPath === '')('files that the desktop app’s page makes', () => {
  let desktop: DesktopApp;
  beforeAll(async () => {
    desktop = await openDesktopApp();
    // Instead of asking where to.
    await desktop.electron.evaluate(({ session }, folder) => {
      session.defaultSession.on('will-download', (_event, item) => item.setSavePath(`${folder}/${item.getFilename()}`));
    }, desktop.dataDir);
  });
  afterAll(() => desktop?.close());

  it('are kept: a day’s figures as CSV', async () => {
    const { page, dataDir } = desktop;
    await page.locator('.more').click();
    await page.locator('.screen-entry[data-to="day-close"]').click();
    await page.getByText('No sales on this day').waitFor();
    const day = await page.getByLabel('Business day').inputValue();
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const file = join(dataDir, `day-${day}.csv`);
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('applied_total');
    rmSync(file);
    expect(desktop.pageErrors).toEqual([]);
  });

  it('are not kept where they are something else, such as a page', async () => {
    const { page, dataDir } = desktop;
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/index.html';
      link.download = 'page.html';
      document.body.append(link);
      link.click();
    });
    await page.waitForTimeout(1_000);
    expect(existsSync(join(dataDir, 'page.html'))).toBe(false);
  });
});
