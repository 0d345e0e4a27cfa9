import type { TargetedPointerEvent } from 'preact';

/** How far beside its key a finger may lift. Between two keys it belongs to the one that it went down on. */
const besidePx = 16;

interface Finger {
  readonly key: HTMLElement;
  /** Tells where it is. */
  at: PointerEvent;
  /** Counts it, with the time until when it pressed. */
  readonly count: (atMs: number) => void;
}

/** The fingers that are down on keys and do not count yet, in the order in which they went down. */
const fingers = new Map<number, Finger>();

/** The pointers that went down on a key last. */
const onKeys = new Set<number>();

/**
 * The browser's click comes later than the press counts. What is there by then was not pressed: a press may have moved
 * the keys, or taken them away.
 */
function stopClick(click: PointerEvent): void {
  if (!onKeys.has(click.pointerId)) return;
  click.preventDefault();
  click.stopPropagation();
}

function lift(pointerId: number): void {
  fingers.get(pointerId)?.key.removeAttribute('data-down');
  fingers.delete(pointerId);
}

/** Not where its key was, when that was taken away: a key that is gone has no place. */
function isOnKey({ key, at: { clientX, clientY } }: Finger): boolean {
  const { left, right, top, bottom } = key.getBoundingClientRect();
  return Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom) <= besidePx;
}

function countOne(pointerId: number, atMs: number): void {
  const finger = fingers.get(pointerId);
  lift(pointerId);
  if (finger !== undefined && isOnKey(finger)) finger.count(atMs);
}

function countAll({ timeStamp }: Event): void {
  for (const pointerId of fingers.keys()) countOne(pointerId, timeStamp);
}

function onNextDown(event: PointerEvent): void {
  onKeys.delete(event.pointerId);
  // The end of its press before never came.
  lift(event.pointerId);
  countAll(event);
}

function moveTo(at: PointerEvent): void {
  const finger = fingers.get(at.pointerId);
  if (finger !== undefined) finger.at = at;
}

/** What else a key that takes fingers listens to. */
export const whileDown = {
  onPointerMove: moveTo,
  onPointerUp(event: PointerEvent) {
    moveTo(event);
    countOne(event.pointerId, event.timeStamp);
  },
  onPointerCancel: ({ pointerId }: PointerEvent) => lift(pointerId),
};

/**
 * Takes a finger that goes down on a key. It counts once: when it lifts, or before, when the next one goes down somewhere
 * or a key of the keyboard is pressed.
 *
 * @param look how the key looks under it
 */
export function takeFinger(
  event: TargetedPointerEvent<HTMLButtonElement>,
  look: '' | 'hold',
  count: Finger['count'],
): void {
  event.preventDefault();
  const { currentTarget: key, pointerId } = event;
  // Those that count first may have taken this key away.
  if (event.button !== 0 || !key.isConnected) return;
  // Not every browser shows a finger that stays as `:active`.
  key.dataset.down = look;
  fingers.set(pointerId, { key, at: event, count });
  key.setPointerCapture(pointerId);
  onKeys.add(pointerId);
  window.addEventListener('pointerdown', onNextDown, { capture: true });
  window.addEventListener('keydown', countAll, { capture: true });
  window.addEventListener('click', stopClick, { capture: true });
}

/**
 * For a button whose clicks are listened to. Its fingers count as those of a touch key do: a browser clicks for neither
 * of two that are down together.
 */
export const touchClicks = {
  ...whileDown,
  onPointerDown(event: TargetedPointerEvent<HTMLButtonElement>) {
    const { currentTarget: button, timeStamp: value, pointerType } = event;
    if (pointerType === 'mouse') return;
    takeFinger(event, '', () => {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true });
      // It is not for what came under the finger since.
      Object.defineProperty(click, 'timeStamp', { value });
      button.dispatchEvent(click);
    });
  },
};
