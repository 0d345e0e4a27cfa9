import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OperationView } from '../../shared/till/views.ts';
import { type FakeAgent, operationOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, clickAt, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What needs attention, as a finger meets it: the list changes under it.
const shared = sharedBrowser();
let agent: FakeAgent;
/** What the list tells when it is read. */
let listed: readonly OperationView[];

const unknownSpend = (row_id: number): OperationView =>
  operationOf({
    row_id,
    external_ref: `R-${row_id}`,
    intent: 'redeem',
    state: 'unknown',
    saved_at: '2026-11-20T14:00:00.000Z',
  });
const decisions = () =>
  agent.questions.flatMap(({ command, input }) => (command === 'operation.decide' ? [input] : []));
const rows = (page: Page) => page.locator('.attention-row');
const takeFullPayment = '.way:has-text("Take full payment") >> nth=0';
const giveIt = '.way:has-text("Give it") >> nth=0';

async function open(...operations: readonly OperationView[]) {
  agent.operations = operations;
  listed = operations;
  const { page } = await shared.open(agent);
  await page.locator('.more').click();
  await page.locator('.screen-entry[data-to="attention"]').click();
  await expect.poll(() => rows(page).count()).toBe(operations.length);
  await answerIsRead(page);
  return page;
}

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.answer = ({ command, input }) => {
    if (command === 'attention.list') return { ok: true, value: { operations: listed } };
    if (command !== 'operation.decide') return null;
    const { operation_id, decision } = input as Pick<OperationView, 'operation_id' | 'decision'>;
    agent.move(operation_id, 'unknown', { decision });
    return { ok: true, value: { operation: agent.operations.find((other) => other.operation_id === operation_id) } };
  };
});

describe.skipIf(!hasChromium)('a press on what needs attention', () => {
  it('that was meant for a redemption which has just ended decides nothing about the next one', async () => {
    const page = await open(unknownSpend(1), unknownSpend(2));
    const pressedAtMs = Date.now();
    listed = listed.slice(1);
    agent.move('op-R-1', 'applied');
    await expect.poll(() => rows(page).count()).toBe(1);
    await clickAt(page, takeFullPayment, pressedAtMs);
    await answerIsRead(page);
    expect(decisions()).toEqual([]);
    await clickAt(page, takeFullPayment, Date.now());
    await expect.poll(decisions).toEqual([{ operation_id: 'op-R-2', decision: 'take_full_payment' }]);
  });

  it('shows the choice at once, and its second tap decides nothing about the redemption below', async () => {
    const page = await open(unknownSpend(1), unknownSpend(2));
    const pressedAtMs = Date.now();
    await clickAt(page, giveIt, pressedAtMs);
    // The list is read again a little later.
    await page.locator('[data-ref="R-1"] [data-decision="give_it"]').waitFor();
    await clickAt(page, takeFullPayment, pressedAtMs + 150);
    await answerIsRead(page);
    expect(decisions()).toEqual([{ operation_id: 'op-R-1', decision: 'give_it' }]);
  });

  it('counts where its row stands as before, though another one has come below', async () => {
    const page = await open(unknownSpend(1), unknownSpend(2));
    agent.operations = [...agent.operations, unknownSpend(3)];
    listed = agent.operations;
    agent.move('op-R-2', 'unknown', { version: 2 });
    await expect.poll(() => rows(page).count()).toBe(3);
    await clickAt(page, giveIt, Date.now());
    await expect.poll(decisions).toEqual([{ operation_id: 'op-R-1', decision: 'give_it' }]);
  });

  it('that was meant for a row which has just gone opens no question about the next one', async () => {
    const sale = (external_ref: string) => operationOf({ external_ref, state: 'failed' });
    const page = await open(sale('S-1'), sale('S-2'));
    const writeOff = '.attention-actions .button-ghost:last-child >> nth=0';
    const pressedAtMs = Date.now();
    listed = listed.slice(1);
    agent.move('op-S-1', 'written_off');
    await expect.poll(() => rows(page).count()).toBe(1);
    await clickAt(page, writeOff, pressedAtMs);
    await answerIsRead(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await clickAt(page, writeOff, Date.now());
    await page.getByRole('dialog').waitFor();
  });
});
