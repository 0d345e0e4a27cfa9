import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import type { TillState } from '../../shared/till/views.ts';
import { type FakeAgent, startFakeAgent } from './ui-fake-agent.ts';
import { hasChromium, type OpenedPage, openChromium, openPage } from './ui-page.ts';

/** The built page and a browser for all tests of a file, there while they run; nothing without Chromium. */
interface SharedBrowser {
  readonly rendererDir: string;
  /** An agent that serves the built page. It ends with the test. */
  startAgent(state?: Partial<TillState>): Promise<FakeAgent>;
  /** The page of `agent`, connected, in a window of its own. It is closed with the test. */
  open(agent: FakeAgent, options?: BrowserContextOptions): Promise<OpenedPage>;
}

/** Opens the browser before the first test of the file that calls this, and closes it after its last. */
export function sharedBrowser(): SharedBrowser {
  const rendererDir = inject('rendererDir');
  let browser: Browser;
  let agents: FakeAgent[] = [];
  beforeAll(async () => {
    if (hasChromium) browser = await openChromium();
  });
  afterEach(async () => {
    if (!hasChromium) return;
    for (const context of browser.contexts()) await context.close();
    for (const agent of agents) await agent.close();
    agents = [];
  });
  afterAll(async () => {
    if (hasChromium) await browser.close();
  });
  return {
    rendererDir,
    async startAgent(state = {}) {
      const agent = await startFakeAgent({ rendererDir, state });
      agents.push(agent);
      return agent;
    },
    async open(agent, options) {
      const opened = await openPage(browser, agent.url, options);
      await opened.page.locator(`[data-connection=${agent.state.connection.state}]`).waitFor();
      // Another language than the first one comes a moment later.
      await opened.page.locator(`html[lang=${agent.state.locale}]`).waitFor();
      return opened;
    },
  };
}
