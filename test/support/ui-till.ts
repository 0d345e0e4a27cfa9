import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { ConnectionState } from '../../shared/till/views.ts';
import { secretsIn } from './agent-process.ts';
import { type AgentReady, type Program, startAgentProgram } from './program.ts';
import { openChromium, openPage } from './ui-page.ts';

/** The built agent with its sandbox, and its screen in a browser. */
export interface UiTill {
  readonly page: Page;
  readonly browser: Browser;
  readonly agent: Program<AgentReady>;
  readonly complaints: string[];
  readonly dataDir: string;
  /** A POST to the bridge, or a GET where there is no body: paths begin after `/v1`. @param token the agent's own when left out */
  call<Answer = unknown>(
    path: string,
    body?: object,
    token?: string,
  ): Promise<{ readonly status: number; readonly json: Answer }>;
  /** A call of the office, as store IT's commands make it. */
  office<Answer = unknown>(name: string, input: object): Promise<{ readonly status: number; readonly json: Answer }>;
  /** A call of the sandbox's control. @returns what it answers */
  control<Answer = unknown>(path: string, body?: object, method?: string): Promise<Answer>;
  /** The points of the customer with this card, as the service says them. */
  points(loyaltyId: string): Promise<number>;
  /** Opens a screen by the menu. */
  open(screen: string): Promise<void>;
  close(): Promise<void>;
}

export interface UiTillOptions {
  /** Fills the folder before the agent starts on it. */
  readonly prepare?: (dataDir: string) => void | Promise<void>;
  /** More of the agent's command line. */
  readonly args?: (dataDir: string) => readonly string[];
  /** What the line comes to at first. */
  readonly connection?: ConnectionState;
}

export async function openUiTill({
  prepare = () => undefined,
  args = () => [],
  connection = 'online',
}: UiTillOptions = {}): Promise<UiTill> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-ui-'));
  await prepare(dataDir);
  const [agent, browser] = await Promise.all([
    startAgentProgram(['--data-dir', dataDir, '--port', '0', '--ui', ...args(dataDir)]),
    openChromium(),
  ]);
  const { page, complaints } = await openPage(browser, agent.ready.ui_url ?? '');
  await page.locator(`[data-connection=${connection}]`).waitFor();
  const ask = async <Answer>(address: string, token: string, method: string, body?: object) => {
    const response = await fetch(address, {
      method,
      // The agent closes a connection at rest, and a test may let its clock go on: the next call must not meet that.
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json().catch(() => null)) as Answer };
  };
  const call = <Answer>(path: string, body?: object, token = agent.ready.token) =>
    ask<Answer>(agent.ready.base_url + path, token, body === undefined ? 'GET' : 'POST', body);
  return {
    page,
    browser,
    agent,
    complaints,
    dataDir,
    call,
    office: (name, input) => call(`/agent/office/${name}`, input, secretsIn(dataDir).office_secret ?? ''),
    async control<Answer>(path: string, body?: object, method = 'POST') {
      const { control_url: url, control_key: key } = agent.ready;
      const { status, json } = await ask<Answer>(`${url}${path}`, key ?? '', method, body);
      if (status >= 300) throw new Error(`The sandbox answered ${status} to ${method} ${path}`);
      return json;
    },
    async points(loyaltyId) {
      const { json } = await call<IdentifiedCards>('/customers/identify', { loyalty_id: loyaltyId });
      return json.cards[0]?.balances.points ?? Number.NaN;
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

interface IdentifiedCards {
  readonly cards: readonly { readonly balances: { readonly points: number } }[];
}
