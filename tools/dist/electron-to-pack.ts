import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import type { Configuration } from 'electron-builder';
import { root } from '../bundles.ts';

const cache = join(root, 'node_modules', '.cache', 'electron-to-pack');

/**
 * What a folder with an Electron adds to the configuration. An Electron that is shipped comes as it is. One to try out
 * with may have its own app as a folder, which electron-builder cannot read, and an older Node, whose gaps that app's
 * `compat.js` closes: the packed app then begins with it.
 */
export async function electronToPack(electronDist: string): Promise<Configuration> {
  const ownApp = join(electronDist, 'resources', 'default_app.asar');
  if (!existsSync(ownApp) || !statSync(ownApp).isDirectory()) return { electronDist };
  const copy = join(cache, 'electron');
  rmSync(copy, { recursive: true, force: true });
  cpSync(electronDist, copy, { recursive: true, filter: (from) => from !== ownApp });
  await createPackage(ownApp, join(copy, 'resources', 'default_app.asar'));
  const compat = join(ownApp, 'compat.js');
  if (!existsSync(compat)) return { electronDist: copy };
  const shim = join(cache, 'shim');
  mkdirSync(shim, { recursive: true });
  writeFileSync(join(shim, 'compat.cjs'), readFileSync(compat));
  writeFileSync(join(shim, 'begin.cjs'), `require('./compat.cjs');\nrequire('../dist/main/index.cjs');\n`);
  return {
    electronDist: copy,
    files: [{ from: shim, to: 'shim' }],
    extraMetadata: { main: 'shim/begin.cjs' },
  };
}
