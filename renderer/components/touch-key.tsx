import type { ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';

/** How long a key is pressed until it counts as held down. */
const heldMs = 600;

/** How far beside its key a finger may lift. Between two keys it belongs to the one that it went down on. */
const besidePx = 16;

interface Finger {
  readonly key: HTMLElement;
  /** Tells where it is. */
  readonly at: PointerEvent;
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

function isOnKey({ key, at: { clientX, clientY } }: Finger): boolean {
  const { left, right, top, bottom } = key.getBoundingClientRect();
  return Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom) <= besidePx;
}

function countOne(pointerId: number, atMs: number): void {
  const finger = fingers.get(pointerId);
  lift(pointerId);
  if (finger?.key.isConnected === true && isOnKey(finger)) finger.count(atMs);
}

function countAll({ timeStamp }: Event): void {
  for (const pointerId of fingers.keys()) countOne(pointerId, timeStamp);
}

function onNextDown(event: PointerEvent): void {
  onKeys.delete(event.pointerId);
  // Its press before has an end that never came.
  lift(event.pointerId);
  countAll(event);
}

function onKeyboard(event: KeyboardEvent): void {
  if (event.isTrusted) countAll(event);
}

interface TouchKeyProps extends Omit<ComponentProps<'button'>, `on${string}`> {
  readonly onPress: () => void;
  /** Called instead when the key was held down. */
  readonly onHold?: (() => void) | undefined;
}

/**
 * A touch key. It never takes the focus from the field.
 *
 * Each finger counts once, when it lifts. A finger that slides off takes its press back. When the next finger goes down
 * somewhere, or a key of the keyboard, those before it count first: then digits come in the order in which they were
 * pressed, as on every keyboard, though the first of two thumbs may lift last. A browser clicks for neither of two
 * fingers that are down together, nor for one that slides a little. A click counts only where no finger brought it.
 */
export function TouchKey({ onPress, onHold, ...button }: TouchKeyProps) {
  const count = (forMs: number): void => {
    if (button.disabled === true) return;
    if (onHold !== undefined && forMs >= heldMs) onHold();
    else onPress();
  };
  const latest = useRef(count);
  latest.current = count;
  const moveTo = (at: PointerEvent): void => {
    const finger = fingers.get(at.pointerId);
    if (finger !== undefined) fingers.set(at.pointerId, { ...finger, at });
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      {...button}
      onPointerDown={(event) => {
        event.preventDefault();
        const { currentTarget: key, timeStamp: sinceMs, pointerId } = event;
        // Those that count first may have taken this key away.
        if (event.button !== 0 || !key.isConnected) return;
        // Not every browser shows a finger that stays as `:active`.
        key.dataset['down'] = onHold === undefined ? '' : 'hold';
        // Only the finger's own times tell: a busy page gets the release of a tap late.
        fingers.set(pointerId, { key, at: event, count: (atMs) => latest.current(atMs - sinceMs) });
        key.setPointerCapture(pointerId);
        onKeys.add(pointerId);
        window.addEventListener('pointerdown', onNextDown, { capture: true });
        window.addEventListener('keydown', onKeyboard, { capture: true });
        window.addEventListener('click', stopClick, { capture: true });
      }}
      onPointerMove={moveTo}
      onPointerUp={(event) => {
        moveTo(event);
        countOne(event.pointerId, event.timeStamp);
      }}
      onPointerCancel={({ pointerId }) => lift(pointerId)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // Assistive technology, the keyboard or a script.
        if (detail === 0) onPress();
      }}
    />
  );
}
