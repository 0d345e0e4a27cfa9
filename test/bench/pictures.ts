import { LineChart, type LineSeriesOption } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { goalTable } from './goal-table.ts';
import type { KeptRun } from './kept-run.ts';
import type { Curve, Limit } from './measure.ts';

use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

interface Axis {
  /** With its unit. */
  readonly name: string;
  /** `rest`: by how little is left to a hundred percent, each ten times less as far from the last. */
  readonly scale: 'linear' | 'log' | 'rest';
}

/** A picture of a run: what is drawn are the curves of one of its lines. */
export interface Picture {
  readonly title: string;
  readonly of: Limit;
  readonly across: Axis;
  readonly up: Axis;
}

/** By the name of their files, without `.svg`. */
export const pictures = {
  drain: {
    title: 'A backlog leaves',
    of: goalTable[5].limits.bare,
    across: { name: 'seconds since the line is there', scale: 'linear' },
    up: { name: 'sales accepted', scale: 'linear' },
  },
  'save-latency': {
    title: 'How long a sale takes to be safe',
    of: goalTable[12].limits.p50,
    across: { name: 'so many of the sales took at most as long (%)', scale: 'rest' },
    up: { name: 'milliseconds', scale: 'log' },
  },
} as const satisfies Readonly<Record<string, Picture>>;

/** Drawn in this one, the first curve is the product's. */
export const accent = '#1a8f70';
/** Both can be read on white and on black. */
export const ink = '#777d86';
const faintInk = `${ink}55`;
const size = { width: 760, height: 400 };
/** So that curves of the same ink are told apart. */
const dashes = ['solid', 'solid', 'dashed', 'dotted'] as const;

/** The pictures of a run as SVG, by the name of the file; those that it has no curves for are left out. */
export function drawPictures(run: KeptRun): ReadonlyMap<string, string> {
  const drawn = new Map<string, string>();
  for (const [name, picture] of Object.entries(pictures)) {
    const lines = run.goals.flatMap(({ lines }) => lines);
    const curves = lines.find(({ limit, curves }) => limit.of === picture.of.of && curves !== undefined)?.curves;
    if (curves !== undefined) drawn.set(`${name}.svg`, drawPicture(picture, curves));
  }
  return drawn;
}

/** Text that can be selected, on no ground: what is behind it shows. */
export function drawPicture({ title, across, up }: Picture, curves: readonly Curve[]): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({
    animation: false,
    title: { text: title, left: 0, top: 0, textStyle: { color: ink, fontSize: 16, fontWeight: 600 } },
    legend: {
      itemStyle: { opacity: 0 },
      data: curves.map(({ name }) => name),
      top: 36,
      left: 0,
      itemWidth: 34,
      itemGap: 24,
      textStyle: { color: ink, fontSize: 13 },
    },
    grid: { top: 84, left: 76, right: 24, bottom: 60 },
    xAxis: { ...axisOf(across), nameGap: 34 },
    yAxis: { ...axisOf(up), nameGap: 56 },
    series: curves.map((curve, index) => seriesOf(curve, { index, across })),
  });
  // Its rules for a pointer over the picture are of no use in a document.
  const svg = chart
    .renderToSVGString()
    .replace(/<style[\s\S]*?<\/style>\s*/, '')
    .replaceAll(/ class="[^"]*"/g, '');
  chart.dispose();
  return `${svg.replace(/<svg /, `<svg role="img" aria-label="${title}" `)}\n`;
}

function seriesOf(
  { name, points }: Curve,
  { index, across }: { readonly index: number; readonly across: Axis },
): LineSeriesOption {
  const color = index === 0 ? accent : ink;
  return {
    name,
    type: 'line',
    symbol: 'none',
    silent: true,
    color,
    lineStyle: { color, width: index === 0 ? 3 : 2, type: dashes[index] ?? 'dotted' },
    data: points.map(([x, y]) => [across.scale === 'rest' ? 100 / (100 - x) : x, y]),
  };
}

function axisOf({ name, scale }: Axis) {
  return {
    type: scale === 'linear' ? ('value' as const) : ('log' as const),
    name,
    nameLocation: 'middle' as const,
    nameTextStyle: { color: ink, fontSize: 13 },
    axisLine: { show: true, lineStyle: { color: ink } },
    axisLabel: {
      color: ink,
      fontSize: 12,
      ...(scale === 'rest' ? { formatter: (value: number) => String(Number((100 - 100 / value).toFixed(3))) } : {}),
    },
    splitLine: { lineStyle: { color: faintInk } },
  };
}
