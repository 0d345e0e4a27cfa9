import type { SendableOperation } from '../store/operation-store.ts';

/** So many rows of one customer may stand in the window: one busy customer must not fill it. */
const maxPerLane = 8;

/** The first rows that fit, in order, with no customer taking all the room. */
export function pickWindow(
  rows: readonly SendableOperation[],
  window: { readonly room: number; readonly taken: readonly string[] },
): readonly SendableOperation[] {
  const perLane = new Map<string, number>();
  for (const lane of window.taken) perLane.set(lane, (perLane.get(lane) ?? 0) + 1);
  const picked: SendableOperation[] = [];
  for (const row of rows) {
    if (picked.length === window.room) break;
    const count = perLane.get(row.lane) ?? 0;
    if (count >= maxPerLane) continue;
    perLane.set(row.lane, count + 1);
    picked.push(row);
  }
  return picked;
}
