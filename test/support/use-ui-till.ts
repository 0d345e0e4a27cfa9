import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { hasChromium } from './ui-page.ts';
import { openUiTill, type UiTill, type UiTillOptions } from './ui-till.ts';

/** Of the running file: the built agent with its own sandbox, and its screen. What a cashier has. */
export let till: UiTill;
export let page: Page;

/** Opens the till before the first test of the file that calls this, and closes it after its last; nothing without Chromium. */
export function useUiTill(options?: UiTillOptions): void {
  beforeAll(async () => {
    if (!hasChromium) return;
    till = await openUiTill(options);
    ({ page } = till);
  });
  afterAll(async () => {
    if (hasChromium) await till.close();
  });
}
