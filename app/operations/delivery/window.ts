import type { SendableOperation } from '../../store/rows/delivery.ts';

/**
 * One customer's rows may be this part of a window, and a few in a small one: one busy customer must not fill it, and
 * where few customers have all that waits it must not take a commit for every few rows.
 */
const laneShare = 1 / 8;
const leastPerLane = 8;

/**
 * Where nobody else has anything that waits: so much of a window, and no more than a small one holds. Rows that are marked
 * keep their room when the line becomes slow: somebody who comes then must not wait for hundreds of one customer's.
 */
const fewLanesShare = 1 / 2;
const mostOfFewLanes = 64;

/** Rows that go together, filled page by page. */
interface Window {
  readonly rows: readonly SendableOperation[];
  readonly isFull: boolean;
  /** Those of whom it takes no more rows. */
  readonly fullLanes: readonly string[];
  /** How many more rows it takes of the customers that it already holds. An empty window takes anybody's. */
  readonly roomForSameCustomers: number;
  /** Takes the first rows that fit, in order, with no customer taking all the room. @returns whether there were any */
  add(rows: readonly SendableOperation[]): boolean;
  /** There are no others: takes those that did not fit, until half of the room is taken. */
  fillUp(): void;
}

/** @param taken the lanes of rows that stand ready already */
export function openWindow(room: number, taken: readonly string[]): Window {
  const maxPerLane = Math.max(leastPerLane, Math.floor((room + taken.length) * laneShare));
  const perLane = new Map<string, number>();
  for (const lane of taken) perLane.set(lane, (perLane.get(lane) ?? 0) + 1);
  const picked: SendableOperation[] = [];
  const skipped: SendableOperation[] = [];
  return {
    rows: picked,
    get isFull() {
      return picked.length >= room;
    },
    get fullLanes() {
      return [...perLane].filter(([, count]) => count >= maxPerLane).map(([lane]) => lane);
    },
    get roomForSameCustomers() {
      const left = room - picked.length;
      if (perLane.size === 0) return left;
      const held = taken.length + picked.length;
      return Math.min(left, Math.max(0, perLane.size * maxPerLane - held));
    },
    add(rows) {
      const before = picked.length;
      for (const row of rows) {
        if (picked.length >= room) break;
        const count = perLane.get(row.lane) ?? 0;
        if (count >= maxPerLane) {
          skipped.push(row);
          continue;
        }
        perLane.set(row.lane, count + 1);
        picked.push(row);
      }
      return picked.length > before;
    },
    fillUp() {
      const half = Math.floor((room + taken.length) * fewLanesShare);
      const enough = Math.min(half, mostOfFewLanes) - taken.length;
      if (picked.length < enough) picked.push(...skipped.splice(0, enough - picked.length));
    },
  };
}
