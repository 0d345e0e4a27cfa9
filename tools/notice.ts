// `npm run notice`: writes NOTICE, the licences of everything that is shipped and not ours, from what the build took in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { licensesFileName, root } from './bundles.ts';

/** Shipped as files of their own, or taken in as text, of which the build keeps no account. */
const besideTheBundles = [
  'better-sqlite3',
  'electron',
  'lucide-static',
  '@fontsource-variable/inter',
  '@fontsource/ibm-plex-sans-arabic',
];

const licensedSchema = z.object({ name: z.string(), version: z.string(), identifier: z.string(), text: z.string() });
/** A package that is shipped, its licence by its SPDX identifier and in full. */
export type Licensed = z.infer<typeof licensedSchema>;

/** By name, each once. @throws when the build has not been made */
export function shippedPackages(): readonly Licensed[] {
  const bundled = ['app', 'main', 'renderer'].flatMap((folder) =>
    z.array(licensedSchema).parse(JSON.parse(readFileSync(join(root, 'dist', folder, licensesFileName), 'utf8'))),
  );
  const all = [...bundled, ...besideTheBundles.map(packageInFolder)];
  return [...new Map(all.map((one) => [one.name, one])).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function packageInFolder(name: string): Licensed {
  const folder = join(root, 'node_modules', name);
  const { version, license } = z
    .object({ version: z.string(), license: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].find((one) => existsSync(join(folder, one)));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return { name, version, identifier: license, text: readFileSync(join(folder, file), 'utf8') };
}

const rule = '-'.repeat(100);

export function noticeOf(packages: readonly Licensed[]): string {
  const parts = packages.map(
    ({ name, version, identifier, text }) => `${rule}\n${name} ${version} (${identifier})\n\n${text.trim()}\n`,
  );
  const about = `Tillbridge is shipped with the packages below. Each stands under its own licence, which is given in full.
Node.js and Chromium come with Electron; their licences lie beside the program, in LICENSES.chromium.html.
SQLite, which better-sqlite3 contains, is in the public domain.
Made by \`npm run notice\`.
`;
  return [about, ...parts].join('\n');
}

if (import.meta.main) writeFileSync(join(root, 'NOTICE'), noticeOf(shippedPackages()));
