import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DayView } from '../../shared/till/day-views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What is typed after a mistake goes where the mistake is, also in the dialogs beside the sale.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

/** As a hand types: slower than a scanner. */
const hand = { delay: 60 };
const dialog = () => page.getByRole('dialog');
const field = (id: string) => dialog().locator(`#${id}`);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const value = (id: string) => field(id).inputValue();
const confirm = () => dialog().locator('.entry-confirm').click();

const nobody = { code: 'CUSTOMER_NOT_FOUND', message: '', retryable: false, request_id: 'req_1' };
const severalCards = { ...nobody, code: 'VALIDATION_ERROR', details: ['card_id_required'] };
const refused = [severalCards, nobody, nobody].map((error, index) =>
  operationOf({
    external_ref: `R-${index}`,
    operation_id: `op-${index}`,
    row_id: index + 1,
    state: 'refused',
    cause: 'refused',
    amount_minor: 12_500,
    error,
  }),
);
const day: DayView = {
  business_date: '2026-11-20',
  today: '2026-11-20',
  starts_at: '04:00',
  counted_at: '2026-11-20T14:13:00.000Z',
  close: null,
  lines: [],
  cashiers: [],
  since_closing: null,
  open: { waiting: 1, attention: 0 },
  carried_in: null,
  after_earlier: null,
  carried_out: null,
};
const settings = { settings: [], problems: [], warnings: [], waiting: { sandbox: 0, production: 0 } };
const answers: Readonly<Record<string, object>> = {
  'attention.list': { operations: refused },
  'attention.cards': { cards: [demoCards.reward, demoCards.cashback], other_cards: 0 },
  'day.read': day,
  'day.list': { closes: [] },
  'settings.read': { ...settings, restart_needed: false, asks_mode: false },
  'people.list': { people: [] },
  'people.add_manager': { kind: 'invalid', field: 'pin' },
};

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent({ has_managers: true });
  agent.answer = ({ command }) => {
    const value = answers[command];
    if (command === 'day.close') return failure('pin_wrong');
    return value === undefined ? null : { ok: true, value };
  };
  ({ page } = await shared.open(agent));
});

async function show(screen: string): Promise<void> {
  await page.locator('.more').click();
  await page.locator(`.screen-entry[data-to="${screen}"]`).click();
  await page.locator(`[data-screen="${screen}"]`).waitFor();
}

describe.skipIf(!hasChromium)('after a mistake the next key goes', () => {
  it('to the reason that is missing in a correction', async () => {
    await show('attention');
    await page.locator('[data-ref=R-1]').getByRole('button', { name: 'Correct' }).click();
    await field('correct-value').fill('15');
    await page.keyboard.press('Enter');
    await dialog().getByText('Enter a reason.').waitFor();
    await page.keyboard.type('typed', hand);
    expect([await value('correct-value'), await value('decide-reason')]).toEqual(['15', 'typed']);
  });

  it('to the value where a correction changes nothing, and to the cards where one has to be chosen', async () => {
    await show('attention');
    await page.locator('[data-ref=R-1]').getByRole('button', { name: 'Correct' }).click();
    await confirm();
    await dialog().getByText('Choose another card, or change the value.').waitFor();
    await page.keyboard.type('20', hand);
    expect(await value('correct-value')).toBe('20');
    await page.keyboard.press('Escape');
    await page.locator('[data-ref=R-0]').getByRole('button', { name: 'Choose the card' }).click();
    await field('correct-value').fill('15');
    await page.keyboard.press('Enter');
    await dialog().getByText('Choose the card.').waitFor();
    await page.keyboard.press('Space');
    expect(await dialog().getByRole('radio').first().isChecked()).toBe(true);
  });

  it('to the reason that is missing for a decision and for many sales, each time it is missing', async () => {
    await show('attention');
    const keepsReason = async (): Promise<void> => {
      for (const text of ['typed', 'again']) {
        for (let press = 0; press < 2; press += 1) {
          await confirm();
          await dialog().getByText('Enter a reason.').waitFor();
        }
        await page.keyboard.type(text, hand);
        expect(await value('decide-reason')).toBe(text);
        await field('decide-reason').fill('');
      }
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    };
    await page.locator('[data-ref=R-1]').getByRole('button', { name: 'Write off' }).click();
    await keepsReason();
    await page.getByRole('checkbox', { name: 'All 2' }).check();
    await button('Retry 2').click();
    await keepsReason();
  });

  it('to the PIN of a new manager that is not taken', async () => {
    await show('settings');
    await page.locator('[data-section=people]').click();
    await button('Add a manager').click();
    await field('person-name').fill('Huda');
    await field('person-pin').fill('2580');
    await field('person-pin-again').fill('2580');
    await page.keyboard.press('Enter');
    await dialog().locator('.field-error').waitFor();
    await page.keyboard.type('4711', hand);
    expect([await value('person-pin'), await value('person-pin-again')]).toEqual(['4711', '2580']);
  });

  it('to what is not seen yet of a day, and to the wrong PIN that should close it', async () => {
    await show('day-close');
    await button('Close the day').click();
    await field('close-by').fill('1234');
    await page.keyboard.press('Enter');
    await dialog().getByText('Confirm that you have seen the open sales.').waitFor();
    await page.keyboard.press('Space');
    expect([await dialog().getByRole('checkbox').isChecked(), await value('close-by')]).toEqual([true, '1234']);
    await confirm();
    await dialog().getByText('Wrong PIN').waitFor();
    await page.keyboard.type('5678', hand);
    expect(await value('close-by')).toBe('5678');
  });
});
