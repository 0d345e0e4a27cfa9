/** A rectangle on the desktop, in coordinates shared by all displays. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A display, as Electron describes it. */
export interface DisplayFacts {
  readonly id: number;
  readonly bounds: Area;
  /** The area without the system's bars. */
  readonly workArea: Area;
}

/** Where the customers' screen is shown. */
export type CustomerPlace =
  /** It has its own display and fills it. */
  | { readonly kind: 'display'; readonly displayId: number; readonly bounds: Area }
  /** There is only the till's display, so it is an ordinary window there. */
  | { readonly kind: 'window'; readonly bounds: Area };

const largestWindow = { width: 1024, height: 640 };
/** The largest share of the till's display that the window takes. The rest is the cashier's. */
const mostOfDisplay = 0.6;

/**
 * The place for customers: the first display that is not the till's. The customers' current display stays theirs when a
 * third one is plugged in.
 *
 * @param displays in the system's order; at least one
 * @param now the two displays in use: the cashier's, and the customers' (null: none)
 */
export function customerPlace(
  displays: readonly DisplayFacts[],
  now: { readonly tillId: number; readonly customerId: number | null },
): CustomerPlace {
  const till = displays.find(({ id }) => id === now.tillId) ?? displays[0];
  // A display that mirrors the till's would show the customers' page to the cashier.
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
