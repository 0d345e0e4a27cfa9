import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { firstIconPaths } from '../../renderer/components/first-icon-paths.ts';
import { laterIconPaths } from '../../renderer/components/later-icon-paths.ts';
import { words as past } from '../../renderer/copy/en/past.ts';
import { locales } from '../../shared/till/locales.ts';
import type { OperationView } from '../../shared/till/views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, keysAreThere, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What is hard to bring about with a real agent: answers that never come, states that pass in a blink.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
  agent.customers.set('LC-2', {
    source: 'service',
    profile: profileOf({
      customer_id: 'cus_02',
      name: 'Yousef Al-Mutairi',
      cards: [demoCards.stamp, demoCards.discount],
    }),
  });
  ({ page } = await shared.open(agent));
});

const findBox = () => page.locator('#find-box');
const outcome = () => page.locator('.outcome');
const recent = () => page.getByRole('region', { name: 'Recent' });
const asked = (command: string) => agent.questions.filter((question) => question.command === command);
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-operation'));

async function customer(loyaltyId: string): Promise<void> {
  await findBox().fill(loyaltyId);
  await page.keyboard.press('Enter');
  await page.locator('[data-stage=customer]').waitFor();
}

describe.skipIf(!hasChromium)('by keyboard alone', () => {
  it('a whole sale is made: customer, card, operation, amount, and the next customer', async () => {
    await keysAreThere(page);
    await expect.poll(() => findBox().evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.type('LC-2', { delay: 60 });
    await page.keyboard.press('Enter');
    // The card may be any of two.
    await page.getByText('Choose the card that the customer showed.').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-operation=earn_stamp]').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('earn_stamp');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('redeem_stamp');
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('earn_visit');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe('earn_stamp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add stamps' }).waitFor();
    await page.keyboard.type('2', { delay: 60 });
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    expect(asked('operation.earn')[0]?.input).toMatchObject({ card_id: 'card_stamp', stamps: 2 });
    await page.keyboard.press('Escape');
    await page.locator('[data-stage=idle]').waitFor();
    expect(await outcome().count()).toBe(0);
  });

  it('Enter leads from the empty find box to the operations, Escape and Up back to it', async () => {
    await keysAreThere(page);
    await customer('LC-1');
    await expect.poll(() => findBox().inputValue()).toBe('');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('earn_amount');
    await page.keyboard.press('ArrowUp');
    expect(await findBox().evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await findBox().evaluate((box) => box === document.activeElement)).toBe(true);
    // The customer is still there: a second Escape lets them go.
    await page.locator('[data-stage=customer]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-stage=idle]').waitFor();
  });

  it('a sideways arrow leaves the focus where it is when there is no other card, or nobody was found', async () => {
    const sideways = async (isStill: () => Promise<boolean>): Promise<void> => {
      for (const key of ['ArrowRight', 'ArrowLeft']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(50);
        expect([key, await isStill()]).toEqual([key, true]);
      }
    };
    await keysAreThere(page);
    await customer('LC-1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await focused();
    expect(second).not.toBe('earn_amount');
    await sideways(async () => (await focused()) === second);
    await page.keyboard.press('Escape');
    await scan(page, 'LC-9999');
    await page.locator('[data-missing]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const byCard = page.getByRole('button', { name: past.nobody.earnByCard });
    await sideways(() => byCard.evaluate((button) => button === document.activeElement));
  });

  it('in Arabic the arrows point the other way', async () => {
    agent.setState({ locale: 'ar' });
    await page.locator('html[dir=rtl]').waitFor();
    await keysAreThere(page);
    await customer('LC-2');
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-operation=earn_stamp]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe('earn_visit');
  });
});

describe.skipIf(!hasChromium)('by finger alone', () => {
  it('letters write a card’s number', async () => {
    await page.getByRole('button', { name: 'Keypad' }).click();
    await page.getByRole('button', { name: 'Letters' }).click();
    for (const key of ['l', 'c', '-', '1']) await page.locator(`.find-keypad [data-key="${key}"]`).click();
    expect(await findBox().inputValue()).toBe('LC-1');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
  });
});

/** A redemption that the agent has sent and of which nothing comes back. */
function loseRedemption(value: Partial<OperationView>): void {
  agent.answer = ({ command, input }) => {
    if (command !== 'operation.redeem') return null;
    const { operation_id } = input as { operation_id: string };
    const operation = operationOf({
      operation_id,
      intent: 'redeem',
      state: 'sending',
      amount_minor: null,
      currency: null,
      row_id: 50,
      card_id: 'card_reward',
      ...value,
    });
    agent.operations = [operation, ...agent.operations];
    agent.move(operation_id, 'unknown');
    return new Promise(() => undefined);
  };
}

