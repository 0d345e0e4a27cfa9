import type { CancelTimer } from '../../shared/lib/clock.ts';

/** Knows the cashier's own times. A busy page handles a press long after it was made. */
export interface Presses {
  /** When the press was made that is handled now, by the clock of the page's events; now, where none is handled. */
  readonly pressedAtMs: () => number;
  /** Calls `then` when what was changed is on the screen. A page that nobody sees paints nothing. */
  readonly whenPainted: (then: () => void) => CancelTimer;
}

/** Must listen before whoever asks for the time of a press. */
export function listenToPresses(page: Window): Presses {
  let atMs: number | null = null;
  const onPress = (event: Event): void => {
    atMs = event.timeStamp;
    // What the press causes, such as typing or sending a form, has no time of the press, and is handled before this.
    page.setTimeout(() => {
      atMs = null;
    });
  };
  // A keyboard sends the text of a key behind the key, maybe after that timer: both tell the same time.
  // A touch key counts when its finger lifts, or when the next one goes down.
  const types = ['keydown', 'keypress', 'pointerdown', 'pointerup', 'click'];
  for (const type of types) page.addEventListener(type, onPress, { capture: true });
  return {
    pressedAtMs: () => atMs ?? performance.now(),
    whenPainted(then) {
      const frame = page.requestAnimationFrame(then);
      return () => page.cancelAnimationFrame(frame);
    },
  };
}
