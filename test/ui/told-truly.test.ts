import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { words as arabic } from '../../renderer/copy/ar/receipt.ts';
import { words as english } from '../../renderer/copy/en/receipt.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import type { TillError, TillInput } from '../../shared/till/api.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What the screen says of a spend: what was given, why it cannot be done now, and what there is to do instead.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  know(demoCards.reward);
  ({ page } = await shared.open(agent));
});

const printWords: Readonly<Record<'en' | 'ar', Readonly<Record<string, string>>>> = {
  en: { printed: english.printed, unknown: english.unknown, not_printed: english.notPrinted },
  ar: { printed: arabic.printed, unknown: arabic.unknown, not_printed: arabic.notPrinted },
};
const offline = { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } as const;
const online = { state: 'online', cause: null, since: '2026-11-20T14:20:00.000Z' } as const;
const outcome = () => page.locator('.outcome');
const button = (name: string) => page.locator(`[data-operation="${name}"]`);
const recent = () => page.locator('.recent');
const asked = (command: string) =>
  agent.questions.flatMap((question) =>
    question.command === command ? [question.input as Record<string, unknown>] : [],
  );

function know(...cards: CardEntry[]): void {
  const profile = profileOf({ cards });
  for (const name of ['fatima@example.com', profile.customer_id])
    agent.customers.set(name, { source: 'service', profile });
}

async function customer(): Promise<void> {
  await page.locator('#find-box').fill('fatima@example.com');
  await page.keyboard.press('Enter');
  await page.locator('[data-stage=customer]').waitFor();
}

/** What becomes of the next receipts. */
let prints: string[] = [];

/** The service gives what was asked for. */
function giveAll(): void {
  agent.answer = ({ command, input }) => {
    if (command === 'receipt.print') return { ok: true, value: { outcome: prints.shift() ?? 'printed' } };
    if (command !== 'operation.redeem') return null;
    const { operation_id, given_name = null } = input as TillInput<'operation.redeem'>;
    const operation = operationOf({
      operation_id,
      given_name,
      intent: 'redeem',
      state: 'applied',
      amount_minor: null,
      currency: null,
      card_id: 'card_reward',
      one_shot: true,
    });
    agent.operations = [operation];
    return { ok: true, value: { operation, duplicate: false } };
  };
}

const refuse = (service_code: string): void => {
  agent.answer = ({ command }) =>
    command === 'operation.redeem'
      ? { ok: false, error: { code: 'refused', message: '', service_code, details: [] } }
      : null;
};

describe.skipIf(!hasChromium)('what was given is named', () => {
  it.each(['en', 'ar'] as const)(
    'a reward by its name, right after it, in Recent, and after a reload (%s)',
    async (locale) => {
      agent.setState({ locale });
      await page.locator(`html[lang=${locale}]`).waitFor();
      giveAll();
      await customer();
      await button('redeem_reward').click();
      await page.locator('[role=dialog] [data-reward=rwd_cake] input').check({ force: true });
      await page.locator('.entry-confirm').click();
      await outcome().getByText('Free cake', { exact: true }).waitFor();
      await recent().getByText('Free cake').waitFor();
      // Without a printer nothing is offered; a receipt that may be printed is told from one that is not.
      expect(await page.locator('.print-receipt').count()).toBe(0);
      agent.setState({ locale, has_printer: true });
      const ends = ['not_printed', 'unknown', 'printed'];
      prints = [...ends];
      const place = await page.locator('.print-receipt button').boundingBox();
      for (const told of ends) {
        await page.locator('.print-receipt button').click();
        await page.locator(`[data-printing=${told}]`).waitFor();
        // Who presses twice presses the same button.
        expect(await page.locator('.print-receipt button').boundingBox()).toEqual(place);
        expect(await page.locator('.print-told').innerText()).toBe(printWords[locale][told]);
      }
      expect(asked('receipt.print')).toHaveLength(3);
      await page.reload();
      await recent().getByText('Free cake').waitFor();
    },
  );

  it('a coupon by its card, another one by its code', async () => {
    know(demoCards.coupon);
    giveAll();
    await customer();
    await button('redeem_coupon').click();
    await answerIsRead(page);
    await page.locator('.entry-confirm').click();
    await outcome().getByText('Welcome Coupon', { exact: true }).waitFor();
    await button('redeem_coupon').click();
    await page.locator('#entry-code').fill('CPN-77');
    await page.locator('.entry-confirm').click();
    await outcome().getByText('CPN-77', { exact: true }).waitFor();
  });

  it('a coupon above the limit of an hour by that limit, and not as a wrong code', async () => {
    know(demoCards.coupon);
    agent.answer = ({ command }) =>
      command === 'operation.redeem'
        ? { ok: false, error: { code: 'above_limit', message: '', details: [1, 'max_rewards_per_hour'] } }
        : null;
    await customer();
    await button('redeem_coupon').click();
    await answerIsRead(page);
    await page.locator('.entry-confirm').click();
    await page.getByText('The limit of this till is 1 reward or coupon in 1 hour.').waitFor();
    expect(await page.locator('#entry-code').getAttribute('aria-invalid')).toBe('false');
  });
});

