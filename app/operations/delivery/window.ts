import type { SendableOperation } from '../../store/rows/delivery.ts';

/**
 * How much of a window one customer's rows may take, so that one busy customer does not fill it. In a small window that
 * is `leastPerLane` rows: where few customers have all rows that wait, every few rows would cost a commit of their own.
 */
const laneShare = 1 / 8;
const leastPerLane = 8;

/**
 * How much of a window few customers may take when no other customer has rows that wait: half of it, and at most 64 rows.
 * Marked rows keep their room when the line becomes slow. A customer who comes then must not wait for hundreds of rows.
 */
const fewLanesShare = 1 / 2;
const mostOfFewLanes = 64;

/** Rows that go together, filled page by page. */
interface Window {
  readonly rows: readonly SendableOperation[];
  readonly isFull: boolean;
  /** The lanes (customers) of which the window takes no more rows. */
  readonly fullLanes: readonly string[];
  /** How many more rows the window takes of customers that it already has. An empty window takes any customer's. */
  readonly roomForSameCustomers: number;
  /** Takes the first rows that fit, in order, and leaves out those of full lanes. @returns whether it took any row */
  add(rows: readonly SendableOperation[]): boolean;
  /** For when no other customer has rows that wait: takes rows that `add` left out, up to the share of few customers. */
  fillUp(): void;
}

/** @param taken the lanes of rows that were marked before and are not sent yet: they take room in this window */
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
      const used = taken.length + picked.length;
      return Math.min(left, Math.max(0, perLane.size * maxPerLane - used));
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
