import type { ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';
import { takeFinger, whileDown } from './fingers.ts';

/** How long a key is pressed until it counts as held down. */
const heldMs = 600;

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
  return (
    <button
      type="button"
      tabIndex={-1}
      {...button}
      {...whileDown}
      onPointerDown={(event) => {
        const { timeStamp: sinceMs } = event;
        // Only the finger's own times tell: a busy page gets the release of a tap late.
        takeFinger(event, onHold === undefined ? '' : 'hold', (atMs) => latest.current(atMs - sinceMs));
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // Assistive technology, the keyboard or a script.
        if (detail === 0) onPress();
      }}
    />
  );
}
