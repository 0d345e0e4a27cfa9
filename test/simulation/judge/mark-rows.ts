import type { Evidence, ShownTill } from './evidence.ts';

/** Marks what the rows of all tills came through. */
export function markRows({ world, shown }: Evidence): void {
  for (const till of shown) {
    for (const operation of till.operations) {
      const history = till.core.history(operation.rowId);
      for (const { from, to } of history) if (from !== null) world.marks.sometimes(`row: ${from} to ${to}`);
      if (till.attention.has(operation.rowId)) world.marks.sometimes(`attention: ${operation.state}`);
      const foundAt = history.findIndex(({ to, atMs }) => to === 'unknown' && wasAtStart(till, atMs));
      const isKnownLater = history.slice(foundAt + 1).some(({ to }) => to === 'applied' || to === 'accepted');
      if (foundAt >= 0 && isKnownLater) world.marks.sometimes('row: unknown after a crash, found later');
    }
  }
}

function wasAtStart({ till }: ShownTill, atMs: number): boolean {
  return till.startTimesMs.has(atMs);
}
