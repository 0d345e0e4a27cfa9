import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/bundles.ts';

interface Leading {
  readonly from: string;
  readonly page: string;
  /** A heading as it is written, or its anchor; null: the whole page. */
  readonly place: string | null;
}

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })];
const programs = globSync('{app,main,packaging,renderer,shared,test,tools}/**/*.{ts,tsx,cjs,sh,yml}', { cwd: root });

const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');

function headingsOf(page: string): readonly string[] {
  return [...withoutBlocks(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

/** As GitHub makes them: a heading that comes again gets a number. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = headingsOf(page).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(
    anchors.map((anchor, index) => {
      const before = anchors.slice(0, index).filter((other) => other === anchor).length;
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** The relative links of a page; an address of another machine is not looked at. */
function linksIn(from: string): readonly Leading[] {
  const prose = withoutBlocks(read(from)).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor = null] = link.split('#');
    return [{ from, page: path === '' ? from : normalize(join(dirname(from), path)), place: anchor }];
  });
}

/** Pages that a message, a comment or a decision names, such as `docs/security.md "What it promises"`. */
function citationsIn(from: string): readonly Leading[] {
  return [...read(from).matchAll(/\b(docs\/[\w/-]+\.md)`?(?:,? "([^"\n]+)")?/g)].map(([, page = '', place = null]) => ({
    from,
    page,
    place,
  }));
}

function isThere({ page, place }: Leading, placesOf: (page: string) => Iterable<string>): boolean {
  return existsSync(join(root, page)) && (place === null || [...placesOf(page)].includes(place));
}

it('every link of the documents leads to a page and a heading that is there', () => {
  const links = pages.flatMap(linksIn);
  expect(links.length).toBeGreaterThan(80);
  expect(links.filter((link) => !isThere(link, anchorsOf))).toEqual([]);
});

it('every page that a message, a comment or a document names is there, with its heading', () => {
  const citations = [...programs, ...pages].flatMap(citationsIn);
  expect(citations.length).toBeGreaterThan(40);
  expect(citations.filter((citation) => !isThere(citation, headingsOf))).toEqual([]);
});
