import type { ModuleGraph } from './circles.ts';

/**
 * The rooms of app/, from the top to the ground (docs/architecture.md): who stands higher may import who stands lower,
 * and never the other way.
 */
export const rooms = [
  'commands',
  'agent',
  'office',
  'web',
  'till',
  'bridge',
  'doctor',
  'receipts',
  'updates',
  'core',
  'backups',
  'operations',
  'customers',
  'people',
  'line',
  'store',
  'client',
  'service',
  'sql',
  'config',
  'http',
  'audit',
  'machine',
] as const;

/** In an order of rooms: what stands in the folder itself. */
const itself = '.';

/** The rooms within the two largest, in the same order. */
export const roomsWithin = {
  'app/operations': [
    itself,
    'days',
    'personal-data',
    'watch',
    'immediate',
    'delivery',
    'intake',
    'reversals',
    'settlement',
    'ownership',
    'requests',
  ],
  'app/store': [
    'copies',
    itself,
    'carrying',
    'people',
    'tables',
    'database',
    'files',
    'rows',
    'versions',
    'statements',
    'schema',
    'migrations',
  ],
} as const;

/** What stands in no room: the program's entry, and what runs it. Both are above all. */
const entries: ReadonlySet<string> = new Set(['app/cli.ts', 'app/begin.ts']);

/** What breaks the order, as sentences; types count too. */
export function breachesOfRooms(graph: ModuleGraph): readonly string[] {
  const within = Object.entries(roomsWithin).map(([folder, order]) => breachesWithin(graph, folder, order));
  return [...breachesWithin(graph, 'app', rooms), ...within.flat()];
}

/** Of the imports between the modules of one folder. */
function breachesWithin(graph: ModuleGraph, folder: string, order: readonly string[]): readonly string[] {
  const isInside = (module: string) => module.startsWith(`${folder}/`);
  const placeOf = (module: string): number | null => {
    if (entries.has(module)) return -1;
    const [room = itself, ...rest] = module.slice(folder.length + 1).split('/');
    const place = order.indexOf(rest.length === 0 ? itself : room);
    return place === -1 ? null : place;
  };
  const breaches: string[] = [];
  for (const [module, targets] of graph) {
    if (!isInside(module)) continue;
    const place = placeOf(module);
    if (place === null) breaches.push(`${module} stands in no room`);
    for (const target of targets.filter(isInside)) {
      const targetPlace = placeOf(target);
      if (place !== null && targetPlace !== null && targetPlace < place)
        breaches.push(`${module} imports ${target}, which stands above it`);
    }
  }
  return breaches;
}
