import type { Locator, Page } from 'playwright-core';

/** The sandbox lab as a tester finds their way through it. */
export class LabPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows a screen, unless it is there. */
  async show(name: string): Promise<void> {
    const screen = this.#page.locator(`[data-screen="${name}"]`);
    if (await screen.isVisible()) return;
    await this.#page.locator('.more').click();
    await this.#page.locator(`.screen-entry[data-to="${name}"]`).click();
    await screen.waitFor();
  }

  /** Opens a part of the lab, by its tab. */
  async part(name: string): Promise<void> {
    await this.#page.getByRole('tab', { name }).click();
    await this.#page.locator(`[data-section="${name.toLowerCase()}"]`).first().waitFor();
  }

  dialog(): Locator {
    return this.#page.getByRole('dialog');
  }

  press(name: string | RegExp, within: Page | Locator = this.#page): Promise<void> {
    return within.getByRole('button', { name }).click();
  }
}
