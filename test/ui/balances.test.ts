import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FoundCustomer, OperationView } from '../../shared/till/views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// The balances in front of a customer are those that the service told last, by whichever way.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  holdPoints(245.5);
});

const offline = { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' } as const;
const online = { state: 'online', cause: null, since: '2026-11-20T14:20:00.000Z' } as const;
const balancesOf = (points: number) => ({ ...demoCards.reward.balances, points });

/** What a look-up at the service says from now on. */
function holdPoints(points: number, change: Partial<FoundCustomer> = {}, asOf = '2026-11-20T14:13:00.000Z'): void {
  const card = { ...demoCards.reward, balances: balancesOf(points) };
  const profile = profileOf({ cards: [card, demoCards.cashback], balances_as_of: asOf });
  for (const name of ['LC-1', profile.customer_id])
    agent.customers.set(name, { source: 'service', profile, ...change });
}

const points = (count: string) => page.getByRole('radio', { name: new RegExp(`^Coffee Circle, ${count} points`) });
const asked = (command: string) => agent.questions.filter((question) => question.command === command);

function operation(change: Partial<OperationView>): OperationView {
  return operationOf({ card_id: 'card_reward', amount_minor: null, currency: null, ...change });
}

async function open(...operations: OperationView[]): Promise<void> {
  agent.operations = operations;
  ({ page } = await shared.open(agent));
  await scan(page, 'LC-1');
  await page.getByRole('heading', { name: 'Fatima Al-Sabah' }).waitFor();
  // The first customer waits for the cards' own words.
  await page.getByRole('radio', { name: /^Coffee Circle/ }).waitFor();
}

describe.skipIf(!hasChromium)('the balances in front of the customer', () => {
  it('are what is left after an undo', async () => {
    const spent = operation({ external_ref: 'R-1', intent: 'redeem', points: 40, state: 'applied', undo: 'reverse' });
    holdPoints(205.5);
    agent.answer = ({ command, input }) => {
      if (command !== 'operation.reverse') return null;
      const { operation_id } = input as { operation_id: string };
      const reversal = operation({
        operation_id,
        external_ref: 'U-1',
        intent: 'reverse',
        row_id: 2,
        reverses_row_id: 1,
      });
      agent.operations = [reversal, ...agent.operations];
      return { ok: true, value: { operation: reversal, original: spent, duplicate: false } };
    };
    await open(spent);
    await points('205.5').waitFor();
    await page.locator('.recent [data-ref="R-1"] .row-open').click();
    await page.locator('.outcome-choices .button-primary').click();
    await page.locator('.recent [data-ref="U-1"]').waitFor();
    holdPoints(245.5, {}, '2026-11-20T14:15:00.000Z');
    agent.move(agent.operations[0]?.operation_id ?? '', 'applied');
    agent.move(spent.operation_id, 'reversed');
    await page.keyboard.press('Escape');
    await points('245.5').waitFor();
  });

  it('are what is left after an order is paid, and after its hold is let go', async () => {
    await open();
    const paid = operation({ external_ref: 'O-1', intent: 'commit', points: 40, state: 'sending' });
    agent.operations = [paid];
    agent.move(paid.operation_id, 'applied', {
      new_balances: balancesOf(205.5),
      completed_at: '2026-11-20T14:14:00.000Z',
    });
    await points('205.5').waitFor();
  });

  it('are put right after "Take full payment" when the service had taken it all the same', async () => {
    const lost = operation({ external_ref: 'R-2', intent: 'redeem', points: 40, state: 'unknown' });
    await open({ ...lost, decision: 'take_full_payment' });
    agent.move(lost.operation_id, 'applied', {
      decision: 'take_full_payment',
      new_balances: balancesOf(205.5),
      completed_at: '2026-11-20T14:14:00.000Z',
    });
    await points('205.5').waitFor();
    holdPoints(245.5, {}, '2026-11-20T14:15:00.000Z');
    agent.move(lost.operation_id, 'reversed', { decision: 'take_full_payment' });
    await points('245.5').waitFor();
  });

  it('of a saved customer are those after the earn, once that is applied', async () => {
    agent.state = { ...agent.state, connection: offline };
    holdPoints(245.5, { source: 'kept' });
    const earn = operation({ external_ref: 'R-3', points: 12, state: 'queued' });
    await open(earn);
    agent.move(earn.operation_id, 'applied', {
      new_balances: balancesOf(257.5),
      completed_at: '2026-11-20T14:14:00.000Z',
    });
    await points('257.5').waitFor();
    holdPoints(257.5, {}, '2026-11-20T14:15:00.000Z');
    agent.setState({ connection: online });
    await page.locator('[data-source=service]').waitFor();
    await points('257.5').waitFor();
  });

  it('are never those of an earlier moment, whichever answer comes last', async () => {
    const first = operation({ external_ref: 'R-4', points: 10, state: 'accepted' });
    const second = operation({ external_ref: 'R-5', intent: 'redeem', points: 50, state: 'sending', row_id: 2 });
    await open(second, first);
    holdPoints(205.5, {}, '2026-11-20T14:13:30.000Z');
    agent.move(second.operation_id, 'applied', {
      new_balances: balancesOf(205.5),
      completed_at: '2026-11-20T14:15:00.000Z',
    });
    await points('205.5').waitFor();
    agent.move(first.operation_id, 'applied', {
      new_balances: balancesOf(255.5),
      completed_at: '2026-11-20T14:14:00.000Z',
    });
    await page.locator('.recent [data-ref="R-4"][data-state=applied]').waitFor();
    await page.waitForTimeout(100);
    expect(await points('205.5').count()).toBe(1);
  });

  it('are looked up when the line is back, if they could not be before', async () => {
    const spent = operation({ external_ref: 'R-6', intent: 'redeem', points: 40, state: 'applied', undo: 'reverse' });
    holdPoints(205.5);
    await open(spent);
    agent.setState({ connection: offline });
    holdPoints(205.5, { source: 'kept' });
    agent.move(spent.operation_id, 'reversed');
    await expect.poll(() => asked('customer.find').length).toBe(2);
    holdPoints(245.5, {}, '2026-11-20T14:16:00.000Z');
    agent.setState({ connection: online });
    await points('245.5').waitFor();
  });

  it('of another customer stay as they are', async () => {
    await open();
    const others = operation({ external_ref: 'R-7', card_id: 'card_of_somebody', points: 3, state: 'accepted' });
    agent.operations = [others];
    agent.move(others.operation_id, 'applied', { new_balances: balancesOf(3), completed_at: null });
    await page.locator('.recent [data-ref="R-7"][data-state=applied]').waitFor();
    await page.waitForTimeout(100);
    expect([await points('245.5').count(), asked('customer.find').length]).toEqual([1, 1]);
  });
});

it.skipIf(!hasChromium)(
  'a customer is looked up once more whose sale was taken back while they were looked up',
  async () => {
    const sale = operation({ external_ref: 'R-1', points: 10, state: 'applied' });
    agent.operations = [sale];
    const { promise, resolve } = Promise.withResolvers<void>();
    const ofBefore = agent.customers.get('LC-1');
    agent.answer = ({ command, input }) =>
      command === 'customer.find' && JSON.stringify(input).includes('LC-1')
        ? promise.then(() => ({ ok: true, value: ofBefore }))
        : null;
    ({ page } = await shared.open(agent));
    await scan(page, 'LC-1');
    await page.locator('[data-stage=finding]').waitFor();
    holdPoints(235.5, {}, '2026-11-20T14:15:00.000Z');
    agent.move(sale.operation_id, 'reversed');
    await page.locator('.recent [data-ref="R-1"][data-state=reversed]').waitFor();
    resolve();
    await points('235.5').waitFor();
  },
);

it.skipIf(!hasChromium)('a customer found in memory just as the line comes back is looked up once more', async () => {
  agent.state = { ...agent.state, connection: offline };
  holdPoints(245.5, { source: 'kept' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const kept = agent.customers.get('LC-1');
  agent.answer = ({ command, input }) =>
    command === 'customer.find' && JSON.stringify(input).includes('LC-1')
      ? promise.then(() => ({ ok: true, value: kept }))
      : null;
  ({ page } = await shared.open(agent));
  await scan(page, 'LC-1XX');
  await page.locator('[data-stage=finding]').waitFor();
  agent.setState({ connection: online });
  await page.locator('[data-connection=online]').waitFor();
  holdPoints(300);
  resolve();
  await page.locator('[data-source=service]').waitFor();
  await points('300').waitFor();
});
