import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { ensureChromium } from '../../../tools/chromium.ts';
import { startBuiltProgram } from '../built-program.ts';
import { milliseconds } from '../figures.ts';
import { goalTable } from '../goal-table.ts';
import { type GoalLine, inTurns, measuredLine, ratios, skippedLine, spreadOf } from '../measure.ts';
import { inSlowPage, type Till, tillOf } from '../slow-page.ts';
import type { GoalContext } from './context.ts';
import { bareEntryMs, earlyPressMs, entryShape, libraryEntryMs, pressMs, touchMs } from './press.ts';

const { limits } = goalTable[15];
const builtScreen = join(import.meta.dirname, '..', '..', '..', 'dist', 'renderer');
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
    const till = tillOf(dataDir, JSON.parse(agent.readyLine).base_url);
    const loads: Load[] = [];
    const screen = async (): Promise<number> => {
      const load = await loadScreen(browser, till);
      loads.push(load);
      return load.readyMs;
    };
    await loadScreen(browser, till); // The browser's own first page.
    const ready = await inTurns(rounds, { screen, empty: () => loadEmptyPage(browser) });
    const shape = await entryShape(browser, till);
    const preactScript = await libraryScript();
    const presses = await inTurns(rounds, {
      entry: () => pressMs(browser, till),
      early: () => earlyPressMs(browser, till),
      touch: () => touchMs(browser, till),
      bare: () => bareEntryMs(browser, till, shape),
      library: () => libraryEntryMs(browser, till, { shape, preactScript }),
    });
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
      measuredLine(
        limits.press,
        spreadOf(presses.entry),
        [
          `until its frame is drawn, the touched button shows it after ${milliseconds(presses.touch)}`,
          `the same entry put there by nothing but a script ${milliseconds(presses.bare)}`,
          `by the page's library alone ${milliseconds(presses.library)}`,
          `with the customer asked for at once when the page is ready ${milliseconds(presses.early)}`,
        ].join('; '),
        spreadOf(presses.bare),
      ),
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

/** The page's library as a script that sets the variable `preact`. */
async function libraryScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: fileURLToPath(import.meta.resolve('preact')), formats: ['iife'], name: 'preact' },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const script = output?.output[0].code;
  if (script === undefined) throw new Error('The library could not be built for the page');
  return script;
}

/** With gzip. */
function compressedBytes(scripts: readonly string[]): number {
  if (scripts.length === 0) throw new Error('The screen has loaded no script');
  return [...new Set(scripts)].reduce((sum, path) => sum + gzipSync(readFileSync(join(builtScreen, path))).length, 0);
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
