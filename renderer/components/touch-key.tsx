import type { ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';

/** How long a key is pressed until it counts as held down. */
const heldMs = 600;

/** How far beside its key a finger may lift. Between two keys it belongs to the one that it went down on. */
const besidePx = 16;

/** The fingers that are down on keys and do not count yet, in the order in which they went down. */
const fingers = new Map<number, (atMs: number) => void>();

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

function countAll({ timeStamp, pointerId }: PointerEvent): void {
  onKeys.delete(pointerId);
  for (const count of fingers.values()) count(timeStamp);
}

function lift(key: HTMLElement, pointerId: number): void {
  key.removeAttribute('data-down');
  fingers.delete(pointerId);
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
 * somewhere, those before it count first: then digits come in the order in which they were pressed, as on every
 * keyboard, though the first of two thumbs may lift last. A browser clicks for neither of two fingers that are down
 * together, nor for one that slides a little. A click counts only where no finger brought it.
 */
export function TouchKey({ onPress, onHold, ...button }: TouchKeyProps) {
  const count = (forMs: number): void => {
    if (button.disabled === true) return;
    if (onHold !== undefined && forMs >= heldMs) onHold();
    else onPress();
  };
  const latest = useRef(count);
  latest.current = count;
  return (
    <button
      type="button"
      tabIndex={-1}
      {...button}
      onPointerDown={(event) => {
        event.preventDefault();
        const { currentTarget: key, timeStamp: sinceMs, pointerId } = event;
        if (event.button !== 0) return;
        // Not every browser shows a finger that stays as `:active`.
        key.dataset['down'] = onHold === undefined ? '' : 'hold';
        fingers.set(pointerId, (atMs) => {
          lift(key, pointerId);
          // Only the finger's own times tell: a busy page gets the release of a tap late.
          if (key.isConnected) latest.current(atMs - sinceMs);
        });
        key.setPointerCapture(pointerId);
        onKeys.add(pointerId);
        window.addEventListener('pointerdown', countAll, { capture: true });
        window.addEventListener('click', stopClick, { capture: true });
      }}
      onPointerUp={({ currentTarget, pointerId, clientX, clientY, timeStamp }) => {
        const countOne = fingers.get(pointerId);
        lift(currentTarget, pointerId);
        const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
        const isBeside = Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom) > besidePx;
        if (!isBeside) countOne?.(timeStamp);
      }}
      onPointerCancel={({ currentTarget, pointerId }) => lift(currentTarget, pointerId)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // Assistive technology, the keyboard or a script.
        if (detail === 0) onPress();
      }}
    />
  );
}
