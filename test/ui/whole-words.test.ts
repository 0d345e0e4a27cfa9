import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { locales } from '../../shared/till/locales.ts';
import type { Connection } from '../../shared/till/views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();

const sizes = {
  /** The usual one at a zoom of 200 %. */
  zoomed: { width: 683, height: 384 },
  low: { width: 1024, height: 600 },
  small: { width: 1280, height: 800 },
  usual: { width: 1366, height: 768 },
  large: { width: 1920, height: 1080 },
};

const since = '2026-11-20T11:02:00.000Z';
const longSince = '2026-11-18T05:02:00.000Z';
const offline = (from: string): Connection => ({ state: 'offline', cause: 'offline', since: from });

/** What a till says beside each other when most goes wrong: the connection, how many wait, and how many need somebody. */
const troubles = {
  'offline for a while': { connection: offline(since), queued: 3, refused: 1, oldest: since },
  'offline for days': { connection: offline(longSince), queued: 128, refused: 2, oldest: longSince },
  'held back': {
    connection: { state: 'online', cause: 'refused', since } as const,
    queued: 1_203,
    refused: 14,
    oldest: since,
  },
};

function trouble(agent: FakeAgent, name: keyof typeof troubles): void {
  const { connection, queued, refused, oldest } = troubles[name];
  agent.setState({
    connection,
    operations: { ...agent.state.operations, queued, refused },
    oldest_waiting_at: oldest,
    cashier: { name: 'Sara', employee_ref: 'E-1' },
  });
}

/** Texts of the bar that end early, and neighbours in it that stand in each other's place. */
const faultsOfBar = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const isSeen = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width > 2 && height > 2 && getComputedStyle(element).clipPath === 'none';
    };
    const cut = [...document.querySelectorAll('.top-bar :is(.line-main, .line-quiet, .queue-count, bdi)')]
      .filter(
        (text) =>
          isSeen(text) && text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== 'inline',
      )
      .map((text) => `cut: ${text.textContent}`);
    const parts = [...document.querySelectorAll('.top-bar > *, .brand > *, .find-box')].filter(
      (part) => isSeen(part) && !part.matches('.brand'),
    );
    const covered = parts.flatMap((one, index) =>
      parts.slice(index + 1).flatMap((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const isApart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top || b.bottom <= a.top;
        return isApart || one.contains(other) || other.contains(one) ? [] : [`${one.className} on ${other.className}`];
      }),
    );
    return [...cut, ...covered];
  });

/** Keys of an entry that its foot covers, or that are not there. */
async function keysUnderFoot(page: Page): Promise<readonly string[]> {
  const foot = await page.locator('.entry-foot .button').first().boundingBox();
  const keys = await page.locator('.pad .key').all();
  const ends = await Promise.all(
    keys.map(async (key) => {
      const box = await key.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    }),
  );
  return keys.length === 0 ? ['no keys'] : ends.filter((end) => end >= (foot?.y ?? 0)).map((end) => `ends at ${end}`);
}

