import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, profileOf } from '../support/ui-fake-agent.ts';
import { clickAt, hasChromium, keysAreThere, pressAll, pressAt, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A busy machine hands over a press late, when the screen already asks for something else. The press says when it was.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  for (const [id, card] of [
    ['LC-1001', demoCards.reward],
    ['LC-1002', demoCards.cashback],
    ['LC-1003', demoCards.stamp],
  ] as const) {
    agent.customers.set(id, { source: 'service', profile: profileOf({ customer_id: id, name: id, cards: [card] }) });
  }
  ({ page } = await shared.open(agent));
  await keysAreThere(page);
});

const hand = { delay: 90 };
/** What was sent to be saved. */
const earns = () => agent.questions.flatMap(({ command, input }) => (command === 'operation.earn' ? [input] : []));
const outcome = () => page.locator('.outcome');
const question = () => page.locator('[data-question=large]');

/** Asks, and waits until somebody can have read it. @returns when it was asked for, however late it was there */
async function askForLarge(): Promise<number> {
  const askedAtMs = Date.now();
  await page.keyboard.press('Enter');
  await question().waitFor();
  await page.locator('.entry-confirm[aria-disabled=false]').waitFor();
  return askedAtMs;
}

async function openEntry(loyaltyId: string): Promise<void> {
  await scan(page, loyaltyId);
  await page.locator('#entry-amount').waitFor();
  await page.waitForTimeout(150);
}

describe.skipIf(!hasChromium)('Enter pressed before somebody can have seen that a dialog closed', () => {
  it('does not confirm the amount that was typed under the help', async () => {
    await openEntry('LC-1002');
    await page.keyboard.type('7', hand);
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    const pressedAtMs = Date.now();
    await page.keyboard.press('Enter');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    await page.locator('#entry-amount:focus').waitFor();
    await pressAt(page, 'Enter', pressedAtMs + 120);
    await page.waitForTimeout(200);
    expect(earns()).toEqual([]);
    await pressAt(page, 'Enter', Date.now() + 400);
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 7_000 }]);
  });

  it('does not send a stamp when the screen is unlocked', async () => {
    agent.setState({
      has_cashiers: true,
      cashiers: [{ name: 'Mona', employee_ref: 'E-8', has_pin: true }],
      locks: true,
    });
    await openEntry('LC-1003');
    agent.setState({ sign_in: 'locked' });
    await page.locator('.shut-dialog').waitFor();
    const { promise: signedIn, resolve: signIn } = Promise.withResolvers<void>();
    agent.answer = ({ command }) =>
      command === 'cashier.sign_in'
        ? signedIn.then(() => {
            agent.setState({ sign_in: null, cashier: { name: 'Mona', employee_ref: 'E-8' } });
            return { ok: true, value: {} };
          })
        : null;
    await page.getByRole('button', { name: 'Mona' }).click();
    await page.keyboard.type('4711', hand);
    await page.keyboard.press('Enter');
    const pressedAtMs = Date.now();
    await page.waitForTimeout(300);
    signIn();
    await page.locator('.shut-dialog').waitFor({ state: 'detached' });
    await page.locator('#entry-amount:focus').waitFor();
    await pressAt(page, 'Enter', pressedAtMs + 150);
    // No press has closed it, so whatever is older than that was meant for it.
    await pressAll(page, ['3', 'Enter'], { sinceMs: pressedAtMs + 160, everyMs: 80 });
    await page.waitForTimeout(200);
    expect(earns()).toEqual([]);
    await pressAt(page, 'Enter', Date.now() + 400);
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ stamps: 3 }]);
  });
});

