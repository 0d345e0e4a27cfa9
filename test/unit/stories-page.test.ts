import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'stories.md'), 'utf8');
const pictures = join(root, 'docs', 'images', 'stories');

function namesIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? '').sort();
}

it('the page of stories shows every picture that a story takes, and no other', () => {
  const stories = join(root, 'test', 'ui', 'stories');
  const sources = readdirSync(stories).map((file) => readFileSync(join(stories, file), 'utf8'));
  const taken = namesIn(sources.join('\n'), /\.picture\('([^']+)'\)/g);
  expect(taken.length).toBeGreaterThan(15);
  expect(namesIn(page, /\(images\/stories\/(.+)\.png\)/g)).toEqual(taken);
  expect(readdirSync(pictures).sort()).toEqual(taken.map((name) => `${name}.png`).sort());
});

it('its pictures are small', () => {
  for (const file of readdirSync(pictures)) expect(statSync(join(pictures, file)).size).toBeLessThan(150_000);
});
