import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { z } from 'zod';
import { ensureChromium } from '../../../tools/chromium.ts';
import { startBuiltProgram } from '../built-program.ts';
import { milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, inTurns, measuredLine, ratios, skippedLine, spreadOf } from '../measure.ts';
import type { GoalContext } from './context.ts';

const { limits } = goalTable[15];
const builtScreen = join(import.meta.dirname, '..', '..', '..', 'dist', 'renderer');
/** As slow as a till's processor beside a desk's. */
const slowDown = 4;
const chromiumArgs = ['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-gpu'];
interface Load {
  /** Since the navigation began. */
  readonly firstPaintMs: number;
  readonly readyMs: number;
  /** What the page had asked for by then: paths in the built screen. */
  readonly scripts: readonly string[];
}

/** Goal 15: the screen is there before a hand is, and answers a press at once. */
export async function measurePage({ work, rounds }: GoalContext): Promise<readonly GoalLine[]> {
  const found = await ensureChromium(process.env);
  if (!found.found) {
    return Object.values(limits).map((limit) => skippedLine(limit, found.reason));
  }
  const dataDir = work.folder('page');
  const agent = await startBuiltProgram(['agent', '--json', '--ui', '--port', '0', '--data-dir', dataDir]);
  const browser = await chromium.launch({ executablePath: found.path, args: chromiumArgs });
  try {
    const till: Till = { newAddress: () => newAddress(dataDir, JSON.parse(agent.readyLine).base_url) };
    const loads: Load[] = [];
    const screen = async (): Promise<number> => {
      const load = await loadScreen(browser, till);
      loads.push(load);
      return load.readyMs;
    };
    await loadScreen(browser, till); // The browser's own first page.
    const ready = await inTurns(rounds, { screen, empty: () => loadEmptyPage(browser) });
    const presses: number[] = [];
    for (let round = 0; round < rounds; round += 1) presses.push(await pressOperation(browser, till));
    return [
      measuredLine(
        limits.ready,
        spreadOf(loads.map(({ firstPaintMs, readyMs }) => readyMs - firstPaintMs)),
        [
          `first paint ${milliseconds(loads.map(({ firstPaintMs }) => firstPaintMs))}`,
          `ready ${milliseconds(ready.screen)} after the navigation`,
          `${ratios(ready.screen, ready.empty).median.toFixed(1)} times an empty page's first paint`,
        ].join(', '),
      ),
      measuredLine(limits.press, spreadOf(presses), 'until the frame after it is drawn'),
      measuredLine(
        limits.load,
        spreadOf(loads.map(({ scripts }) => compressedBytes(scripts) / 1_000)),
        `${loads[0]?.scripts.length ?? 0} files; what screens beside the sale need is loaded later`,
      ),
    ];
  } finally {
    await browser.close();
    await agent.stop();
  }
}

/** With gzip. */
function compressedBytes(scripts: readonly string[]): number {
  if (scripts.length === 0) throw new Error('The screen has loaded no script');
  return [...new Set(scripts)].reduce((sum, path) => sum + gzipSync(readFileSync(join(builtScreen, path))).length, 0);
}

interface Till {
  /** Opens the screen in one more window. */
  readonly newAddress: () => Promise<string>;
}

const addressSchema = z.object({ url: z.url() });

/** As `tillbridge sessions open` has it made. */
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

/** Shows a page in a window as a till opens it, its processor slowed down; of what was kept before, the session alone. */
async function inSlowPage<Answer>(
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

/** Ready: the agent's state is on the screen, and the find box takes what is scanned. */
async function loadScreen(browser: Browser, till: Till): Promise<Load> {
  return inSlowPage(browser, till, async (page, url) => {
    await page.addInitScript(() => {
      const isReady = (): boolean =>
        document.querySelector('[data-connection]:not([data-connection=reconnecting])') !== null &&
        document.activeElement?.id === 'find-box';
      const look = (): void => {
        if (isReady()) performance.mark('till-ready');
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName('till-ready').length > 0);
    return page.evaluate(() => {
      const readyMs = performance.getEntriesByName('till-ready')[0]?.startTime ?? Number.NaN;
      return {
        firstPaintMs: performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN,
        readyMs,
        // Also what has been asked for and is still under way.
        scripts: performance
          .getEntriesByType('resource')
          .filter(({ startTime }) => startTime <= readyMs)
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith('.js')),
      };
    });
  });
}

/** @returns when a page without any script is painted first, in milliseconds since its navigation */
async function loadEmptyPage(browser: Browser): Promise<number> {
  return inSlowPage(browser, null, async (page) => {
    await page.goto('data:text/html,<title>Empty</title><p>Empty');
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
    return page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN);
  });
}

async function pressOperation(browser: Browser, till: Till): Promise<number> {
  return inSlowPage(browser, till, async (page, url) => {
    await page.goto(url);
    await page.locator('[data-connection=online]').waitFor();
    await page.locator('#find-box').fill('LC-1001');
    await page.keyboard.press('Enter');
    await page.locator('[data-operation=earn_amount]').waitFor();
    return page.evaluate(async () => {
      const startMs = performance.now();
      document.querySelector<HTMLElement>('[data-operation=earn_amount]')?.click();
      while (document.querySelector('[role=dialog]') === null) await new Promise(requestAnimationFrame);
      // The frame after it: now it is drawn.
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      return performance.now() - startMs;
    });
  });
}
