import { beforeAll, describe, expect, it } from 'vitest';
import { answerIsRead, axeFindings, hasChromium } from '../support/ui-page.ts';
import { till, useUiTill } from '../support/use-ui-till.ts';

/** Applied takes the sandbox a second. */

useUiTill();

beforeAll(async () => {
  if (!hasChromium) return;
  await till.open('attention');
});

async function earn(external_ref: string, identifier: object, value: object): Promise<void> {
  expect((await till.call('/transactions/earn', { identifier, external_ref, ...value })).status).toBe(202);
}
const row = (reference: string) => till.page.locator(`.attention-row[data-ref="${reference}"]`);
const group = (cause: string) => till.page.locator(`[data-cause="${cause}"]`);
const dialog = () => till.page.getByRole('dialog');
const violations = async () => await axeFindings(till.page);
async function shown(external_ref: string) {
  const { json } = await till.office('queue.show', { external_ref });
  const { operations } = json as {
    operations: {
      operation: { state: string; card_id: string | null; amount_minor: number };
      request: { sends: number };
    }[];
  };
  const [found] = operations;
  if (found === undefined) throw new Error(`There is no ${external_ref}`);
  return { ...found.operation, sends: found.request.sends };
}

describe.skipIf(!hasChromium)('a sale of a customer with several cards', () => {
  it('waits with its reason, and the dialog offers the cards that would take it', async () => {
    await earn('CRM-1', { external_id: 'crm-1009' }, { amount_minor: 2_000 });
    await group('card_choice_needed').waitFor();
    expect(await violations()).toEqual([]);
    await row('CRM-1').getByRole('button', { name: 'Choose the card' }).click();
    await dialog().getByRole('radio').nth(1).waitFor();
    expect(await dialog().locator('.choice-row').allInnerTexts()).toEqual([
      expect.stringContaining('Rewards club'),
      expect.stringContaining('Cashback'),
    ]);
    await expect
      .poll(() => till.page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('correct-card');
    expect(await violations()).toEqual([]);
  });

  it('is not sent without one, nor with a value that is none', async () => {
    await dialog().getByRole('button', { name: 'Retry' }).click();
    await dialog().getByText('Choose the card.').waitFor();
    await dialog().getByLabel('Amount').fill('2.0005');
    await dialog().getByRole('button', { name: 'Retry' }).click();
    await dialog().getByText('Too many decimals.').waitFor();
    await dialog().getByLabel('Amount').fill('100000000');
    await dialog().getByRole('button', { name: 'Retry' }).click();
    await dialog().getByText('The limit of this till is').waitFor();
  });

  it('is sent again with the card and the corrected value, under the same reference', async () => {
    await dialog().getByLabel('Amount').fill('2.500');
    await dialog().locator('.choice-row').nth(1).click();
    await dialog().getByRole('button', { name: 'Retry' }).click();
    await dialog().getByText('Enter a reason.').waitFor();
    await dialog().getByLabel('Reason').fill('the customer chose it');
    await till.page.keyboard.press('Enter');
    await till.page.getByText('Nothing needs attention').waitFor();
    await expect.poll(async () => (await shown('CRM-1')).state).toBe('applied');
    expect(await shown('CRM-1')).toMatchObject({ amount_minor: 2_500, card_id: expect.stringMatching(/^card_/) });
  });

  it('says why the cards cannot be chosen while there is no line, and looks again when it is back', async () => {
    await earn('CRM-2', { external_id: 'crm-1009' }, { amount_minor: 2_000 });
    await row('CRM-2').waitFor();
    await till.control('/faults', { match: { path: '/*' }, effect: { type: 'offline' } });
    await answerIsRead(till.page);
    await row('CRM-2').getByRole('button', { name: 'Choose the card' }).click();
    await dialog().getByText('There is no connection. Try again when the connection is back.').waitFor();
    expect(await violations()).toEqual([]);
    await till.control('/faults', undefined, 'DELETE');
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await dialog().getByRole('radio').first().waitFor();
    await till.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect((await shown('CRM-2')).state).toBe('refused');
  });
});

describe.skipIf(!hasChromium)('sales that were refused alike', () => {
  it('stand together, are chosen together, and are sent again with one reason', async () => {
    for (let sale = 1; sale <= 12; sale += 1) {
      await earn(`NO-${sale}`, { loyalty_id: `nobody-${sale}` }, { amount_minor: 1_000 });
      // One that succeeds between: many refusals in a row would pause the queue.
      await earn(`OK-${sale}`, { loyalty_id: 'LC-1001' }, { points: 1 });
      await expect.poll(async () => (await shown(`NO-${sale}`)).state).toBe('refused');
      await expect.poll(async () => (await shown(`OK-${sale}`)).state).toMatch(/applied|accepted/);
    }
    await expect.poll(() => group('customer_not_found').locator('.attention-row').count()).toBe(12);
    const send = group('customer_not_found').getByRole('button', { name: 'Retry', exact: true }).first();
    expect(await send.isDisabled()).toBe(true);
    await group('customer_not_found').getByRole('checkbox', { name: 'All 12' }).check();
    // Five refusals alike would pause the queue for a minute.
    for (let sale = 5; sale <= 12; sale += 1) await row(`NO-${sale}`).getByRole('checkbox').uncheck();
    expect(await violations()).toEqual([]);
    await group('customer_not_found').getByRole('button', { name: 'Retry 4' }).click();
    await dialog().getByRole('button', { name: 'Retry 4' }).click();
    await dialog().getByText('Enter a reason.').waitFor();
    await dialog().getByLabel('Reason').fill('registered meanwhile');
    await till.page.keyboard.press('Enter');
    await dialog().getByText('4 waiting to send').waitFor();
    expect(await violations()).toEqual([]);
    await answerIsRead(till.page);
    await dialog().getByRole('button', { name: 'Done' }).click();
    // Nothing was repaired, so they come back; those that were left out were sent once.
    await expect.poll(async () => (await shown('NO-1')).sends).toBeGreaterThanOrEqual(2);
    expect((await shown('NO-12')).sends).toBe(1);
  });

  it('show how far it is, and stop where they are told to', async () => {
    await expect.poll(() => group('customer_not_found').locator('.attention-row').count()).toBe(12);
    // An agent that answers when the test lets it.
    await till.page.evaluate(() => {
      const line = WebSocket.prototype;
      const send = Reflect.get(line, 'send') as (data: string) => void;
      const held: (() => void)[] = [];
      Reflect.set(line, 'send', function later(this: WebSocket, data: string) {
        const deliver = () => Reflect.apply(send, this, [data]);
        if (data.includes('attention.resend')) held.push(deliver);
        else deliver();
      });
      Reflect.set(window, 'deliverHeld', () => {
        for (const deliver of held.splice(0)) deliver();
      });
    });
    await group('customer_not_found').getByRole('checkbox', { name: 'All 12' }).check();
    await answerIsRead(till.page);
    await group('customer_not_found').getByRole('button', { name: 'Retry 12' }).click();
    await dialog().getByLabel('Reason').fill('once more');
    await till.page.keyboard.press('Enter');
    await dialog().getByText('0 of 12').waitFor();
    expect(await violations()).toEqual([]);
    await answerIsRead(till.page);
    await dialog().getByRole('button', { name: 'Stop' }).click();
    await till.page.evaluate(() => Reflect.apply(Reflect.get(window, 'deliverHeld'), window, []));
    await dialog().getByText('8 waiting to send').waitFor();
    await dialog().getByText('4 not sent').waitFor();
    await answerIsRead(till.page);
    await till.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(till.complaints).toEqual([]);
  });
});