describe.skipIf(!hasChromium)('Enter pressed before a dialog closed, handled after what was typed since', () => {
  it('confirms no amount', async () => {
    await openEntry('LC-1002');
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    const pressedAtMs = Date.now();
    await page.keyboard.press('Escape');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    await page.keyboard.type('5');
    await pressAt(page, 'Enter', pressedAtMs);
    await page.waitForTimeout(200);
    expect(await page.locator('#entry-amount').inputValue()).toBe('5');
    expect(earns()).toEqual([]);
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 5_000 }]);
  });

  it('looks for nobody', async () => {
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    const pressedAtMs = Date.now();
    await page.keyboard.press('Escape');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    await page.locator('#find-box').fill('LC-1002');
    await pressAt(page, 'Enter', pressedAtMs);
    await page.waitForTimeout(200);
    expect(agent.questions.filter(({ command }) => command === 'customer.find')).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('what was entered since a dialog closed', () => {
  /** Opens the help and leaves it again. @returns when that was seen */
  async function lookIntoHelp(): Promise<number> {
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    // It counts as closed from the press on, however long that took to be handled.
    const closedAtMs = Date.now();
    await pressAt(page, 'Escape', closedAtMs);
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    return closedAtMs;
  }

  it('is confirmed at once in the entry beneath, by touch keys too', async () => {
    await openEntry('LC-1002');
    await page.keyboard.type('9', hand);
    const closedAtMs = await lookIntoHelp();
    for (const key of ['.', '5']) await page.locator(`.entry-stage [data-key="${key}"]`).click();
    await pressAt(page, 'Enter', closedAtMs + 150);
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 9_500 }]);
  });

  it('is confirmed where a busy page got the key that closed it late, and what was typed with that', async () => {
    await openEntry('LC-1002');
    await page.keyboard.type('9', hand);
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(600);
    const leftAtMs = Date.now() - 500;
    await pressAt(page, 'Escape', leftAtMs);
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    await pressAt(page, 'Enter', leftAtMs + 40);
    await page.waitForTimeout(100);
    expect(earns()).toEqual([]);
    await pressAll(page, ['.', '5', 'Enter'], { sinceMs: leftAtMs + 80, everyMs: 80 });
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 9_500 }]);
  });

  it.each([
    ['ArrowDown', 'Enter'],
    ['Tab', 'Space'],
  ] as const)('is chosen by %s and pressed at once by %s', async (choice, press) => {
    await scan(page, 'LC-1001');
    await page.locator('[data-operation=earn_amount]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-operation=earn_amount]:focus').waitFor();
    const closedAtMs = await lookIntoHelp();
    await page.locator('[data-operation=earn_amount]:focus').waitFor();
    // What has the focus already is not chosen by a key that leaves it there.
    await pressAt(page, press, closedAtMs + 30);
    await pressAt(page, choice, closedAtMs + 60);
    await page.locator('[data-operation]:focus:not([data-operation=earn_amount])').waitFor();
    await pressAt(page, press, closedAtMs + 150);
    await page.locator('[data-entry]').waitFor();
  });

  it('is not pressed by a key that did not choose it', async () => {
    await page.locator('#find-box').fill('LC-1002');
    const closedAtMs = await lookIntoHelp();
    await page.locator('#find-box:focus').waitFor();
    await pressAt(page, 'ArrowDown', closedAtMs + 60);
    await pressAt(page, 'Enter', closedAtMs + 150);
    await page.waitForTimeout(200);
    expect(agent.questions.filter(({ command }) => command === 'customer.find')).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a press from before a question could be read', () => {
  beforeEach(async () => {
    if (!hasChromium) return;
    await openEntry('LC-1002');
    await page.keyboard.type('600', hand);
  });

  it('does not answer it, though it is handled long after', async () => {
    const askedAtMs = await askForLarge();
    await pressAt(page, 'Enter', askedAtMs + 100);
    await clickAt(page, '.entry-confirm', askedAtMs + 150);
    await page.waitForTimeout(300);
    expect(earns()).toEqual([]);
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 600_000 }]);
  });

  it('does not take it away', async () => {
    const askedAtMs = await askForLarge();
    await pressAt(page, 'Escape', askedAtMs + 100);
    await page.waitForTimeout(200);
    expect(await question().count()).toBe(1);
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
  });
});

