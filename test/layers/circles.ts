import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesUnder, targetOf } from './check.ts';
import { importsOf } from './imports.ts';

/** What each module imports of the others, types included. */
export type ModuleGraph = ReadonlyMap<string, readonly string[]>;

export function graphOf(root: string, folders: readonly string[]): ModuleGraph {
  const modules = new Set(folders.flatMap((folder) => modulesUnder(root, folder)));
  const graph = new Map<string, readonly string[]>();
  for (const module of modules) {
    const targets = importsOf(module, readFileSync(join(root, module), 'utf8'))
      .flatMap(({ specifier }) => (specifier === null ? [] : [targetOf(module, specifier)]))
      .filter((target) => modules.has(target) && target !== module);
    graph.set(module, [...new Set(targets)]);
  }
  return graph;
}

/** Modules that import one another in a circle, each circle as one sorted list: nobody can read one of them first. */
export function circlesIn(graph: ModuleGraph): readonly (readonly string[])[] {
  // Tarjan: a circle is what can be reached from a module and leads back to it.
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: (readonly string[])[] = [];

  function visit(module: string): number {
    const place = order.size;
    order.set(module, place);
    let low = place;
    open.push(module);
    for (const target of graph.get(module) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === place) {
      const circle = open.splice(open.indexOf(module));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  }

  for (const module of graph.keys()) if (!order.has(module)) visit(module);
  return circles;
}
