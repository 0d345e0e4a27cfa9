import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandProcess } from '../support/agent-process.ts';
import { type AgentReady, type Program, startAgentProgram } from '../support/program.ts';
import { hasChromium, launchChromium, openPage, scan } from '../support/ui-page.ts';

let dataDir: string;
let agent: Program<AgentReady>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (!hasChromium) return;
  dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-cashier-'));
  [agent, browser] = await Promise.all([
    startAgentProgram(['--data-dir', dataDir, '--port', '0', '--ui']),
    launchChromium(),
  ]);
  ({ page } = await openPage(browser, agent.ready.ui_url ?? ''));
  await page.locator('[data-connection=online]').waitFor();
});
afterAll(async () => {
  if (!hasChromium) return;
  await browser.close();
  await agent.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

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
    const command = new CommandProcess(['tillbridge', ...add, '--data-dir', dataDir]);
    expect(await command.ended).toMatchObject({ exitCode: 0 });
    await more();
    await signIn().click();
    await page.getByRole('dialog', { name: 'Who is selling?' }).waitFor();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await scan(page, 'BADGE-9999');
    await page.getByText('This badge is not known here.', { exact: false }).waitFor();
    await scan(page, 'BADGE-0007');
    await page.locator('[data-cashier="E-7"]').getByText('Sara').waitFor();

    await scan(page, 'LC-1001');
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('12', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    const reference = await page.locator('.recent [data-ref]').first().getAttribute('data-ref');
    const show = new CommandProcess(['tillbridge', 'queue', 'show', reference ?? '', '--data-dir', dataDir]);
    expect((await show.ended).stdout).toContain('E-7');

    await more();
    await page.getByRole('button', { name: 'Sign out Sara' }).click();
    await page.locator('[data-cashier]').waitFor({ state: 'detached' });
  });
});
