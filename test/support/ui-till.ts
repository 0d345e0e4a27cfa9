import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { demoApiKey } from '../../app/service/fixtures.ts';
import { type AgentReady, type Program, startAgentProgram } from './program.ts';
import { launchChromium, openPage } from './ui-page.ts';

/** The built agent with its sandbox, and its screen in a browser. */
export interface UiTill {
  readonly page: Page;
  readonly browser: Browser;
  readonly agent: Program<AgentReady>;
  readonly complaints: readonly string[];
  /** A call of the bridge: paths begin after `/v1`. */
  call(path: string, body: object): Promise<{ readonly status: number; readonly json: unknown }>;
  /** A call of the sandbox's control. @returns what it answers */
  control(path: string, body?: object, method?: string): Promise<unknown>;
  /** Opens a screen by the menu. */
  open(screen: string): Promise<void>;
  close(): Promise<void>;
}

/** @param prepare fills the folder before the agent starts on it */
export async function openUiTill(prepare: (dataDir: string) => Promise<void> = async () => undefined): Promise<UiTill> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-ui-'));
  await prepare(dataDir);
  const [agent, browser] = await Promise.all([
    startAgentProgram(['--data-dir', dataDir, '--port', '0', '--ui']),
    launchChromium(),
  ]);
  const { page, complaints } = await openPage(browser, agent.ready.ui_url ?? '');
  await page.locator('[data-connection=online]').waitFor();
  const ask = async (address: string, token: string, method: string, body?: object) => {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json().catch(() => null)) as unknown };
  };
  return {
    page,
    browser,
    agent,
    complaints,
    call: (path, body) => ask(agent.ready.base_url + path, agent.ready.token, 'POST', body),
    async control(path, body, method = 'POST') {
      const { status, json } = await ask(`${agent.ready.control_url}${path}`, demoApiKey, method, body);
      if (status >= 300) throw new Error(`The sandbox answered ${status} to ${method} ${path}`);
      return json;
    },
    async open(screen) {
      await page.locator('.more').click();
      await page.locator(`.screen-entry[data-to="${screen}"]`).click();
      await page.locator(`[data-screen="${screen}"]`).waitFor();
    },
    async close() {
      await browser.close();
      await agent.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
