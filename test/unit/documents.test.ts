import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

/** As GitHub names the headings of a page. */
function anchorsOf(name: string): ReadonlySet<string> {
  const headings = [...textOf(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('a document', () => {
  it('links to files and headings that are there', () => {
    const broken = documents.flatMap((name) =>
      [...textOf(name).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, file = '', anchor]) => {
          const target = file === '' ? name : join(dirname(name), file);
          if (!existsSync(join(root, target))) return true;
          return anchor !== undefined && !anchorsOf(target).has(anchor);
        })
        .map(([link]) => `${name}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('gives no command to `tillbridge`, which is the window in a package and opens whatever it is told', () => {
    const wrong = documents.flatMap((name) =>
      [...textOf(name).matchAll(/(?:^|`|sudo )tillbridge (?:--version|[a-z]).*$/gm)].map(
        ([line]) => `${name}: ${line}`,
      ),
    );
    expect(wrong).toEqual([]);
  });
});
