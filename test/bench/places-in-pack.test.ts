import { expect, it } from 'vitest';
import { packOf, placesInPack } from '../../tools/program-manifest.ts';

it('finds each part of a pack at its own line and column', () => {
  const parts: readonly (readonly [string, string])[] = [
    ['parts/first.cjs', 'one();\n  two();'],
    ['parts/second.cjs', 'three();'],
  ];
  const lines = packOf(parts).split('\n');
  const found = placesInPack(lines.join('\n')).map(({ fileName, firstLine, firstColumn }) => [
    fileName,
    lines[firstLine]?.slice(firstColumn),
    lines[firstLine + 1],
  ]);
  expect(found).toEqual([
    ['parts/first.cjs', 'one();', '  two();'],
    ['parts/second.cjs', 'three();', '})'],
  ]);
});
