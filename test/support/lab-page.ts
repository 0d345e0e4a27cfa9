import type { Locator, Page } from 'playwright-core';
import type { UiTill } from './ui-till.ts';

/** The sandbox lab as a tester finds their way through it. */
export class LabPage {
  readonly #till: UiTill;
  readonly #page: Page;

  constructor(till: UiTill) {
    this.#till = till;
    this.#page = till.page;
  }

  /** The sandbox as at first, no dialog, and the lab in front at its first part. */
  async begin(): Promise<void> {
    await this.#till.control('/reset', {});
    while (await this.#page.locator('dialog[open]').isVisible()) await this.#page.keyboard.press('Escape');
    await this.show('lab');
    await this.part('Practice');
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
