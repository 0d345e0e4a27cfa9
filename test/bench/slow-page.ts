import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';

/** How many times slower a till's processor is than a desk's. */
const slowDown = 4;

/** A running agent with a screen. */
export interface Till {
  /** Opens the screen in one more window. */
  readonly newAddress: () => Promise<string>;
}

export function tillOf(dataDir: string, baseUrl: string): Till {
  return { newAddress: () => newAddress(dataDir, baseUrl) };
}

const addressSchema = z.object({ url: z.url() });

/** Asks the agent for one, as `tillbridge sessions open` does. */
async function newAddress(dataDir: string, baseUrl: string): Promise<string> {
  const secret = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')));
  const response = await fetch(`${baseUrl}/agent/office/sessions.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret.office_secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kiosk: null }),
  });
  return addressSchema.parse(await response.json()).url;
}

/** Shows a page with a slowed-down processor and an empty browser cache. Of earlier visits it keeps the session alone. */
export async function inSlowPage<Answer>(
  browser: Browser,
  till: Till | null,
  run: (page: Page, url: string) => Promise<Answer>,
): Promise<Answer> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  try {
    const url = till === null ? '' : await signIn(context, await till.newAddress());
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    return await run(page, url);
  } finally {
    await context.close();
  }
}

/** @returns the screen's bare address, where the window has a session now */
async function signIn(context: BrowserContext, oneTimeUrl: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(oneTimeUrl);
  await page.locator('[data-connection=online]').waitFor();
  const url = page.url();
  await page.close();
  return url;
}
