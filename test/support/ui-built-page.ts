import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { bundles } from '../../tools/bundles.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built page. */
    rendererDir: string;
  }
}

/**
 * Builds the page as it is now, once for all files of a run, into a folder of its own: never a stale one, and nobody
 * else's build is in the way. A watched run builds it again before it repeats tests.
 *
 * @returns what removes it
 */
export default async function provideBuiltPage(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-page-'));
  const renderer = bundles.find(({ name }) => name === 'renderer');
  if (renderer === undefined) throw new Error('There is no page to build');
  const buildPage = () => build(renderer.config(folder));
  await buildPage();
  project.onTestsRerun(async () => void (await buildPage()));
  project.provide('rendererDir', join(folder, 'renderer'));
  return () => rmSync(folder, { recursive: true, force: true });
}
