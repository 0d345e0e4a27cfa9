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

/** What stands in no room: the program's entry, and what runs it. Both are above all. */
const entries: ReadonlySet<string> = new Set(['app/cli.ts', 'app/begin.ts']);

/** What breaks the order, as sentences; types count too. */
export function breachesOfRooms(graph: ModuleGraph): readonly string[] {
  const places = new Map<string, number>(rooms.map((room, place) => [room, place]));
  const placeOf = (module: string): number | null =>
    entries.has(module) ? -1 : (places.get(module.split('/')[1] ?? '') ?? null);
  const breaches: string[] = [];
  for (const [module, targets] of graph) {
    const place = placeOf(module);
    if (place === null) breaches.push(`${module} stands in no room`);
    for (const target of targets) {
      const targetPlace = placeOf(target);
      if (place !== null && targetPlace !== null && targetPlace < place)
        breaches.push(`${module} imports ${target}, which stands above it`);
    }
  }
  return breaches;
}
