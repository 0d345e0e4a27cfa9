import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { bundles, root } from '../../tools/bundles.ts';
import { type PlaceInPack, placesInPack } from '../../tools/program-manifest.ts';
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
  const program = dirname(app.output);
  const maps = new Map<string, SourceMap | null>();
  const packs = new Map<string, readonly PlaceInPack[]>();

  function mapOf(path: string): SourceMap | null {
    const known = maps.get(path);
    if (known !== undefined) return known;
    const file = join(folder, `${path}.map`);
    const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null;
    maps.set(path, map);
    return map;
  }

  function placesOf(path: string): readonly PlaceInPack[] {
    const known = packs.get(path);
    if (known !== undefined) return known;
    const places = placesInPack(readFileSync(join(folder, path), 'utf8'));
    packs.set(path, places);
    return places;
  }

  /** Maps are of the parts, whose names are told from the program's folder; a pack holds them one below the other. */
  function entryOf(path: string, line: number, column: number) {
    if (!path.endsWith('.pack.cjs')) return mapOf(path)?.findEntry(line, column);
    const place = placesOf(path).findLast(({ firstLine }) => firstLine <= line);
    if (place === undefined) return undefined;
    const inPart = line === place.firstLine ? column - place.firstColumn : column;
    return mapOf(join(program, place.fileName))?.findEntry(line - place.firstLine, inPart);
  }

  return ({ url, lineNumber, columnNumber }) => {
    const path = url.replace(/^file:\/\//, '');
    const isBuilt = path.startsWith(`${built}/`);
    const origin = isBuilt ? entryOf(relative(built, path), lineNumber, columnNumber) : undefined;
    const source = origin !== undefined && 'originalSource' in origin ? String(origin.originalSource) : null;
    const fromRoot = source === null ? relative(root, path) : source.replace(/^(?:\.\.\/)+/, '');
    // What runs a statement counts to whoever asks it.
    return /^(?:app\/(?!sql\/)|shared\/|test\/)/.test(fromRoot) ? fromRoot : null;
  };
}
