import type { Page } from 'playwright-core';
import { identifierEntry, identifierSchema } from '../../shared/contract/identifier.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import { type PageWorld, worldCustomers } from './page-world.ts';
import { scan } from './ui-page.ts';

/** What stands on the screen, as it is read off it. */
export interface Shown {
  readonly stage: string | null;
  readonly name: string | null;
  readonly source: string | null;
  readonly connection: string | null;
  readonly cards: readonly { readonly id: string; readonly value: string; readonly isChosen: boolean }[];
  readonly operations: readonly { readonly name: string; readonly isEnabled: boolean }[];
  readonly rows: readonly string[];
  readonly outcome: string | null;
  /** Null: nothing is entered. */
  readonly entry: {
    readonly who: string;
    readonly amount: string | null;
    /** What is typed next takes the place of what stands between these; where they are equal, the caret stands. */
    readonly marked: { readonly start: number; readonly end: number };
    readonly takesText: boolean;
  } | null;
}

/** Read in one go: nothing changes in between. */
export function readScreen(page: Page): Promise<Shown> {
  return page.evaluate(readInPage);
}

function readInPage(): Shown {
  const text = (selector: string, within: ParentNode = document): string | null =>
    within.querySelector(selector)?.textContent?.trim() ?? null;
  const state = (element: Element | null): string | null =>
    element === null ? null : `${element.getAttribute('data-ref')} ${element.getAttribute('data-state')}`;
  const dialog = document.querySelector('[role=dialog]');
  const field = dialog?.querySelector<HTMLInputElement>('#entry-amount') ?? null;
  return {
    stage: document.querySelector('[data-stage]')?.getAttribute('data-stage') ?? null,
    name: text('.customer-name'),
    source: document.querySelector('[data-source]')?.getAttribute('data-source') ?? null,
    connection: document.querySelector('[data-connection]')?.getAttribute('data-connection') ?? null,
    cards: [...document.querySelectorAll('.card')].map((card) => ({
      id: card.getAttribute('data-card') ?? '',
      value: (text('.card-value', card) ?? '').replaceAll('\u00a0', ' '),
      isChosen: card.querySelector<HTMLInputElement>('input')?.checked === true,
    })),
    operations: [...document.querySelectorAll<HTMLButtonElement>('[data-operation]')].map((button) => ({
      name: button.getAttribute('data-operation') ?? '',
      isEnabled: !button.disabled,
    })),
    rows: [...document.querySelectorAll('.recent .sale-row')].map((row) => state(row) ?? ''),
    outcome: state(document.querySelector('.outcome')),
    entry:
      dialog === null
        ? null
        : {
            who: text('.entry-who bdi', dialog) ?? '',
            amount: field?.value ?? null,
            marked: { start: field?.selectionStart ?? 0, end: field?.selectionEnd ?? 0 },
            takesText: field !== null && !field.readOnly && field === document.activeElement,
          },
  };
}

declare global {
  interface Window {
    /** What stood there when Enter or a finger came down first, since it was set to null. */
    shownWhenPressed?: Shown | null;
  }
}

/** From now on the page keeps what it shows at the next press, before it does anything about that. */
async function keepShownAtNextPress(page: Page): Promise<void> {
  const keep = (read: () => Shown): void => {
    const isKept = window.shownWhenPressed !== undefined;
    window.shownWhenPressed = null;
    if (isKept) return;
    const keepFirst = (): void => {
      if (window.shownWhenPressed === null) window.shownWhenPressed = read();
    };
    for (const press of ['keydown', 'click']) addEventListener(press, keepFirst, { capture: true });
  };
  await page.evaluate(`(${keep.toString()})(${readInPage.toString()})`);
}

/** A cashier in a hurry, by seed: what was done stands in `log`. */
export class PageDriver {
  readonly log: string[] = [];
  readonly #page: Page;
  readonly #world: PageWorld;
  readonly #random: RandomSource;

  constructor(page: Page, world: PageWorld, random: RandomSource) {
    this.#page = page;
    this.#world = world;
    this.#random = random;
  }