describe.skipIf(!hasChromium)('a redemption of which nothing comes back', () => {
  it('of a reward can only be given, from the outcome and from Recent', async () => {
    loseRedemption({ one_shot: true });
    await customer('LC-1');
    await page.locator('[data-operation=redeem_reward]').click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Free cake' }).check();
    await page.locator('.entry-confirm').click();
    await outcome().getByText('Do not repeat').waitFor();
    expect(await page.getByRole('button', { name: 'Give it' }).count()).toBe(0);
    agent.setState({ now: '2026-11-20T14:13:15.000Z' });
    await outcome().getByRole('button', { name: 'Give it' }).waitFor();
    expect(await page.getByRole('button', { name: 'Take full payment' }).count()).toBe(0);
    // The page dies: what the agent has is what it shows.
    await page.reload();
    await recent().locator('.row-open').click();
    await outcome().getByRole('button', { name: 'Give it' }).waitFor();
    expect(await page.getByRole('button', { name: 'Take full payment' }).count()).toBe(0);
    agent.answer = ({ command }) => (command === 'operation.decide' ? failure('not_saved') : null);
    await outcome().getByRole('button', { name: 'Give it' }).click();
    await outcome().getByText('The disk could not be written').waitFor();
    const [operation] = agent.operations;
    agent.move(operation?.operation_id ?? '', 'unknown', { decision: 'give_it' });
    await outcome().getByText('Given to the customer').waitFor();
    agent.move(operation?.operation_id ?? '', 'applied', { decision: 'give_it' });
    await recent().locator('[data-state=applied]').waitFor();
    await expect.poll(() => outcome().getByText('Given to the customer').count()).toBe(0);
  });

  it('does not hold the next customer up, and ends in Recent', async () => {
    loseRedemption({ points: 40 });
    await customer('LC-1');
    await page.locator('[data-operation=redeem_points]').click();
    await page.keyboard.type('40', { delay: 60 });
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    await page.getByRole('button', { name: 'Spend points', description: 'Checking, do not repeat' }).waitFor();
    // Its part of the page is loaded with the first customer.
    await page.locator('.hold-slot .why-not').waitFor();
    expect(await holdNameAndReason()).toMatchObject({ isReasonBelowName: true, isInTheButton: true });
    await scan(page, 'LC-2X');
    await page.locator('[data-missing]').waitFor();
    expect(await outcome().count()).toBe(0);
    const [operation] = agent.operations;
    agent.move(operation?.operation_id ?? '', 'applied');
    await recent().locator('[data-state=applied]').getByText('Spent 40 points').waitFor();
    expect(await outcome().count()).toBe(0);
  });
});

/** How the words on the button "Hold for an order" lie, as they are drawn. */
function holdNameAndReason() {
  return page.evaluate(() => {
    const button = document.querySelector('.hold-button');
    const reason = document.querySelector('.hold-slot .why-not');
    if (button === null || reason === null) return null;
    const drawn = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect();
    };
    const [text] = [...button.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const name = document.createRange();
    if (text !== undefined) name.selectNode(text);
    const [nameBox, reasonBox, buttonBox] = [
      name.getBoundingClientRect(),
      drawn(reason),
      button.getBoundingClientRect(),
    ];
    return {
      isReasonBelowName: nameBox.bottom <= reasonBox.top + 1,
      isInTheButton: reasonBox.bottom <= buttonBox.bottom && reasonBox.right <= buttonBox.right,
    };
  });
}