describe.skipIf(!hasChromium)('without a connection', () => {
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.operation, .hold-button')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [one.getAttribute('data-operation'), x, y, width, height].join(' ');
      }),
    );

  it('the spends of a saved customer stand there with their reason, and nothing moves when the line is back', async () => {
    agent.setState({ connection: offline });
    const kept = { source: 'kept' as const, profile: profileOf({ cards: [demoCards.reward] }) };
    for (const name of ['fatima@example.com', 'cus_01']) agent.customers.set(name, kept);
    await customer();
    const spend = page.getByRole('button', { name: 'Spend points', exact: true, description: 'Needs connection' });
    expect(await spend.isDisabled()).toBe(true);
    expect(await button('earn_amount').isEnabled()).toBe(true);
    // Its part of the page is loaded with the first customer.
    await page.locator('.hold-button').waitFor();
    const before = await places();
    expect(before).toHaveLength(5);
    know(demoCards.reward);
    agent.setState({ connection: online });
    await page.locator('[data-source=service]').waitFor();
    expect(await button('redeem_points').isEnabled()).toBe(true);
    expect(await places()).toEqual(before);
  });

  it('nothing is spent from memory, though the line seems to be there', async () => {
    const kept = { source: 'kept' as const, profile: profileOf({ cards: [demoCards.reward] }) };
    for (const name of ['fatima@example.com', 'cus_01']) agent.customers.set(name, kept);
    await customer();
    expect(await button('redeem_points').isDisabled()).toBe(true);
    expect(await page.locator('.hold-button').isDisabled()).toBe(true);
  });
});

it.skipIf(!hasChromium)('undoing a spend asks to give back, undoing an earn to take back', async () => {
  const shared = { state: 'applied', undo: 'reverse', amount_minor: null, currency: null, points: 40 } as const;
  agent.operations = [
    operationOf({ ...shared, external_ref: 'S-1', intent: 'redeem', row_id: 2 }),
    operationOf({ ...shared, external_ref: 'E-1', intent: 'earn' }),
  ];
  await page.reload();
  const row = (ref: string) => recent().locator(`[data-ref="${ref}"]`);
  await row('S-1').getByRole('button', { name: 'Spent 40 points' }).click();
  await outcome().getByText('Give 40 points back to Fatima?').waitFor();
  await outcome().getByRole('button', { name: 'Give 40 points back' }).waitFor();
  await row('E-1').getByRole('button', { name: 'Added 40 points' }).click();
  await outcome().getByText('Take 40 points back from Fatima?').waitFor();
  agent.move('op-S-1', 'reversed');
  await row('S-1').getByText('Reversed').waitFor();
});

