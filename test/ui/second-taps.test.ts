import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { clickAt, hasChromium, keysAreThere, middleOf, type Place, scan, tapAt } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A hurried finger taps twice. The second tap is not for what the first one has brought under it.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

const [sara, dana, bader] = ['Sara Haddad', 'Dana Al-Sabah', 'Bader Al-Mutairi'];

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  for (const [id, name, cards] of [
    ['LC-1002', bader, [demoCards.cashback]],
    ['LC-1003', sara, [demoCards.stamp]],
    ['LC-1004', dana, [demoCards.stamp]],
    ['LC-1009', sara, [demoCards.stamp, demoCards.cashback, demoCards.reward, demoCards.membership]],
  ] as const) {
    agent.customers.set(id, { source: 'service', profile: profileOf({ customer_id: id, name, cards: [...cards] }) });
  }
});

const wide = { width: 1366, height: 768 };
/** A screen at 200 %. */
const low = { width: 683, height: 384 };

async function open(viewport = wide): Promise<void> {
  ({ page } = await shared.open(agent, { hasTouch: true, viewport }));
  await keysAreThere(page);
}

const earns = () => agent.questions.flatMap(({ command, input }) => (command === 'operation.earn' ? [input] : []));
const confirm = () => middleOf(page, '.entry-confirm');
const entryOf = (name: string) => page.locator('.entry-stage', { hasText: name });

/** Somebody's entry is open long enough to be read. */
async function openEntry(loyaltyId: string, name: string): Promise<void> {
  await scan(page, loyaltyId);
  await entryOf(name).locator('#entry-amount').waitFor();
  await page.waitForTimeout(450);
}

/** Sara's two stamps are entered, and the next card waits, if any. @returns where Confirm is */
async function letWait(loyaltyId: string | null): Promise<Place> {
  await openEntry('LC-1003', sara);
  await page.keyboard.press('2');
  if (loyaltyId === null) return confirm();
  // Else the scan would begin with it.
  await page.waitForTimeout(100);
  await scan(page, loyaltyId);
  await page.locator('.entry-notes .entry-note').waitFor();
  return confirm();
}

/** Sara's entry of stamps is open, beside three other cards of hers. */
async function openStamps(): Promise<void> {
  await scan(page, 'LC-1009');
  await page.locator('.card').first().click();
  await page.locator('[data-operation=earn_stamp]').click();
  await page.locator('.entry-confirm').waitFor();
  await page.waitForTimeout(450);
}

/** @returns a function that lets this be answered */
function answerOnlyWhenTold(command: string): () => void {
  const { answer } = agent;
  const { promise: isTold, resolve: tell } = Promise.withResolvers<null>();
  agent.answer = (question) => (question.command === command ? isTold : answer(question));
  return () => tell(null);
}

const cancel = () => middleOf(page, '.entry-foot .button-outline');
const chosenCard = () => page.locator('.card:has(:checked)').getAttribute('data-card');

/** Taps the last button of an entry. @returns when, and the entry is gone */
async function leaveBy(place: Place): Promise<number> {
  const tappedAtMs = Date.now();
  await tapAt(page, place, tappedAtMs);
  await page.locator('[data-entry]').waitFor({ state: 'detached' });
  return tappedAtMs;
}

/** Lets a press come to its end, and whatever it brings about. */
const settle = () => page.waitForTimeout(200);

