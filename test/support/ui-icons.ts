// Draws the screen's icons from lucide-static into two small modules: `node test/support/ui-icons.ts`, then `npm run format`.
// A file of Lucide's costs the page 500 bytes, its drawing as one path 100.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'node_modules', 'lucide-static', 'icons');
const components = join(root, 'renderer', 'components');

/** Every Lucide icon on the screen, by the module that it stands in. */
const names = {
  /** What the sale screen shows before anything else is loaded: a start waits for these. */
  first: `arrow-right badge-check ban banknote calendar-check check circle-alert circle-help circle-minus circle-plus clock-alert cloud-off
    cloud-upload coins delete file-x flask-conical footprints gift hourglass id-card info key-round keyboard languages
    list-checks menu package plug-zap plus receipt-text scan-line search send stamp star ticket triangle-alert undo-2 user-check
    user-plus wifi x`,
  later: `arrow-big-up arrow-left chevron-left chevron-right circle-check copy crown download gauge hard-drive lock
    log-in log-out mail monitor moon pause percent phone play printer refresh-cw repeat rotate-ccw scroll-text settings store
    sun timer trash-2 user-x users wallet`,
};

type IconModule = keyof typeof names;

/** Each icon of a module as one path on a grid of 24 by 24. */
export function drawIconPaths(module: IconModule): Readonly<Record<string, string>> {
  return Object.fromEntries(names[module].split(/\s+/).map((name) => [name, pathOf(name)]));
}

function iconModuleText(module: IconModule): string {
  return `// Made by test/support/ui-icons.ts from lucide-static (ISC): change that file, not this one.
// Each drawing is one path on a grid of 24 by 24.
export const ${module}IconPaths = ${JSON.stringify(drawIconPaths(module), null, 2)} as const;
`;
}

function pathOf(name: string): string {
  const text = readFileSync(join(source, `${name}.svg`), 'utf8').replace(/<!--.*?-->/gs, '');
  const shapes = [...text.matchAll(/<(\w+)\s([^>]*?)\/>/g)];
  if (shapes.length === 0) throw new Error(`${name}.svg has no shapes`);
  return shapes.map(([, tag = '', attributes = '']) => rounded(shapePath(tag, attributesOf(attributes)))).join('');
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function shapePath(tag: string, attributes: Readonly<Record<string, string>>): string {
  const number = (name: string): number => Number(attributes[name] ?? '0');
  switch (tag) {
    case 'path':
      return absoluteStart(attributes.d ?? '');
    case 'circle': {
      const r = number('r');
      return `M${number('cx') - r} ${number('cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    }
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'polyline':
    case 'polygon':
      return `M${attributes.points ?? ''}${tag === 'polygon' ? 'Z' : ''}`;
    case 'rect': {
      const [x, y, width, height] = [number('x'), number('y'), number('width'), number('height')];
      const r = number('rx') || number('ry');
      const corner = (dx: number, dy: number): string => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${dx} ${dy}`);
      return `M${x + r} ${y}h${width - 2 * r}${corner(r, r)}v${height - 2 * r}${corner(-r, r)}h${2 * r - width}${corner(-r, -r)}v${2 * r - height}${corner(r, -r)}z`;
    }
    default:
      throw new Error(`No path is known for <${tag}>`);
  }
}

// A hundredth of a unit is less than anybody sees, and each further digit is a byte of the first load.
function rounded(d: string): string {
  return d.replace(/(\d*\.\d{3,})(?=(\.)?)/g, (_all, number: string, point: string | undefined) => {
    const short = String(Math.round(Number(number) * 100) / 100).replace(/^0\./, '.');
    // `2.998.5` are two numbers, and `3.5` would be one.
    return point !== undefined && !short.includes('.') ? `${short} ` : short;
  });
}

// `m12 5 7 7` starts at a place of its own only as the first of a path; behind another it must be `M12 5l7 7`.
function absoluteStart(d: string): string {
  const number = '-?(?:\\d+\\.?\\d*|\\.\\d+)';
  const start = new RegExp(`^m\\s*(${number})[\\s,]*(${number})[\\s,]*(?=([-.\\d])?)`);
  return d.replace(
    start,
    (_all, x: string, y: string, next: string | undefined) => `M${x} ${y}${next === undefined ? '' : 'l'}`,
  );
}

if (import.meta.main) {
  for (const module of ['first', 'later'] as const)
    writeFileSync(join(components, `${module}-icon-paths.ts`), iconModuleText(module));
}
