import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/bundles.ts';
import { noticeOf, shippedPackages } from '../../tools/notice.ts';

/** What a package's licence may be, so that it can be shipped with a program that is not open. */
const mayBeShipped = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'OFL-1.1',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  // It asks for the source of the package's own files alone, and NOTICE says where that is.
  'MPL-2.0',
];

test('NOTICE has the licence of every package that the build takes in, as it is now (`npm run notice`)', () => {
  expect(readFileSync(join(root, 'NOTICE'), 'utf8')).toBe(noticeOf(shippedPackages()));
});

test('every package that is shipped may be', () => {
  const packages = shippedPackages();
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['better-sqlite3', 'preact', 'undici', 'zod']),
  );
  expect(packages.filter(({ identifier }) => !mayBeShipped.includes(identifier))).toEqual([]);
  expect(packages.filter(({ text }) => text.trim().length < 100)).toEqual([]);
});