describe.skipIf(!hasChromium).each(locales)('in %s', (locale) => {
  it('the bar tells the whole trouble, as wide as tills are', async () => {
    const agent = await shared.startAgent({ locale });
    const { page } = await shared.open(agent);
    for (const name of Object.keys(troubles) as (keyof typeof troubles)[]) {
      trouble(agent, name);
      await page.locator(`[data-connection=${troubles[name].connection.state}]`).waitFor();
      await page.locator('.queue-button').waitFor();
      for (const size of [sizes.small, sizes.usual, sizes.large]) {
        await page.setViewportSize(size);
        await page.evaluate(() => document.fonts.ready);
        await expect.poll(() => faultsOfBar(page), { message: `${name}, ${size.width} wide` }).toEqual([]);
      }
    }
  });

  it('every key of a hold can be pressed, on tills of any size and zoomed to twice of it', async () => {
    const agent = await shared.startAgent({ locale });
    agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
    const { page } = await shared.open(agent, { viewport: sizes.usual });
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.locator('.operation').first().waitFor();
    await page.locator('.hold-button').click();
    await page.locator('.hold-terms .segment').first().waitFor();
    for (const size of [sizes.usual, sizes.large, sizes.low, sizes.zoomed]) {
      await page.setViewportSize(size);
      await page.evaluate(() => document.fonts.ready);
      await expect.poll(() => keysUnderFoot(page), { message: `${size.width} wide` }).toEqual([]);
    }
  });

  it('why an operation is locked leaves as much room at its end as the other operations do', async () => {
    const agent = await shared.startAgent({ locale });
    agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
    agent.operations = [operationOf({ intent: 'redeem', state: 'unknown', points: 20, card_id: 'card_reward' })];
    const { page } = await shared.open(agent, { viewport: sizes.usual });
    await page.locator('#find-box').fill('LC-1');
    await page.keyboard.press('Enter');
    await page.locator('.hold-slot .why-not').waitFor();
    for (const size of [sizes.low, sizes.small, sizes.usual, sizes.large]) {
      await page.setViewportSize(size);
      await page.evaluate(() => document.fonts.ready);
      const lacks = await page.locator('.why-not').evaluateAll((reasons) =>
        reasons.map((reason) => {
          const words = document.createRange();
          words.selectNodeContents(reason);
          const [told, button] = [words.getBoundingClientRect(), reason.parentElement?.getBoundingClientRect()];
          const wanted = Number.parseFloat(
            getComputedStyle(document.querySelector('.operation') ?? reason).paddingInlineEnd,
          );
          const left = Math.min(told.left - (button?.left ?? 0), (button?.right ?? 0) - told.right);
          return Math.max(0, Math.ceil(wanted - left));
        }),
      );
      expect(lacks, `${size.width} wide`).toEqual([0, 0, 0]);
    }
  });
});

describe.skipIf(!hasChromium)('a row of Recent', () => {
  const refused = operationOf({
    external_ref: 'R-1',
    state: 'refused',
    error: { code: 'VALIDATION_ERROR', message: '', retryable: false, request_id: 'req_1' },
    amount_minor: 1_234_567,
  });

  it('gives its reason whole in the narrow column', async () => {
    const agent = await shared.startAgent();
    agent.operations = [refused];
    const { page } = await shared.open(agent);
    const reason = page.locator('[data-ref=R-1] .row-reason');
    await reason.waitFor();
    expect(
      await reason.evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight - text.clientHeight]),
    ).toEqual([0, 0]);
  });

  it('names the customer whole whose redemption is being checked', async () => {
    const agent = await shared.startAgent();
    const redeem = { amount_minor: null, currency: null, points: 20, customer_name: 'Fatima Al-Sabah' };
    agent.operations = [operationOf({ ...redeem, external_ref: 'R-1', intent: 'redeem', state: 'unknown' })];
    const { page } = await shared.open(agent);
    const row = page.locator('[data-ref=R-1]');
    await row.getByText('Checking: 20 points', { exact: true }).waitFor();
    const who = row.locator('.row-who').getByText('Fatima Al-Sabah', { exact: true });
    await who.waitFor();
    expect(await who.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
    // Said aloud it has its state, too.
    expect(await row.locator('.row-second').innerText()).toContain('Checking');
  });

  it('gives its sum whole where the list is one line', async () => {
    const agent = await shared.startAgent();
    agent.operations = [refused];
    const { page } = await shared.open(agent, { viewport: { width: 1024, height: 600 } });
    const sum = page.locator('[data-ref=R-1] .row-amount');
    await sum.waitFor();
    expect(await sum.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  });

  it.each([
    ['en', 'نورة العنزي'],
    ['ar', 'Noura Al-Enezi'],
  ] as const)('begins in %s where the others do, with a name of the other direction', async (locale, customer_name) => {
    const agent = await shared.startAgent({ locale });
    agent.operations = [operationOf({ external_ref: 'R-2', state: 'applied', customer_name })];
    const { page } = await shared.open(agent);
    await page.locator('[data-ref=R-2] .row-who').waitFor();
    const edges = await page.evaluate(() =>
      ['.row-amount', '.row-who'].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector(`[data-ref=R-2] ${part}`) ?? document.body);
        const { left, right } = range.getBoundingClientRect();
        return document.dir === 'rtl' ? right : left;
      }),
    );
    expect(Math.abs((edges[0] ?? 0) - (edges[1] ?? 0))).toBeLessThan(2);
  });
});