describe.skipIf(!hasChromium)('undo in Recent', () => {
  const sold = operationOf({ external_ref: 'R-9', state: 'applied', undo: 'reverse', row_id: 9 });
  const reversal = operationOf({
    external_ref: 'reverse-earn-R-9',
    intent: 'reverse',
    state: 'accepted',
    row_id: 10,
    reverses_row_id: 9,
    amount_minor: null,
    saved_at: '2026-11-20T14:14:00.000Z',
  });

  it('asks once, is on its way until the service has done it, and shows so after a reload', async () => {
    agent.operations = [sold];
    agent.answer = ({ command }) => {
      if (command !== 'operation.reverse') return null;
      agent.operations = [reversal, sold];
      return { ok: true, value: { operation: reversal, original: sold, duplicate: false } };
    };
    await page.reload();
    const row = recent().locator('[data-ref="R-9"]');
    await row.getByRole('button').click();
    await outcome().getByRole('button', { name: 'Keep' }).click();
    await outcome().getByRole('button', { name: 'Undo' }).click();
    expect(asked('operation.reverse')).toEqual([]);
    await outcome().getByRole('button', { name: 'Undo the sale' }).dblclick();
    await row.getByText('Being undone').waitFor();
    expect(asked('operation.reverse')).toHaveLength(1);
    await page.reload();
    await row.getByText('Being undone').waitFor();
    await row.getByRole('button').click();
    expect(await outcome().getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await recent().locator('[data-intent=reverse]').innerText()).toMatch(/Took back KWD\s12\.500/);
    agent.move(reversal.operation_id, 'applied');
    agent.move(sold.operation_id, 'reversed');
    await recent().locator('[data-ref="R-9"][data-state=reversed]').waitFor();
    expect(await row.getByText('Being undone').count()).toBe(0);
  });

  it('that the service refuses can be asked for again', async () => {
    agent.operations = [{ ...reversal, state: 'refused' }, sold];
    await page.reload();
    await recent().locator('[data-ref="R-9"] .row-open').click();
    await outcome().getByRole('button', { name: 'Undo the sale' }).waitFor();
  });

  it('that cannot be done says why', async () => {
    agent.operations = [sold];
    agent.answer = ({ command }) => (command === 'operation.reverse' ? failure('irreversible') : null);
    await page.reload();
    await recent().locator('[data-ref="R-9"] .row-open').click();
    await outcome().getByRole('button', { name: 'Undo the sale' }).click();
    await outcome().getByText('This cannot be undone').waitFor();
  });
});

it.skipIf(!hasChromium)(
  'a sale that is refused late shows in Recent and in the top bar, not over the customer',
  async () => {
    await customer('LC-1');
    const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req' };
    agent.operations = [operationOf({ external_ref: 'R-7' })];
    agent.move('op-R-7', 'refused', { error });
    agent.setState({ operations: { ...agent.state.operations, refused: 1 } });
    await recent().locator('[data-ref="R-7"]').getByText('This card does not allow this').waitFor();
    await page.locator('.top').getByText('1 needs attention').waitFor();
    expect(await outcome().count()).toBe(0);
    await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
  },
);

it.skipIf(!hasChromium)(
  'at 1024 by 600 every operation can be reached under an outcome, and both ways out are seen',
  async () => {
    await page.setViewportSize({ width: 1024, height: 600 });
    await customer('LC-1');
    await page.locator('[data-operation=earn_amount]').click();
    await page.keyboard.type('3', { delay: 60 });
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    for (const operation of await page.locator('[data-operation]').all())
      expect(await isOnScreen(operation)).toBe(true);
    loseRedemption({ points: 40 });
    await page.locator('[data-operation=redeem_points]').click();
    await page.keyboard.type('40', { delay: 60 });
    await page.keyboard.press('Enter');
    await outcome().getByText('Do not repeat').waitFor();
    agent.setState({ now: '2026-11-20T14:13:15.000Z' });
    for (const name of ['Take full payment', 'Give it']) {
      const way = page.getByRole('button', { name });
      await way.waitFor();
      expect(await isOnScreen(way)).toBe(true);
    }
  },
);

function isOnScreen(target: ReturnType<Page['locator']>): Promise<boolean> {
  return target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });
}

/** The most that a start may load of script in each language, in compressed bytes. The goal of 60 kB is of English. */
const mostBytes = { en: 59_600, ar: 61_200 } as const;

describe.skipIf(!hasChromium)('the page that a start loads', () => {
  const assets = () => join(shared.rendererDir, 'assets');
  const scripts = () => readdirSync(assets()).filter((name) => name.endsWith('.js'));
  const text = (name: string): string => readFileSync(join(assets(), name), 'utf8');
  const first = () => {
    const html = readFileSync(join(shared.rendererDir, 'index.html'), 'utf8');
    return scripts().filter((name) => html.includes(name));
  };

  /** A file and all that it imports at once. */
  function loadedWith(name: string): readonly string[] {
    const imported = Array.from(text(name).matchAll(/from"\.\/([^"]+\.js)"/g), ([, other = '']) => other);
    return [name, ...imported.flatMap(loadedWith)];
  }

  it.each(locales)('has no more script than its bound, in the language %s', (locale) => {
    const words = scripts().filter(
      (name) => name.startsWith('start-') && /[\u0600-\u06ff]/.test(text(name)) === (locale === 'ar'),
    );
    expect([first().length, words.length]).toEqual([1, 1]);
    const loaded = new Set([...first(), ...words].flatMap(loadedWith));
    const bytes = Array.from(loaded, (name) => gzipSync(text(name)).length).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(mostBytes[locale]);
  });

  it('has the drawings that it shows at once, and no later one', () => {
    const has = (path: string): boolean => first().some((name) => text(name).includes(path));
    expect(Object.values(firstIconPaths).filter(has)).toEqual(Object.values(firstIconPaths));
    expect(Object.values(laterIconPaths).filter(has)).toEqual([]);
  });
});
