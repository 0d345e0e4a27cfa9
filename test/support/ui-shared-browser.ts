import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type BuiltPage, buildPage, hasChromium, launchChromium } from './ui-page.ts';

/** The built page and a browser for all tests of a file, there while they run; nothing without Chromium. */
export interface SharedBrowser {
  readonly browser: Browser;
  readonly rendererDir: string;
}

/** Opens them before the first test of the file that calls this, and closes them after its last. */
export function sharedBrowser(): SharedBrowser {
  let built: BuiltPage;
  let browser: Browser;
  beforeAll(async () => {
    if (hasChromium) [built, browser] = await Promise.all([buildPage(), launchChromium()]);
  });
  afterAll(async () => {
    if (!hasChromium) return;
    await browser.close();
    built.remove();
  });
  return {
    get browser() {
      return browser;
    },
    get rendererDir() {
      return built.rendererDir;
    },
  };
}
