/** A part of the desktop that all displays share. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A display, as Electron tells of it. */
export interface DisplayFacts {
  readonly id: number;
  readonly bounds: Area;
  /** Without the system's bars. */
  readonly workArea: Area;
}

/** Where the customers' screen is shown. */
export type CustomerPlace =
  /** It has a display of its own, and fills it. */
  | { readonly kind: 'display'; readonly displayId: number; readonly bounds: Area }
  /** There is only the till's display: an ordinary window on it. */
  | { readonly kind: 'window'; readonly bounds: Area };

const largestWindow = { width: 1024, height: 640 };
/** The largest share of the till's display that the window takes; the rest is the cashier's. */
const mostOfDisplay = 0.6;

/**
 * The first display that is not the till's. The one that has been used until now stays the customers': a third display
 * that is plugged in changes nothing.
 *
 * @param displays in the system's order; at least one
 * @param now of the two displays: where the cashier's window is, and where customers look now (null: nowhere)
 */
export function customerPlace(
  displays: readonly DisplayFacts[],
  now: { readonly tillId: number; readonly customerId: number | null },
): CustomerPlace {
  const till = displays.find(({ id }) => id === now.tillId) ?? displays[0];
  // A display that mirrors the till's would show customers in the cashier's place.
  const others = displays.filter((display) => display !== till && !(till !== undefined && isMirror(display, till)));
  const own = others.find(({ id }) => id === now.customerId) ?? others[0];
  if (own !== undefined) return { kind: 'display', displayId: own.id, bounds: own.bounds };
  return { kind: 'window', bounds: lowerEnd(till?.workArea ?? { x: 0, y: 0, ...largestWindow }) };
}

export function isSameArea(one: Area, other: Area): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

function isMirror(one: DisplayFacts, other: DisplayFacts): boolean {
  return one.bounds.x === other.bounds.x && one.bounds.y === other.bounds.y;
}

function lowerEnd(area: Area): Area {
  const width = Math.min(largestWindow.width, Math.round(area.width * mostOfDisplay));
  const height = Math.min(largestWindow.height, Math.round(area.height * mostOfDisplay));
  return { x: area.x + area.width - width, y: area.y + area.height - height, width, height };
}
