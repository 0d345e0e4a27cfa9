import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A cashier types with two thumbs, and a hurried finger slides: every finger on a key counts once.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;
let glass: CDPSession;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  const profile = profileOf({ customer_id: 'cus_1', name: 'Yousef Al-Mutairi', cards: [demoCards.cashback] });
  agent.customers.set('LC-1002', { source: 'service', profile });
  ({ page } = await shared.open(agent, { hasTouch: true }));
  glass = await page.context().newCDPSession(page);
});

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a finger does: it goes down, it lifts, or it slides there. */
type Move = readonly [finger: number, does: 'down' | 'up' | Point];

const earns = () => agent.questions.flatMap(({ command, input }) => (command === 'operation.earn' ? [input] : []));
const amount = () => page.locator('#entry-amount');
const pad = (key: string) => `.entry-stage [data-key="${key}"]`;

async function middle(selector: string): Promise<Point> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not there to be touched`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Plays what fingers do, each at its place, as a touch screen tells it. */
async function play(places: readonly Point[], moves: readonly Move[]): Promise<void> {
  const down = new Map<number, Point>();
  const points = () => [...down].map(([id, at]) => ({ id, ...at }));
  for (const [finger, does] of moves) {
    const at = does === 'down' || does === 'up' ? places[finger] : does;
    if (at === undefined) throw new Error(`There is no place for finger ${finger}`);
    if (does === 'up') {
      down.delete(finger);
      // Where others stay down, the one that lifts is named. Where none does, the list is empty.
      const touchPoints = down.size === 0 ? [] : [{ id: finger, ...at }];
      await glass.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints });
    } else {
      down.set(finger, at);
      const type = does === 'down' ? 'touchStart' : 'touchMove';
      await glass.send('Input.dispatchTouchEvent', { type, touchPoints: points() });
    }
    await page.waitForTimeout(25);
  }
}

/** Touches keys with two thumbs in turn: each goes down before the other has lifted. */
async function typeByThumbs(selectors: readonly string[]): Promise<void> {
  const places = await Promise.all(selectors.map(middle));
  const moves = places.flatMap((_, index): Move[] =>
    index === 0
      ? [[0, 'down']]
      : [
          [index, 'down'],
          [index - 1, 'up'],
        ],
  );
  await play(places, [...moves, [places.length - 1, 'up']]);
}

describe.skipIf(!hasChromium)('the keypad of an amount, by touch', () => {
  beforeEach(async () => {
    if (!hasChromium) return;
    await scan(page, 'LC-1002');
    await amount().waitFor();
    await page.waitForTimeout(450);
  });

  it('takes every digit of two thumbs, and what is confirmed is all of them', async () => {
    await typeByThumbs(['1', '2', '5', '0'].map(pad));
    await expect.poll(() => amount().inputValue()).toBe('1250');
    await page.locator(pad('erase')).tap();
    await page.locator(pad('erase')).tap();
    await page.locator('.entry-confirm').tap();
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 12_000 }]);
  });

  it('takes the digit of a finger that goes down before the other has lifted, between taps of one', async () => {
    await page.locator(pad('1')).tap();
    await typeByThumbs(['2', '5'].map(pad));
    await page.locator(pad('9')).tap();
    await expect.poll(() => amount().inputValue()).toBe('1259');
  });

  it('takes digits in the order in which the fingers went down, whichever lifts first', async () => {
    const places = await Promise.all(['1', '2', '3'].map(pad).map(middle));
    await play(places, [
      [0, 'down'],
      [1, 'down'],
      [2, 'down'],
      [2, 'up'],
      [1, 'up'],
      [0, 'up'],
    ]);
    await expect.poll(() => amount().inputValue()).toBe('123');
  });

  it('takes a digit under a finger before anything else is pressed', async () => {
    await page.locator(pad('7')).tap();
    const places = [await middle(pad('5'))];
    await play(places, [[0, 'down']]);
    await page.locator('.entry-confirm').click();
    await page.locator('.outcome').waitFor();
    await glass.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(earns()).toMatchObject([{ amount_minor: 75_000 }]);
  });

  it('takes a digit under a finger before a key of the keyboard', async () => {
    await page.locator(pad('7')).tap();
    await play([await middle(pad('5'))], [[0, 'down']]);
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    await glass.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(earns()).toMatchObject([{ amount_minor: 75_000 }]);
  });

  it.each([
    ['the digit lifts first', [0, 1]],
    ['Confirm lifts first', [1, 0]],
  ] as const)('confirms by the second of two thumbs, once: %s', async (_, order) => {
    await page.locator(pad('1')).tap();
    const places = [await middle(pad('5')), await middle('.entry-confirm')];
    await play(places, [[0, 'down'], [1, 'down'], ...order.map((finger): Move => [finger, 'up'])]);
    await page.locator('.outcome').waitFor();
    await page.waitForTimeout(200);
    expect(earns()).toMatchObject([{ amount_minor: 15_000 }]);
  });

  it('confirms by a finger that slides on the button', async () => {
    await page.locator(pad('1')).tap();
    const { x, y } = await middle('.entry-confirm');
    await play(
      [{ x, y }],
      [
        [0, 'down'],
        [0, { x: x + 15, y }],
        [0, { x: x + 30, y }],
        [0, 'up'],
      ],
    );
    await page.locator('.outcome').waitFor();
  });

  it('confirms nothing by a thumb that slides off, nor by one from before the question that it would answer', async () => {
    const [confirm, six] = [await middle('.entry-confirm'), await middle(pad('6'))];
    await page.locator(pad('1')).tap();
    await play(
      [confirm],
      [
        [0, 'down'],
        [0, six],
        [0, 'up'],
      ],
    );
    expect(earns()).toEqual([]);
    await page.locator(pad('erase')).tap();
    for (const key of ['6', '0', '0']) await page.locator(pad(key)).tap();
    await play(
      [confirm, { x: confirm.x + 40, y: confirm.y }],
      [
        [0, 'down'],
        [1, 'down'],
      ],
    );
    await page.locator('[data-question=large]').waitFor();
    await page.locator('.entry-confirm[aria-disabled=false]').waitFor();
    await glass.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.waitForTimeout(300);
    expect(earns()).toEqual([]);
    await page.locator('.entry-confirm').tap();
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 600_000 }]);
  });

  it.each([6, 16, 30])('takes a digit whose finger slides %d px on its key', async (distancePx) => {
    const { x, y } = await middle(pad('8'));
    for (const [acrossPx, downPx] of [
      [distancePx, 0],
      [0, distancePx],
    ] as const) {
      const from = { x: x - acrossPx / 2, y: y - downPx / 2 };
      await play(
        [from],
        [
          [0, 'down'],
          [0, { x, y }],
          [0, { x: x + acrossPx / 2, y: y + downPx / 2 }],
          [0, 'up'],
        ],
      );
    }
    await expect.poll(() => amount().inputValue()).toBe('88');
  });

  it('takes nothing from a finger or a mouse that slides off its key', async () => {
    const [from, to] = [await middle(pad('8')), await middle(pad('1'))];
    await play(
      [from],
      [
        [0, 'down'],
        [0, to],
      ],
    );
    await glass.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
    await page.locator(pad('3')).click();
    expect(await amount().inputValue()).toBe('3');
  });

  it('takes nothing from a finger that has slid off when the next one goes down', async () => {
    const [eight, three] = [await middle(pad('8')), await middle(pad('3'))];
    const off = { x: eight.x, y: eight.y - 300 };
    await play(
      [eight, three],
      [
        [0, 'down'],
        [0, off],
        [1, 'down'],
        [1, 'up'],
        [0, 'up'],
      ],
    );
    await expect.poll(() => amount().inputValue()).toBe('3');
  });

  it('takes nothing from a press whose end never came', async () => {
    const eight = await middle(pad('8'));
    await page.mouse.move(eight.x, eight.y);
    await page.mouse.down();
    await page.evaluate(() => {
      window.addEventListener('pointerup', (event) => event.stopPropagation(), { capture: true, once: true });
    });
    await page.mouse.up();
    await page.locator(pad('3')).click();
    expect(await amount().inputValue()).toBe('3');
  });

  it('takes a press once, whatever brought it, and leaves the focus in the field', async () => {
    await page.locator(pad('1')).tap();
    await page.locator(pad('2')).click();
    await page.locator(pad('3')).evaluate((key: HTMLElement) => key.click());
    await page.locator(pad('4')).dispatchEvent('click');
    await page.locator(pad('5')).click({ button: 'right' });
    expect(await amount().inputValue()).toBe('1234');
    expect(await amount().evaluate((field) => field === document.activeElement)).toBe(true);
    await page.locator(pad('5')).focus();
    await page.keyboard.press('Space');
    expect(await amount().inputValue()).toBe('12345');
  });

  it('erases everything under a finger that stays, and one digit under one that does not', async () => {
    await page.keyboard.type('12.5', { delay: 60 });
    await page.locator(pad('erase')).tap();
    expect(await amount().inputValue()).toBe('12.');
    const place = await middle(pad('erase'));
    const look = () => page.locator(pad('erase')).evaluate((key) => getComputedStyle(key).backgroundColor);
    await play([place], [[0, 'down']]);
    await page.waitForTimeout(200);
    const tapped = await look();
    await page.waitForTimeout(500);
    // Whoever holds it sees that it is long enough.
    expect(await look()).not.toBe(tapped);
    await play([place], [[0, 'up']]);
    await expect.poll(() => amount().inputValue()).toBe('');
    expect(await page.locator('.key[data-down]').count()).toBe(0);
  });

  it('ignores a key that does nothing here', async () => {
    await openStamps();
    const before = await amount().inputValue();
    await typeByThumbs([pad('.'), pad('.')]);
    expect(await amount().inputValue()).toBe(before);
  });

  it('takes a key of the keyboard after a finger on the digit that the field began with', async () => {
    await openStamps();
    await page.locator(pad('1')).tap();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.locator('.outcome').waitFor();
    expect(earns()).toMatchObject([{ stamps: 12 }]);
  });

  async function openStamps(): Promise<void> {
    const profile = profileOf({ customer_id: 'cus_2', name: 'Sami Haddad', cards: [demoCards.stamp] });
    agent.customers.set('LC-1003', { source: 'service', profile });
    await page.keyboard.press('Escape');
    await scan(page, 'LC-1003');
    await page.locator(`${pad('.')}:disabled`).waitFor();
  }
});

describe.skipIf(!hasChromium)('the other touch keys', () => {
  it('take every letter of a receipt number from two thumbs', async () => {
    await scan(page, 'LC-1002');
    await amount().waitFor();
    await page.locator('.receipt-open').tap();
    await page.locator('.letters').waitFor();
    await typeByThumbs(['R', '-', '1', '7'].map((key) => `.letters [data-key="${key}"]`));
    await expect.poll(() => page.locator('#entry-receipt').inputValue()).toBe('R-17');
    await page.locator('.letters [data-key=digits]').tap();
    await page.locator(pad('7')).waitFor();
  });

  it('take every character of a card number from two thumbs', async () => {
    await page.getByRole('button', { name: 'Keypad' }).tap();
    await page.locator('.find-keypad').waitFor();
    await typeByThumbs(['9', '9', '8'].map((key) => `.find-keypad [data-key="${key}"]`));
    await expect.poll(() => page.locator('#find-box').inputValue()).toBe('998');
    await page.locator('.find-keypad .key-change').tap();
    await typeByThumbs(['l', 'c'].map((key) => `.find-keypad [data-key="${key}"]`));
    await expect.poll(() => page.locator('#find-box').inputValue()).toBe('998LC');
  });

  it('give their last digit before a second thumb on Find looks for the number', async () => {
    await page.getByRole('button', { name: 'Keypad' }).tap();
    await page.locator('.find-keypad').waitFor();
    for (const key of '9988776') await page.locator(`.find-keypad [data-key="${key}"]`).tap();
    const places = [await middle('.find-keypad [data-key="6"]'), await middle('.find-submit')];
    await play(places, [
      [0, 'down'],
      [1, 'down'],
      [0, 'up'],
      [1, 'up'],
    ]);
    const finds = () => agent.questions.flatMap(({ command, input }) => (command === 'customer.find' ? [input] : []));
    await expect.poll(finds).toEqual([{ identifier: { phone: '99887766' } }]);
  });

  it('choose no reward that comes to where the key was that changed the keys', async () => {
    const rewards = [1, 2, 3, 4, 5, 6].map((at) => ({ reward_id: `rwd_${at}`, name: `Reward ${at}` }));
    const profile = profileOf({ cards: [{ ...demoCards.reward, available_rewards: rewards }] });
    agent.customers.set('LC-1006', { source: 'service', profile });
    await page.setViewportSize({ width: 1366, height: 768 });
    await scan(page, 'LC-1006');
    await page.locator('[data-operation=redeem_reward]').tap();
    await page.locator('[data-reward=rwd_2]').tap();
    await page.locator('.receipt-open').tap();
    await page.locator('.letters').waitFor();
    const { x, y } = await middle('.letters [data-key=digits]');
    // Above the note, which is in front of the rewards.
    const place = { x, y: y - 18 };
    await page.touchscreen.tap(place.x, place.y);
    await page.locator('.letters').waitFor({ state: 'detached' });
    await page.waitForTimeout(200);
    const isReward = (at: Point) => document.elementFromPoint(at.x, at.y)?.closest('[data-reward]') != null;
    expect(await page.evaluate(isReward, place)).toBe(true);
    expect(await page.locator('[data-reward=rwd_2] .choice-radio').isChecked()).toBe(true);
  });
});