  /** @throws when a key was lost, or somebody was thrown away by one */
  async act(): Promise<void> {
    const page = this.#page;
    const world = this.#world;
    const acts: readonly (readonly [number, string, () => Promise<unknown>])[] = [
      [5, 'scan', () => this.#scan()],
      [6, 'type', () => this.#type()],
      [4, 'Enter', () => this.#confirm('Enter')],
      [2, 'press Confirm twice', () => this.#confirm('twice')],
      [2, 'Escape', () => page.keyboard.press('Escape')],
      [1, 'stray key', () => this.#strayKey()],
      [3, 'operation', () => this.#clickOne('[data-operation]:enabled')],
      [3, 'other card', () => this.#clickOne('.card-radio')],
      [2, 'undo', () => this.#clickOne('.row-open, .outcome-undo:enabled, .outcome-choices .button-primary')],
      [1, 'arrow', () => page.keyboard.press(this.#pick(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']))],
      [6, 'an answer comes', async () => world.release()],
      [5, 'an operation goes on', async () => world.advance()],
      [1, 'the line', async () => world.setOnline(!world.isOnline)],
    ];
    const total = acts.reduce((sum, [weight]) => sum + weight, 0);
    let drawn = this.#random.next() * total;
    for (const [weight, name, act] of acts) {
      drawn -= weight;
      if (drawn >= 0) continue;
      this.log.push(name);
      await act();
      return;
    }
  }

  async #scan(): Promise<void> {
    const code = this.#pick([...Object.keys(worldCustomers), ...Object.keys(worldCustomers), 'LC-9999']);
    this.log.push(`  ${code}`);
    await scan(this.#page, code);
  }

  async #type(): Promise<void> {
    const before = await readScreen(this.#page);
    const digits = this.#pick(['1', '2', '3', '0', '12', '120', '9999', '3.5']);
    this.log.push(`  ${digits}`);
    await this.#page.keyboard.type(digits, { delay: 80 });
    if (before.entry === null || before.entry.amount === null || !before.entry.takesText) return;
    const after = await readScreen(this.#page);
    if (after.entry?.amount == null || after.entry.who !== before.entry.who) return;
    const { amount, marked } = before.entry;
    const wanted = amount.slice(0, marked.start) + digits + amount.slice(marked.end);
    if (after.entry.amount !== wanted) {
      throw new Error(`Typed ${digits} over ${amount}: ${after.entry.amount} instead of ${wanted}`);
    }
  }

  /** What is asked of the agent is what stood on the screen when it was confirmed. */
  async #confirm(how: 'Enter' | 'twice'): Promise<void> {
    await keepShownAtNextPress(this.#page);
    const asked = this.#world.agent.questions.length;
    if (how === 'Enter') await this.#page.keyboard.press('Enter');
    else await this.#clickOne('.entry-confirm', { clickCount: 2 });
    await this.#page.waitForTimeout(20);
    const earns = this.#world.agent.questions.slice(asked).filter(({ command }) => command === 'operation.earn');
    if (earns.length > 1) throw new Error('One dialog has asked for two earns');
    const [earn] = earns;
    if (earn === undefined) return;
    const shown = (await this.#page.evaluate(() => window.shownWhenPressed))?.entry ?? null;
    const { customer_name, identifier, ...value } = earn.input as Readonly<Record<string, unknown>>;
    // An earn by the card's number alone has no name, and its dialog says the number.
    const whose = customer_name ?? identifierEntry(identifierSchema.parse(identifier)).value;
    const amount = value.points ?? value.stamps ?? value.visits ?? Number(value.amount_minor) / 1000;
    if (shown === null || shown.who !== whose) {
      throw new Error(`An earn for ${JSON.stringify(whose)} from a dialog for ${shown?.who ?? 'nobody'}`);
    }
    // Behind a question the field is not seen.
    if (shown.amount !== null && Number(shown.amount) !== amount) {
      throw new Error(`An earn of ${JSON.stringify(amount)} from a dialog that shows ${shown.amount}`);
    }
  }

  async #strayKey(): Promise<void> {
    const before = await readScreen(this.#page);
    await this.#page.keyboard.press(this.#pick(['x', ' ', 'Backspace', '-', 'Delete', 'F2']));
    const after = await readScreen(this.#page);
    if (before.name !== after.name)
      throw new Error(`A stray key has put ${after.name ?? 'nobody'} before ${before.name}`);
  }

  async #clickOne(selector: string, options: { readonly clickCount?: number } = {}): Promise<void> {
    const found = await this.#page.locator(selector).all();
    const one = found[Math.floor(this.#random.next() * found.length)];
    // Under something else, or gone by now: a finger that misses.
    await one?.click({ timeout: 300, force: true, ...options }).catch(() => undefined);
  }

  #pick<T>(among: readonly T[]): T {
    const one = among[Math.floor(this.#random.next() * among.length)];
    if (one === undefined) throw new Error('There is nothing to pick from');
    return one;
  }
}
