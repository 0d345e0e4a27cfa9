/** What the window knows of the person in front of it. */
export interface ScreenUse {
  readonly isDialogOpen: boolean;
  readonly isCustomerShown: boolean;
  /** The last key, touch or click; null: none yet. */
  readonly touchedAtMs: number | null;
}

export interface TillUse {
  /** Operations of which a byte may be on its way. */
  readonly sendingCount: number;
  /** When a sale or a customer was asked for last, at the screen or by a POS program; null: not yet. */
  readonly servedAtMs: number | null;
  readonly screen: ScreenUse;
}

export const busyReasons = ['sending', 'dialog', 'customer'] as const;
export type BusyReason = (typeof busyReasons)[number];

/** So long after the last act at the till nobody is taken to be served any more. */
const quietAfterMs = 5 * 60_000;
/** The same when a person has asked for the update. */
const quietAfterAskedMs = 30_000;
/** A dialog that was left open at closing time does not hold an update off for ever. */
const dialogForgottenAfterMs = 60 * 60_000;

/**
 * Why an update has to wait; null: now is a quiet time. What waits to be sent is no reason: it is on the disk.
 *
 * @param isAsked a person has asked for it now
 */
export function whyNotNow(use: TillUse, nowMs: number, { isAsked }: { readonly isAsked: boolean }): BusyReason | null {
  const { sendingCount, servedAtMs, screen } = use;
  const isWithin = (atMs: number | null, spanMs: number): boolean => atMs !== null && nowMs - atMs < spanMs;
  if (sendingCount > 0) return 'sending';
  if (screen.isDialogOpen && isWithin(screen.touchedAtMs, dialogForgottenAfterMs)) return 'dialog';
  const spanMs = isAsked ? quietAfterAskedMs : quietAfterMs;
  if (isWithin(servedAtMs, spanMs)) return 'customer';
  return screen.isCustomerShown && isWithin(screen.touchedAtMs, spanMs) ? 'customer' : null;
}
