import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleSources, root } from '../../tools/bundles.ts';
import { fingerprintSources, isFresh } from '../../tools/freshness.ts';

let path: string | null = null;

/** The path of the built command line, of the sources as they are: where the build is stale, it is made again. */
export function builtCli(): string {
  path ??= buildIfStale();
  return path;
}

function buildIfStale(): string {
  const dist = join(root, 'dist');
  if (!isFresh(dist, fingerprintSources(root, bundleSources))) {
    const build = spawnSync(process.execPath, [join(root, 'tools', 'build.ts'), '--if-stale'], { encoding: 'utf8' });
    if (build.status !== 0) throw new Error(`The program could not be built: ${build.stderr}`);
  }
  return join(dist, 'app', 'cli.js');
}
