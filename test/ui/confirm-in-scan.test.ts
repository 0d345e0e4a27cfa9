import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// The cashier confirms with one hand while the other scans the next card, whose code is all digits.
const shared = sharedBrowser();
const code = '62910411';
let agent: FakeAgent;
let page: Page;
let device: CDPSession;
let confirm: { readonly x: number; readonly y: number };

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  const profile = profileOf({ customer_id: 'cus_1', name: 'Yousef Al-Mutairi', cards: [demoCards.cashback] });
  agent.customers.set('LC-1002', { source: 'service', profile });
  ({ page } = await shared.open(agent, { hasTouch: true }));
  device = await page.context().newCDPSession(page);
  await scan(page, 'LC-1002');
  await amount().waitFor();
  await page.waitForTimeout(450);
  await findConfirm();
});

async function findConfirm(): Promise<void> {
  const box = await page.locator('.entry-confirm').boundingBox();
  if (box === null) throw new Error('Confirm is not there');
  confirm = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const amount = () => page.locator('#entry-amount');
const asked = (name: string) => agent.questions.flatMap(({ command, input }) => (command === name ? [input] : []));
const earns = () => asked('operation.earn');
const finds = () => asked('customer.find');
type Sent = (atMs: number) => Promise<unknown>[];

const key = (text: string): Sent => {
  const stroke = { key: text === '\r' ? 'Enter' : text, text };
  return (atMs) =>
    ['keyDown', 'keyUp'].map((type) =>
      device.send('Input.dispatchKeyEvent', { type: type as 'keyDown' | 'keyUp', ...stroke, timestamp: atMs / 1000 }),
    );
};
const mouse: Sent = (atMs) =>
  (['mousePressed', 'mouseReleased'] as const).map((type) => {
    const click = { ...confirm, button: 'left', clickCount: 1 } as const;
    return device.send('Input.dispatchMouseEvent', { type, ...click, timestamp: atMs / 1000 });
  });
const idle: Sent = () => [];
const touch =
  (type: 'touchStart' | 'touchEnd'): Sent =>
  (atMs) => {
    const touchPoints = type === 'touchStart' ? [confirm] : [];
    return [device.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: atMs / 1000 })];
  };

/** Does them one after the other, each so long after the one before, without waiting for any. */
async function play(moves: readonly Sent[], everyMs: number): Promise<void> {
  const sinceMs = Date.now();
  await Promise.all(moves.flatMap((move, index) => move(sinceMs + index * everyMs)));
}
const keysOf = (text: string): readonly Sent[] => Array.from(text, key);
const wholeCode = [...keysOf(code), key('\r')];
/** The code with something else done behind so many of its keys. */
const amongKeys = (moves: readonly Sent[], count = 3): readonly Sent[] => [
  ...wholeCode.slice(0, count),
  ...moves,
  ...wholeCode.slice(count),
];

describe.skipIf(!hasChromium)('Confirm that is pressed while a card of digits is scanned', () => {
  it.each([
    ['by the mouse', 3, [mouse], []],
    ['by the mouse behind the first key', 1, [mouse], []],
    ['by a finger that lifts at once', 3, [touch('touchStart'), touch('touchEnd')], []],
    ['by a finger behind the first key', 1, [touch('touchStart'), touch('touchEnd')], []],
    ['by a finger that lifts after the scan', 3, [touch('touchStart')], [touch('touchEnd')]],
  ] as const)('is for what was entered before, and the card comes behind it: %s', async (_, count, press, after) => {
    await page.locator('[data-key="7"]').tap();
    await play([...amongKeys(press, count), ...after], 8);
    await expect.poll(earns).toMatchObject([{ amount_minor: 7_000 }]);
    await page.getByText('KWD 7.000 for Yousef Al-Mutairi: Saved').waitFor();
    expect(finds()).toContainEqual({ identifier: { phone: code } });
    expect(earns()).toHaveLength(1);
  });

  it('enters nothing of the code where nothing was entered', async () => {
    await play(amongKeys([mouse]), 8);
    await page.waitForTimeout(300);
    expect(earns()).toEqual([]);
    expect((await amount().count()) === 0 || (await amount().inputValue()) === '').toBe(true);
  });

  it('counts at once where the finger went down before the first key', async () => {
    await page.locator('[data-key="7"]').tap();
    await play([touch('touchStart'), ...wholeCode, touch('touchEnd')], 8);
    await expect.poll(earns).toMatchObject([{ amount_minor: 7_000 }]);
  });

  it('comes behind the number of a receipt that was being scanned into its field', async () => {
    await page.locator('[data-key="7"]').tap();
    await page.locator('.receipt-open').click();
    await page.locator('#entry-receipt:focus').waitFor();
    await findConfirm();
    await play(amongKeys([mouse]), 8);
    await expect.poll(earns).toMatchObject([{ amount_minor: 7_000, receipt_number: code }]);
  });

  it('answers no question that a second press has brought', async () => {
    await play([...keysOf('600'), mouse, idle, idle, idle, mouse], 10);
    await page.locator('[data-question=large]').waitFor();
    await page.waitForTimeout(700);
    expect(earns()).toEqual([]);
  });

  it('counts with all that a person typed as fast', async () => {
    await play([...keysOf('125'), mouse], 20);
    await expect.poll(earns).toMatchObject([{ amount_minor: 125_000 }]);
  });
});