describe.skipIf(!hasChromium)('Confirm pressed before somebody can have read an entry', () => {
  it.each(['finger', 'mouse'] as const)('sends nothing for the customer who waited: by %s', async (how) => {
    await open();
    const place = await letWait('LC-1004');
    const press = (atMs: number) =>
      how === 'finger' ? tapAt(page, place, atMs) : clickAt(page, '.entry-confirm', atMs);
    const pressedAtMs = Date.now();
    await press(pressedAtMs);
    await entryOf(dana).waitFor();
    await press(pressedAtMs + 150);
    await settle();
    expect(earns()).toMatchObject([{ stamps: 2, customer_name: sara }]);
    await press(Date.now() + 400);
    await expect.poll(earns).toMatchObject([{ customer_name: sara }, { stamps: 1, customer_name: dana }]);
  });

  it.each(['waits', 'is scanned once it is done'] as const)(
    'sends nothing for a customer whose card %s, when the sale before took long',
    async (how) => {
      await open();
      const place = await letWait(how === 'waits' ? 'LC-1004' : null);
      const [save, find] = [answerOnlyWhenTold('operation.earn'), answerOnlyWhenTold('customer.find')];
      await tapAt(page, place, Date.now());
      await page.waitForTimeout(700);
      save();
      await page.locator('[data-entry]').waitFor({ state: 'detached' });
      if (how !== 'waits') await scan(page, 'LC-1004');
      await page.locator('[data-stage=finding]').waitFor();
      await page.waitForTimeout(500);
      const cameAtMs = Date.now();
      find();
      await entryOf(dana).waitFor();
      await tapAt(page, place, cameAtMs + 100);
      await settle();
      expect(earns()).toMatchObject([{ stamps: 2, customer_name: sara }]);
      await tapAt(page, place, Date.now() + 400);
      await expect.poll(earns).toMatchObject([{ customer_name: sara }, { stamps: 1, customer_name: dana }]);
    },
  );

  it.each([
    [
      'that was opened by its button',
      async () => {
        await scan(page, 'LC-1009');
        await page.locator('.card').first().click();
        await page.locator('[data-operation=earn_stamp]').click();
      },
    ],
    [
      'that came to an empty screen',
      async () => {
        await page.locator('.next').click();
        await scan(page, 'LC-1003');
      },
    ],
  ] as const)('sends at once for an entry %s', async (_, openNext) => {
    await open();
    await openEntry('LC-1004', dana);
    await tapAt(page, await confirm(), Date.now());
    await page.locator('.outcome').waitFor();
    await openNext();
    await entryOf(sara).waitFor();
    await page.locator('.entry-confirm').click();
    await expect.poll(earns).toMatchObject([{ customer_name: dana }, { stamps: 1, customer_name: sara }]);
  });

  it('sends nothing for a customer whose card was read while the finger went down', async () => {
    await open();
    await openEntry('LC-1003', sara);
    const place = await confirm();
    const scannedAtMs = Date.now();
    await scan(page, 'LC-1004');
    await entryOf(dana).waitFor();
    await tapAt(page, place, scannedAtMs + 100);
    await settle();
    expect(earns()).toEqual([]);
  });

  it('sends no amount that a POS program has handed over', async () => {
    const handed = { id: 'h-1', amount_minor: 12_500, currency: 'KWD', receipt_number: 'R-9' };
    agent.setState({ handed_over: handed });
    await open();
    const place = await letWait('LC-1002');
    const pressedAtMs = Date.now();
    await tapAt(page, place, pressedAtMs);
    await entryOf(bader).waitFor();
    await tapAt(page, place, pressedAtMs + 150);
    await settle();
    expect(earns()).toMatchObject([{ customer_name: sara }]);
    await tapAt(page, place, Date.now() + 400);
    await expect.poll(earns).toMatchObject([{ customer_name: sara }, { amount_minor: 12_500, handed_over_id: 'h-1' }]);
  });

  it('sends nothing by the second tap on the operation that stood there', async () => {
    await open(low);
    await scan(page, 'LC-1009');
    await page.locator('.card').first().click();
    const place = await middleOf(page, '[data-operation=earn_stamp]');
    const pressedAtMs = Date.now();
    await tapAt(page, place, pressedAtMs);
    await page.locator('.entry-confirm').waitFor();
    await tapAt(page, place, pressedAtMs + 150);
    await settle();
    expect(earns()).toEqual([]);
  });

  it('sends what was typed there, however quickly', async () => {
    await open();
    const place = await letWait('LC-1004');
    const pressedAtMs = Date.now();
    await tapAt(page, place, pressedAtMs);
    await entryOf(dana).waitFor();
    await tapAt(page, await middleOf(page, '.entry-stage [data-key="3"]'), pressedAtMs + 100);
    await tapAt(page, place, pressedAtMs + 200);
    await expect.poll(earns).toMatchObject([{ customer_name: sara }, { stamps: 3, customer_name: dana }]);
  });
});

describe.skipIf(!hasChromium)('a second tap on a button of an entry that is gone', () => {
  it('chooses no other card', async () => {
    await open();
    await openStamps();
    const place = await cancel();
    const tappedAtMs = await leaveBy(place);
    await tapAt(page, place, tappedAtMs + 150);
    await settle();
    expect(await chosenCard()).toBe('card_stamp');
    await tapAt(page, place, Date.now() + 400);
    await expect.poll(chosenCard).not.toBe('card_stamp');
  });

  it('opens no operation', async () => {
    await open(low);
    await openStamps();
    const place = await cancel();
    const tappedAtMs = await leaveBy(place);
    await tapAt(page, place, tappedAtMs + 150);
    await settle();
    expect(await page.locator('[data-entry]').count()).toBe(0);
    await tapAt(page, place, Date.now() + 400);
    await page.locator('[data-entry]').waitFor();
  });

  it('leaves what became of the sale there', async () => {
    await open(low);
    await openEntry('LC-1003', sara);
    const place = await confirm();
    const tappedAtMs = await leaveBy(place);
    await page.locator('.outcome').waitFor();
    await tapAt(page, place, tappedAtMs + 150);
    await settle();
    expect(await page.locator('.outcome').count()).toBe(1);
    await tapAt(page, place, Date.now() + 400);
    await page.locator('.outcome').waitFor({ state: 'detached' });
  });

  it('lets a key act at once: the next card that is typed is looked for', async () => {
    await open();
    await openStamps();
    await leaveBy(await cancel());
    await page.locator('#find-box').fill('LC-1003');
    await page.locator('#find-box').press('Enter');
    await page.getByRole('heading', { name: sara }).waitFor();
  });

  it('beside it, presses what stands there at once', async () => {
    await open();
    await openStamps();
    const leftAtMs = await leaveBy(await cancel());
    await tapAt(page, await middleOf(page, '[data-operation=redeem_stamp]'), leftAtMs + 150);
    await page.locator('[data-entry=redeem_stamp]').waitFor();
  });
});
