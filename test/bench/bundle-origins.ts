import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { bundles, root } from '../../tools/bundles.ts';
import type { CallFrame } from './profile-times.ts';

const built = join(root, 'dist');

/**
 * Which of the project's files a frame of a profile comes from, also one of the program in dist/. For that it bundles the
 * program once more with its maps, into a folder of its own: what is shipped has none, and names its files by their
 * content, so that both have the same names.
 *
 * @returns a path from the root; null for Node, a package, or what has no map
 */
export async function originsOfBundle(folder: string): Promise<(frame: CallFrame) => string | null> {
  const app = bundles.find(({ name }) => name === 'app');
  if (app === undefined) throw new Error('There is no bundle of the agent');
  const config = app.config(folder);
  await build({ ...config, logLevel: 'silent', build: { ...config.build, sourcemap: 'hidden' } });
  const maps = new Map<string, SourceMap | null>();

  function mapOf(path: string): SourceMap | null {
    const known = maps.get(path);
    if (known !== undefined) return known;
    const file = join(folder, `${relative(built, path)}.map`);
    const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null;
    maps.set(path, map);
    return map;
  }

  return ({ url, lineNumber, columnNumber }) => {
    const path = url.replace(/^file:\/\//, '');
    const isBuilt = path.startsWith(`${built}/`);
    const origin = isBuilt ? mapOf(path)?.findEntry(lineNumber, columnNumber) : undefined;
    const source = origin !== undefined && 'originalSource' in origin ? String(origin.originalSource) : null;
    const fromRoot = source === null ? relative(root, path) : source.replace(/^(?:\.\.\/)+/, '');
    // What runs a statement counts to whoever asks it.
    return /^(?:app\/(?!sql\/)|shared\/|test\/)/.test(fromRoot) ? fromRoot : null;
  };
}
