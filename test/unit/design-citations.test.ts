import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/bundles.ts';

const folders = ['app', 'shared', 'main', 'renderer'];

function textsUnder(folder: string, ending: RegExp): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }));
}

/** What comments cite: `design "References"`, `design ("Reversals")`, `design "Others", "Own failures"`. */
function citedIn(text: string): readonly string[] {
  const joined = text.replaceAll(/\n\s*(\*|\/\/) ?/g, ' ');
  return [...joined.matchAll(/design,? \(?("[^"]+"(?:(?:, \d+)?[,;] "[^"]+")*)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].flatMap(([, name]) => (name === undefined ? [] : [name])),
  );
}

/** Headings, and what begins a point of a list in bold letters. */
const parts = new Set(
  textsUnder('docs/design', /\.md$/).flatMap(({ text }) =>
    [...text.matchAll(/^(?:#+ (.+)|[-|] \*\*([^*]+?)[.:]?\*\*)/gm)].map(([, heading, bold]) => heading ?? bold),
  ),
);

test('every part of the design that a comment cites is in docs/design', () => {
  const cited = folders.flatMap((folder) =>
    textsUnder(folder, /\.tsx?$/).flatMap(({ file, text }) => citedIn(text).map((part) => ({ file, part }))),
  );
  expect(cited.length).toBeGreaterThan(30);
  expect(cited.filter(({ part }) => !parts.has(part))).toEqual([]);
});

test('every decision has a number of its own, and every one that is cited is there', () => {
  const names = readdirSync(join(root, 'docs', 'decisions')).filter((name) => name.endsWith('.md'));
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  const cited = folders.flatMap((folder) =>
    textsUnder(folder, /\.tsx?$/).flatMap(({ file, text }) =>
      [...text.matchAll(/decision (\d{4})/g)].map(([, number = '']) => ({ file, number })),
    ),
  );
  expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});
