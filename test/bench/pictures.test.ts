import { expect, it } from 'vitest';
import { goalTable } from './goal-table.ts';
import type { KeptRun } from './kept-run.ts';
import type { Curve } from './measure.ts';
import { accent, drawPicture, drawPictures, ink, pictures } from './pictures.ts';

const steep: Curve = {
  name: 'the steep one',
  points: [
    [0, 0],
    [1, 100],
    [2, 400],
  ],
};
const flat: Curve = {
  name: 'the flat one',
  points: [
    [0, 0],
    [2, 40],
  ],
};

const measured = { kind: 'measured', measured: { median: 1, min: 1, max: 1, rounds: [1] }, figures: '' } as const;

function runWith(curves: readonly Curve[] | undefined): KeptRun {
  const limit = goalTable[5].limits.bare;
  const line = { limit, outcome: measured, ...(curves === undefined ? {} : { curves }) };
  return JSON.parse(
    JSON.stringify({
      startedAt: '',
      commit: null,
      machine: {},
      rounds: 5,
      isQuick: false,
      goals: [{ goal: 5, lines: [line] }],
    }),
  );
}

const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
/** The lines across the picture: all but the grid, the axes and the legend's samples. */
const curvesOf = (svg: string) =>
  [...svg.matchAll(/<path d="([^"]+)"[^>]*stroke="(#[0-9a-f]+)"[^>]*>/g)].filter(([path]) =>
    path.includes('stroke-linejoin="bevel"'),
  );

it('draws the series of the run by their names, with the units of its axes', () => {
  const svg = drawPictures(runWith([steep, flat])).get('drain.svg') ?? '';
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  const texts = textsOf(svg);
  expect(texts).toEqual(expect.arrayContaining(['the steep one', 'the flat one']));
  expect(texts).toEqual(expect.arrayContaining([pictures.drain.across.name, pictures.drain.up.name]));
  expect(texts).toContain('400');
});

it('draws nothing that the run does not have', () => {
  expect(drawPictures(runWith(undefined))).toEqual(new Map());
  const one = drawPicture(pictures.drain, [steep]);
  const two = drawPicture(pictures.drain, [steep, flat]);
  expect(curvesOf(one)).toHaveLength(1);
  expect(curvesOf(two)).toHaveLength(2);
  const other: Curve = {
    ...steep,
    points: [
      [0, 0],
      [1, 300],
      [2, 400],
    ],
  };
  expect(curvesOf(drawPicture(pictures.drain, [other]))[0]?.[1]).not.toBe(curvesOf(one)[0]?.[1]);
});

it('tells the ranks of a latency by how little is left to a hundred percent', () => {
  const curve: Curve = {
    name: 'sales',
    points: [
      [50, 0.2],
      [90, 0.4],
      [99, 1],
      [99.9, 5],
    ],
  };
  expect(textsOf(drawPicture(pictures['save-latency'], [curve]))).toEqual(expect.arrayContaining(['90', '99', '99.9']));
});

it('can be read on white and on black', () => {
  for (const ground of ['#ffffff', '#0d1117']) {
    for (const color of [accent, ink]) expect(contrast(color, ground)).toBeGreaterThan(3.9);
  }
});

it('gives the one accent to the first curve alone', () => {
  const colors = curvesOf(drawPicture(pictures.drain, [steep, flat])).map(([, , color]) => color);
  expect(colors).toEqual([accent, ink]);
});

/** WCAG 2.2. */
function contrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
