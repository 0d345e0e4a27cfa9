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
  '@resvg/resvg-wasm',
];

const licensedSchema = z
  .object({ name: z.string(), version: z.string(), identifier: z.string(), text: z.string().optional() })
  .transform(({ text, ...about }) => ({ ...about, text: text ?? textOfDeclared(about) }));
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

/** Of packages under a licence that has one text for all, and another package has a file with it. */
const sharedTexts: Readonly<Record<string, string>> = { 'MPL-2.0': 'axe-core/LICENSE' };

/** Of a package that names its licence and has no file with it. @throws for any other licence */
function textOfDeclared({ name, identifier }: { readonly name: string; readonly identifier: string }): string {
  const shared = sharedTexts[identifier];
  if (shared !== undefined) return readFileSync(join(root, 'node_modules', shared), 'utf8');
  if (identifier !== 'MIT') throw new Error(`${name} has no file with its licence`);
  const { author, repository } = z
    .object({ author: z.string().optional(), repository: z.unknown() })
    .parse(JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')));
  return `The MIT License (MIT)

Copyright (c) ${author ?? `the authors of ${typeof repository === 'string' ? repository : name}`}

${mitTerms}`;
}

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

function packageInFolder(name: string): Licensed {
  const folder = join(root, 'node_modules', name);
  const { version, license } = z
    .object({ version: z.string(), license: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].find((one) => existsSync(join(folder, one)));
  const about = { name, version, identifier: license };
  return { ...about, text: file === undefined ? textOfDeclared(about) : readFileSync(join(folder, file), 'utf8') };
}

const rule = '-'.repeat(100);

/** The MPL-2.0 (3.2) asks to tell where the source is; it holds for the package's own files alone. */
function sourceLine(name: string, identifier: string): string {
  if (identifier !== 'MPL-2.0') return '';
  const { repository } = z
    .object({ repository: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')));
  return `Shipped unmodified. Its source: ${repository.replace('git@github.com:', 'https://github.com/')}\n`;
}

export function noticeOf(packages: readonly Licensed[]): string {
  const parts = packages.map(
    ({ name, version, identifier, text }) =>
      `${rule}\n${name} ${version} (${identifier})\n${sourceLine(name, identifier)}\n${text.trim()}\n`,
  );
  const about = `Tillbridge is shipped with the packages below. Each stands under its own licence, which is given in full.
Node.js and Chromium come with Electron; their licences lie beside the program, in LICENSES.chromium.html.
SQLite, which better-sqlite3 contains, is in the public domain.
Made by \`npm run notice\`.
`;
  return [about, ...parts].join('\n');
}

if (import.meta.main) writeFileSync(join(root, 'NOTICE'), noticeOf(shippedPackages()));
