import { type DisplayView, displayTillCommands } from '../../shared/till/display-views.ts';
import { command, type Handlers } from './command.ts';
import type { CustomerDisplay } from './customer-display.ts';
import { failed, succeeded } from './replies.ts';

interface DisplayRoom {
  /** The customers' screen; null when there is none. */
  readonly display: () => CustomerDisplay | null;
  /** An address of the customers' screen, for a window of the desktop app. It works once. */
  readonly displayUrl: (window: string) => string | null;
}

/** What the cashier's page has put on the customers' screen. */
export class ShownView {
  readonly #display: DisplayRoom['display'];
  #isCustomer = false;

  constructor(display: DisplayRoom['display']) {
    this.#display = display;
  }

  show(view: DisplayView): void {
    this.#display()?.show(view);
    this.#isCustomer = view.kind === 'customer';
  }

  /** Takes the customer off the customers' screen. A customer of another window stays shown. */
  hideCustomer(): void {
    if (this.#isCustomer) this.#display()?.show({ kind: 'nobody' });
    this.#isCustomer = false;
  }
}

/** The commands of the customers' screen. */
export function displayHandlers(
  shown: ShownView,
  { display, displayUrl }: DisplayRoom,
): Handlers<keyof typeof displayTillCommands> {
  return {
    'display.show': command(displayTillCommands['display.show'], ({ view }) => {
      shown.show(view);
      return succeeded({});
    }),
    'display.open': command(displayTillCommands['display.open'], ({ window }) => {
      const url = displayUrl(window);
      return url === null ? failed('not_now', 'This till has no screen for customers.') : succeeded({ url });
    }),
    'display.taken': command(displayTillCommands['display.taken'], ({ id }) => {
      display()?.taken(id);
      return succeeded({});
    }),
  };
}