describe.skipIf(!hasChromium)('Space', () => {
  it('pressed before a question could be read does not answer it', async () => {
    await openEntry('LC-1002');
    await page.keyboard.type('600', hand);
    const askedAtMs = await askForLarge();
    await pressAt(page, 'Space', askedAtMs + 100);
    await page.waitForTimeout(200);
    expect(earns()).toEqual([]);
    await page.keyboard.press('Space');
    await outcome().waitFor();
  });

  it('pressed before somebody can have seen that a dialog closed does not answer the question beneath', async () => {
    await openEntry('LC-1002');
    await page.keyboard.type('600', hand);
    await askForLarge();
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    const leftAtMs = Date.now();
    await page.keyboard.press('Escape');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    await page.locator('.entry-confirm:focus').waitFor();
    await pressAt(page, 'Space', leftAtMs + 120);
    await page.waitForTimeout(200);
    expect(earns()).toEqual([]);
    await pressAt(page, 'Space', Date.now() + 400);
    await outcome().waitFor();
  });

  it('pressed before a dialog was shown presses none of its buttons', async () => {
    const pressedAtMs = Date.now();
    await page.keyboard.press('F1');
    await page.locator('dialog.help button:focus').waitFor();
    await page.waitForTimeout(500);
    await pressAt(page, 'Space', pressedAtMs);
    await page.waitForTimeout(200);
    expect(await page.locator('dialog.help').count()).toBe(1);
    await page.keyboard.press('Space');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
  });
});

describe.skipIf(!hasChromium)('a reward chosen by its digit', () => {
  it('is given by an Enter right after it', async () => {
    await scan(page, 'LC-1001');
    await page.locator('[data-operation=redeem_reward]').focus();
    await page.waitForTimeout(400);
    const openedAtMs = Date.now();
    await page.keyboard.press('Space');
    await page.locator('.choice-radio').first().waitFor();
    await page.keyboard.press('2');
    await pressAt(page, 'Enter', openedAtMs + 230);
    await expect
      .poll(() => agent.questions.filter(({ command }) => command === 'operation.redeem').map(({ input }) => input))
      .toMatchObject([{ reward_id: 'rwd_cake' }]);
  });

  it('is given by no Enter where the digit found none', async () => {
    await scan(page, 'LC-1001');
    await page.locator('[data-operation=redeem_reward]').focus();
    await page.waitForTimeout(400);
    const openedAtMs = Date.now();
    await page.keyboard.press('Space');
    await page.locator('.choice-radio').first().waitFor();
    await page.keyboard.press('9');
    await pressAt(page, 'Enter', openedAtMs + 230);
    await page.waitForTimeout(200);
    // Not even the mistake is told.
    expect(await page.getByText('Choose the reward.').count()).toBe(0);
  });
});

describe.skipIf(!hasChromium)('the find box', () => {
  it('looks for nobody by an Enter from before somebody can have seen that a dialog closed', async () => {
    await page.locator('#find-box').fill('LC-1002');
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    const leftAtMs = Date.now();
    await page.keyboard.press('Escape');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    await page.locator('#find-box:focus').waitFor();
    await pressAt(page, 'Enter', leftAtMs + 120);
    await page.waitForTimeout(200);
    const finds = () => agent.questions.filter(({ command }) => command === 'customer.find').length;
    expect(finds()).toBe(0);
    await pressAt(page, 'Enter', Date.now() + 400);
    await expect.poll(finds).toBe(1);
  });

  it('looks at once for whom was typed since a dialog closed', async () => {
    await page.keyboard.press('F1');
    await page.locator('dialog.help').waitFor();
    await page.waitForTimeout(400);
    await page.keyboard.press('Escape');
    await page.locator('dialog.help').waitFor({ state: 'detached' });
    const closedAtMs = Date.now();
    await page.locator('#find-box').fill('LC-1002');
    await pressAt(page, 'Enter', closedAtMs + 150);
    await page.locator('[data-stage=customer]').waitFor();
  });

  it('leaves what became of a sale there for Enters from before that was shown, however far apart', async () => {
    const { promise: isSaved, resolve: save } = Promise.withResolvers<null>();
    agent.answer = ({ command }) => (command === 'operation.earn' ? isSaved : null);
    await openEntry('LC-1002');
    await page.keyboard.type('12.5', hand);
    const enteredAtMs = Date.now();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(2_200);
    save(null);
    await outcome().waitFor();
    await pressAt(page, 'Enter', enteredAtMs + 700);
    await pressAt(page, 'Enter', enteredAtMs + 1_400);
    await page.waitForTimeout(200);
    await outcome().waitFor();
    expect(await page.locator('[data-entry]').count()).toBe(0);
  });
});

