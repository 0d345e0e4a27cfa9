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

/** What the pages of this till have put on the customers' screen. A page is known by its connection. */
export class ShownView {
  readonly #display: DisplayRoom['display'];
  readonly #pages = new Set<object>();

  constructor(display: DisplayRoom['display']) {
    this.#display = display;
  }

  /** @param page left out for the one page that comes over no connection */
  show(view: DisplayView, page: object = this): void {
    this.#pages.add(page);
    this.#display()?.show(view, page);
  }

  /** Takes the customer off the customers' screen. A customer of another window stays shown. */
  hideCustomer(): void {
    for (const page of this.#pages) this.#display()?.hide(page);
  }

  pageGone(page: object): void {
    this.#pages.delete(page);
    this.#display()?.pageGone(page);
  }
}

/** The commands of the customers' screen. */
export function displayHandlers(
  shown: ShownView,
  { display, displayUrl }: DisplayRoom,
): Handlers<keyof typeof displayTillCommands> {
  return {
    'display.show': command(displayTillCommands['display.show'], ({ view }, page) => {
      shown.show(view, page);
      return succeeded({});
    }),
    'display.open': command(displayTillCommands['display.open'], ({ window }) => {
      const url = displayUrl(window);
      return url === null ? failed('not_now', 'This till has no screen for customers.') : succeeded({ url });
    }),
    'display.taken': command(displayTillCommands['display.taken'], ({ id }) =>
      succeeded({ is_taken: display()?.taken(id) ?? false }),
    ),
  };
}
