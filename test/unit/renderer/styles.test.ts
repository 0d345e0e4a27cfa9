import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/bundles.ts';

const textOf = (pattern: string): ReadonlyMap<string, string> =>
  new Map(
    globSync(pattern, { cwd: root }).map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]),
  );
const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

const sheets = textOf('renderer/**/*.css');
const code = [...textOf('renderer/**/*.{ts,tsx}').values()].join('\n');

/** What stands in quotes, word by word: a class that is made up of a value ends in a dash there (`tone-${tone}`). */
const written = new Set(
  [...code.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)].flatMap(([text]) => text.match(/[A-Za-z][\w-]*/g) ?? []),
);
const isMadeUp = (name: string): boolean =>
  [...name.matchAll(/-/g)].some(({ index }) => code.includes(`${name.slice(0, index)}-\${`));

describe('the styles', () => {
  it.each([...sheets])('of %s are of classes that something on the screen has', (_, sheet) => {
    const selectors = [...sheet.matchAll(/([^{}]+)\{/g)].map(([, selector = '']) => selector.trim());
    const classes = selectors
      .filter((selector) => !selector.startsWith('@'))
      .flatMap((selector) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name));
    expect([...new Set(classes)].filter((name) => !written.has(name) && !isMadeUp(name))).toEqual([]);
  });

  it('name no size, time or colour that nothing uses', () => {
    const all = [...sheets.values(), code].join('\n');
    const named = [...all.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name = '']) => name);
    expect([...new Set(named)].filter((name) => !new RegExp(`var\\(${name}[,)]`).test(all))).toEqual([]);
  });
});