describe.skipIf(!hasChromium)('a press from before what became of a sale was shown', () => {
  it('presses none of its buttons', async () => {
    await openEntry('LC-1002');
    await page.keyboard.type('7', hand);
    const pressedAtMs = Date.now();
    await page.keyboard.press('Enter');
    const undo = page.locator('.outcome-undo');
    const undone = () => agent.questions.filter(({ command }) => /\.(cancel|reverse)$/.test(command)).length;
    await undo.waitFor();
    await page.waitForTimeout(300);
    await clickAt(page, '.outcome-undo', pressedAtMs);
    await page.waitForTimeout(200);
    expect(undone()).toBe(0);
    agent.move(agent.operations[0]?.operation_id ?? '', 'applied', { undo: 'reverse' });
    await page.locator('.outcome[data-state=applied]').waitFor();
    const askedFromMs = Date.now();
    await undo.click();
    await page.locator('.outcome-choices .button-primary').waitFor();
    await page.waitForTimeout(300);
    await clickAt(page, '.outcome-choices .button-primary', askedFromMs);
    await page.waitForTimeout(200);
    expect(undone()).toBe(0);
    await page.locator('.outcome-choices .button-primary').click();
    await expect.poll(undone).toBe(1);
  });
});

describe.skipIf(!hasChromium)('the erase key of the amount', () => {
  const amount = () => page.locator('#entry-amount').inputValue();
  const erase = '.entry-stage [data-key=erase]';

  beforeEach(async () => {
    if (!hasChromium) return;
    await openEntry('LC-1002');
    await page.keyboard.type('12.5', hand);
  });

  it('erases one key when it was tapped, however late the page gets the release', async () => {
    await clickAt(page, erase, Date.now(), { forMs: 90, releaseLateByMs: 900 });
    expect(await amount()).toBe('12.');
  });

  it('erases everything when it was held down, however late the page gets to know of that', async () => {
    await clickAt(page, erase, Date.now() - 700, { forMs: 690 });
    expect(await amount()).toBe('');
  });

  it('erases nothing when a press that began elsewhere ends on it', async () => {
    await clickAt(page, erase, Date.now(), { forMs: 50 });
    await page.locator('.entry-stage [data-key="7"]').hover();
    await page.mouse.down();
    await page.waitForTimeout(700);
    await page.locator(erase).hover();
    await page.mouse.up();
    expect(await amount()).toBe('12.');
  });
});

describe.skipIf(!hasChromium)('an amount and Enter that a busy page gets at once', () => {
  beforeEach(async () => {
    if (!hasChromium) return;
    await scan(page, 'LC-1001');
    await page.locator('[data-operation=earn_amount]').waitFor();
    await page.locator('#find-box:focus').waitFor();
    await page.waitForTimeout(500);
  });

  it.each([
    ['with its text', false],
    ['before its text', true],
  ])('are saved when a hand has pressed them: each key comes %s', async (_, isTextApart) => {
    await pressAll(page, ['7', '.', '5', 'Enter'], { sinceMs: Date.now() - 400, everyMs: 100, isTextApart });
    await outcome().waitFor();
    expect(earns()).toMatchObject([{ amount_minor: 7_500 }]);
  });

  it('are not saved when no hand is so quick', async () => {
    await pressAll(page, ['7', '.', '5', 'Enter'], { sinceMs: Date.now() - 200, everyMs: 50 });
    await page.locator('#entry-amount').waitFor();
    await page.waitForTimeout(200);
    expect(earns()).toEqual([]);
  });
});
