import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumOptions, hasChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's Chromium is reached; undefined where it has none. */
    chromiumEndpoint: string | undefined;
  }
}

/**
 * One Chromium for all files of a run: starting one takes as long as many a test. Each file has windows of its own in it.
 *
 * @returns what ends it
 */
export default async function provideChromium(project: TestProject): Promise<() => Promise<void>> {
  if (!hasChromium) return async () => undefined;
  const server = await chromium.launchServer(chromiumOptions);
  project.provide('chromiumEndpoint', server.wsEndpoint());
  return () => server.close();
}