describe.skipIf(!hasChromium)('a refusal advises another card', () => {
  const other = { ...demoCards.reward, card_id: 'card_other', template_name: 'Second card' };

  it('where there is one that offers the same', async () => {
    know(demoCards.reward, demoCards.cashback, other);
    refuse('CARD_NOT_ELIGIBLE');
    await customer();
    await button('redeem_points').click();
    await page.locator('#entry-amount').fill('5');
    await page.keyboard.press('Enter');
    await page.getByText('Choose another card, or take full payment.').waitFor();
    // And one press uses it: what was typed stands there for that card.
    await page.getByRole('button', { name: 'Use the Second card' }).click();
    await page.getByRole('dialog', { name: 'Spend points' }).waitFor();
    expect(await page.locator('#entry-amount').inputValue()).toBe('5');
    expect(await page.getByText('Choose another card').count()).toBe(0);
    await answerIsRead(page);
    await page.getByRole('button', { name: 'Spend 5 points' }).click();
    await expect
      .poll(() => asked('operation.redeem').map(({ card_id }) => card_id))
      .toEqual(['card_reward', 'card_other']);
    // Refused, too: the way leads back to the first one.
    await page.getByRole('button', { name: 'Use the Coffee Circle card' }).waitFor();
    // The same refused for want of points: the amount is corrected in its place, or the full price taken.
    refuse('INSUFFICIENT_BALANCE');
    await page.getByRole('button', { name: 'Spend 5 points' }).click();
    await page.getByRole('button', { name: 'Correct the amount' }).click();
    await page.keyboard.type('3', { delay: 60 });
    expect(await page.locator('#entry-amount').inputValue()).toBe('3');
    refuse('COUPON_ALREADY_REDEEMED');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Full price' }).waitFor();
    await answerIsRead(page);
    await page.getByRole('button', { name: 'Full price' }).click();
    await page.getByRole('dialog', { name: 'Spend points' }).waitFor({ state: 'detached' });
  });

  it('not where the others offer something else', async () => {
    know(demoCards.reward, demoCards.cashback);
    refuse('CARD_NOT_ELIGIBLE');
    await customer();
    await button('redeem_points').click();
    await page.locator('#entry-amount').fill('5');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'This card does not allow this' });
    await alert.getByText('Take full payment.', { exact: true }).waitFor();
  });

  it('to an earn, too, and in Recent to nobody', async () => {
    know(demoCards.cashback);
    const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req' };
    await customer();
    await page.locator('#entry-amount').fill('5');
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    agent.move(agent.operations[0]?.operation_id ?? '', 'refused', { error });
    await outcome().getByText('Keep the receipt and call store IT.').waitFor();
    await recent().getByText('This card does not allow this').waitFor();
    expect(await page.getByText('another card').count()).toBe(0);
    await page.getByRole('button', { name: 'Do it later' }).click();
    await page.locator('[data-stage=idle]').waitFor();
  });

  it('to an earn that the next press sends to that card, under its own reference', async () => {
    const cashback = { ...demoCards.cashback, allowed_operations: ['earn_amount'] };
    know(demoCards.reward, cashback);
    const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req' };
    await customer();
    await button('earn_amount').click();
    await page.locator('#entry-amount').fill('5');
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    const id = agent.operations[0]?.operation_id ?? '';
    agent.move(id, 'refused', { error, card_id: 'card_reward' });
    agent.answer = ({ command }) => {
      const [operation] = agent.operations;
      if (command === 'attention.list') return { ok: true, value: { operations: agent.operations } };
      if (command !== 'attention.correct' || operation === undefined) return null;
      return {
        ok: true,
        value: { operation: { ...operation, state: 'queued', error: null, card_id: 'card_cashback' } },
      };
    };
    await outcome().getByRole('button', { name: 'Do it later' }).waitFor();
    await outcome().getByRole('button', { name: 'Use the Cashback Club card' }).click();
    await page.locator('.outcome[data-state=queued]').getByText('Cashback').first().waitFor();
    expect(asked('attention.correct')).toMatchObject([{ operation_id: id, card_id: 'card_cashback' }]);
    // What the service calls invalid is corrected where the sale waits, with the same words.
    agent.move(id, 'refused', { error: { ...error, code: 'VALIDATION_ERROR' }, card_id: 'card_reward' });
    await outcome().getByRole('button', { name: 'Correct the amount' }).click();
    await page.getByRole('dialog', { name: 'Correct and retry' }).waitFor();
    expect(await page.locator('#correct-value').inputValue()).toBe('5.000');
    await page.getByText('Correct the amount, or call store IT.').waitFor();
  });

  describe('for an earn of before', () => {
    const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req' };
    const refusedSale = (external_ref: string) =>
      operationOf({ external_ref, state: 'refused', cause: 'refused', error, card_id: 'card_reward' });

    /** Presses "Use the card" of R-1, with the customer in front, and the agent refuses. */
    async function press(error: Omit<TillError, 'message'>): Promise<void> {
      know(demoCards.reward, { ...demoCards.cashback, allowed_operations: ['earn_amount'] });
      agent.operations = [refusedSale('R-2'), refusedSale('R-1')];
      agent.answer = ({ command }) => {
        if (command === 'attention.list') return { ok: true, value: { operations: agent.operations } };
        return command === 'attention.correct' ? { ok: false, error: { ...error, message: '' } } : null;
      };
      await page.reload();
      await customer();
      await recent().locator('[data-ref=R-1] .row-open').click();
      await outcome().getByRole('button', { name: 'Use the Cashback Club card' }).click();
    }

    it.each<[string, Omit<TillError, 'message'>]>([
      ['a manager has to allow it', { code: 'pin_needed' }],
      ['the cards cannot be read', { code: 'invalid', field: 'card_id' }],
    ])('%s: it is corrected where the PIN is typed and the card is chosen', async (_, refused) => {
      await press(refused);
      await page.getByRole('dialog', { name: 'Correct and retry' }).getByText('R-1').waitFor();
    });

    it('what the agent says to it stands under no other sale', async () => {
      await press({ code: 'not_now' });
      const said = outcome().getByText('The state has changed meanwhile');
      await said.waitFor();
      await recent().locator('[data-ref=R-2] .row-open').click();
      await page.locator('.outcome[data-ref=R-2]').waitFor();
      expect(await said.count()).toBe(0);
    });
  });

  it('to a receipt number that was used another one: the refused sale itself goes out under it', async () => {
    const error = { code: 'DUPLICATE_TRANSACTION', message: '', retryable: false, request_id: 'req' };
    await customer();
    await button('earn_amount').click();
    await page.locator('#entry-amount').fill('5');
    await page.keyboard.press('Enter');
    await outcome().waitFor();
    agent.move(agent.operations[0]?.operation_id ?? '', 'refused', { error, card_id: 'card_reward' });
    await outcome().getByRole('button', { name: 'Another receipt no.' }).click();
    await page.locator('#entry-receipt').waitFor();
    expect(await page.locator('#entry-amount').inputValue()).toBe('5.000');
    // The sale is the refused one: its amount stands, and nothing is sold beside it.
    const [refused] = agent.operations;
    const renumbered = operationOf({ operation_id: 'op-new', external_ref: 'main-88', amount_minor: 5000 });
    let taken = true;
    agent.answer = ({ command }) => {
      if (command !== 'attention.replace') return null;
      return taken ? failure('reference_taken') : { ok: true, value: { operation: renumbered } };
    };
    await page.keyboard.type('87', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.locator('#entry-receipt-note').waitFor();
    taken = false;
    await page.keyboard.type('88', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.locator('.outcome[data-ref=main-88]').waitFor();
    const sent = agent.questions.filter(({ command }) => command === 'attention.replace').map(({ input }) => input);
    expect(sent).toMatchObject(
      ['87', '88'].map((receipt_number) => ({ operation_id: refused?.operation_id, receipt_number })),
    );
    expect(agent.questions.filter(({ command }) => command === 'operation.earn')).toHaveLength(1);
  });
});
