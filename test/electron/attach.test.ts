import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { electronIn } from '../../app/commands/find-electron.ts';
import { root } from '../../tools/bundles.ts';
import { type AgentProcess, startAgentProcess } from '../support/agent-process.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { electronDistPath } from '../support/electron-app.ts';

let folder: string;
let agent: AgentProcess | null;
let apps: ElectronApplication[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attach-'));
  mkdirSync(join(folder, 'windows'), { mode: 0o750 });
  agent = null;
  apps = [];
});
afterEach(async () => {
  for (const app of apps) await app.close();
  await agent?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Stands for the service: a process of its own, with a data folder of its own. */
async function startService(): Promise<AgentProcess> {
  agent = await startAgentProcess({
    dataDir: join(folder, 'data'),
    flags: ['--attach-folder', join(folder, 'windows')],
    environment: { TILLBRIDGE_WINDOW__CUSTOMER_DISPLAY: 'on' },
  });
  return agent;
}

/** The desktop app of a login, with its own home. */
async function openWindowOf(login: string): Promise<Page> {
  const executablePath = electronIn(electronDistPath);
  if (executablePath === null) throw new Error(`${electronDistPath} holds no Electron`);
  const app = await _electron.launch({
    executablePath,
    args: ['--no-sandbox', root, '--', '--attach-folder', join(folder, 'windows')],
    cwd: root,
    env: { ...cleanEnvironment(), XDG_DATA_HOME: join(folder, login) },
  });
  apps.push(app);
  return app.firstWindow();
}

async function beginSale(page: Page, amount: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Scan or type a card, phone or e-mail' }).fill('LC-1001');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Operations' }).getByRole('button', { name: 'Earn on purchase' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(amount);
}

/** The customers' page of each app, as it is shown now. */
const customersLinks = () =>
  Promise.all(
    apps.map(async (app) => {
      const page = app.windows().find((window) => new URL(window.url()).pathname === '/customer');
      return page === undefined ? 'no window' : page.locator('.cw-page').getAttribute('data-link', { timeout: 500 });
    }),
  ).catch(() => ['in between']);

const references = (page: Page) => page.getByRole('region', { name: 'Recent' }).locator('[data-ref]');

describe.skipIf(electronDistPath === '')('two windows of a shared machine', () => {
  it('sell at one agent, wait together while it is away, and leave it running when they are closed', async () => {
    const first = await startService();
    const [mona, omar] = [await openWindowOf('mona'), await openWindowOf('omar')];
    await beginSale(mona, '12.5');
    await mona.keyboard.press('Enter');
    await references(mona).first().waitFor();
    const sold = await references(mona).first().getAttribute('data-ref');
    await omar.locator(`[data-ref="${sold}"]`).first().waitFor();

    await expect.poll(customersLinks).toEqual(['open', 'open']);

    // The service is killed under an open sale.
    await beginSale(omar, '7.25');
    await first.stop('SIGKILL');
    // Its customers' screen comes back at another port, without a session.
    rmSync(join(folder, 'data', 'customer-screen.json'));
    for (const page of [mona, omar]) await page.locator('.app[data-link="lost"]').waitFor();
    await omar.keyboard.press('Enter');
    const again = await startService();
    for (const page of [mona, omar]) await page.locator('.app[data-link="open"]').waitFor({ timeout: 10_000 });
    // The press before was answered by nobody. It is made again, under the same operation.
    await omar.getByText('No answer from Tillbridge').waitFor();
    await omar.keyboard.press('Enter');
    await expect.poll(customersLinks).toEqual(['open', 'open']);
    await expect.poll(() => references(omar).count()).toBe(2);
    await expect.poll(() => references(mona).count()).toBe(2);

    for (const app of apps.splice(0)) await app.close();
    expect(await again.call('GET', '/agent/status')).toMatchObject({ status: 200 });
    const waited = await openWindowOf('mona');
    await expect.poll(() => references(waited).count()).toBe(2);
  });
});
