import type { Browser, Page } from 'playwright-core';
import type { VNode } from 'preact';
import { inSlowPage, type Till } from '../slow-page.ts';

const operation = '[data-operation=earn_amount]';

/** Nobody opens the screen, takes up a card and scans it sooner. By then the page is calm. */
const restMs = 3_000;

/**
 * From the press of an operation, right after its customer stands there, until the frame with its entry is drawn: the
 * first press since the page was opened.
 */
export function pressMs(browser: Browser, till: Till): Promise<number> {
  return withCustomer(browser, till, restMs, press);
}

/** The same, with the customer asked for at once when the page is ready, which no hand can do. */
export function earlyPressMs(browser: Browser, till: Till): Promise<number> {
  return withCustomer(browser, till, 0, press);
}

/** From a finger's touch until the frame in which the button itself answers it. */
export function touchMs(browser: Browser, till: Till): Promise<number> {
  return withCustomer(browser, till, restMs, async (page) => {
    await page.locator(operation).hover();
    // Listening before the touch comes.
    const answer = await page.evaluateHandle(
      (wanted) => ({
        ms: new Promise<number>((resolve, reject) => {
          const onTouch = ({ timeStamp }: Event): void => {
            requestAnimationFrame(() => {
              const isLit = document.querySelector(wanted)?.matches(':active') === true;
              // After this frame was drawn.
              setTimeout(() => {
                if (isLit) resolve(performance.now() - timeStamp);
                else reject(new Error('The touched operation does not show it'));
              });
            });
          };
          window.addEventListener('pointerdown', onTouch, { capture: true, once: true });
        }),
      }),
      operation,
    );
    await page.mouse.down();
    return answer.evaluate(({ ms }) => ms);
  });
}

/** An element of an entry: its name, its attributes and what is in it. */
interface EntryShape {
  readonly namespace: string | null;
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly (EntryShape | string)[];
}

/** What a press puts on the screen, to be put there again without the program. */
export function entryShape(browser: Browser, till: Till): Promise<EntryShape> {
  return withCustomer(browser, till, restMs, async (page) => {
    await press(page);
    await page.locator('[role=dialog] [data-key="1"]').waitFor();
    return page.evaluate(() => {
      const shapeOf = (element: Element): EntryShape => ({
        namespace: element.namespaceURI,
        name: element.localName,
        attributes: Array.from(element.attributes, ({ name, value }) => [name, value] as const),
        children: Array.from(element.childNodes, (node) =>
          node instanceof Element ? shapeOf(node) : (node.textContent ?? ''),
        ),
      });
      const entry = document.querySelector('[role=dialog]');
      if (entry === null) throw new Error('The press has opened no entry');
      return shapeOf(entry);
    });
  });
}

/** The least work of a press: the same elements in the same place with the focus moved, and nothing else run. */
export function bareEntryMs(browser: Browser, till: Till, shape: EntryShape): Promise<number> {
  return withCustomer(browser, till, restMs, (page) =>
    page.evaluate(async (entryShape) => {
      const startMs = performance.now();
      const make = ({ namespace, name, attributes, children }: EntryShape): Element => {
        const element = document.createElementNS(namespace, name);
        for (const [attribute, value] of attributes) element.setAttribute(attribute, value);
        element.append(...children.map((child) => (typeof child === 'string' ? child : make(child))));
        return element;
      };
      const stage = document.querySelector('.stage-body');
      // The entry stands in the place of the cards; who it is for stays.
      for (const beside of stage?.querySelectorAll('.customer-content > :not(.customer-head)') ?? []) beside.remove();
      stage?.setAttribute('data-entry-open', '');
      stage?.append(make(entryShape));
      const field = document.querySelector<HTMLElement>('#entry-amount');
      if (field === null) throw new Error('The entry has no field');
      field.focus();
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      return performance.now() - startMs;
    }, shape),
  );
}

/**
 * The same elements, put there by the page's own library and nothing else. It has made them before, out of sight, as the page
 * rehearses an entry.
 *
 * @param preactScript sets the variable `preact`
 */
export function libraryEntryMs(
  browser: Browser,
  till: Till,
  { shape, preactScript }: { readonly shape: EntryShape; readonly preactScript: string },
): Promise<number> {
  return withCustomer(browser, till, restMs, async (page) => {
    await page.evaluate(preactScript);
    return page.evaluate(async (entryShape) => {
      const { h, render } = Reflect.get(window, 'preact');
      const treeOf = ({ name, attributes, children }: EntryShape): VNode =>
        h(
          name,
          Object.fromEntries(attributes),
          ...children.map((child) => (typeof child === 'string' ? child : treeOf(child))),
        );
      const drawn = async (): Promise<void> => {
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => setTimeout(resolve));
      };
      for (let rehearsal = 0; rehearsal < 3; rehearsal += 1) {
        render(treeOf(entryShape), document.createElement('div'));
        await drawn();
      }
      const startMs = performance.now();
      const stage = document.querySelector('.stage-body');
      for (const beside of stage?.querySelectorAll('.customer-content > :not(.customer-head)') ?? []) beside.remove();
      stage?.setAttribute('data-entry-open', '');
      const place = document.createElement('div');
      place.style.display = 'contents';
      stage?.append(place);
      render(treeOf(entryShape), place);
      const field = document.querySelector<HTMLElement>('#entry-amount');
      if (field === null) throw new Error('The entry has no field');
      field.focus();
      await drawn();
      return performance.now() - startMs;
    }, shape);
  });
}

async function withCustomer<Answer>(
  browser: Browser,
  till: Till,
  pauseMs: number,
  run: (page: Page) => Promise<Answer>,
): Promise<Answer> {
  return inSlowPage(browser, till, async (page, url) => {
    await page.goto(url);
    await page.locator('[data-connection=online]').waitFor();
    await page.waitForTimeout(pauseMs);
    await page.locator('#find-box').fill('LC-1001');
    await page.keyboard.press('Enter');
    await page.locator(operation).waitFor();
    await page.locator('.customer-content .customer-head').waitFor();
    return run(page);
  });
}

function press(page: Page): Promise<number> {
  return page.evaluate(async (wanted) => {
    const startMs = performance.now();
    document.querySelector<HTMLElement>(wanted)?.click();
    while (document.querySelector('[role=dialog]') === null) await new Promise(requestAnimationFrame);
    // The entry was found before its frame was drawn: waits until it is drawn.
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - startMs;
  }, operation);
}
