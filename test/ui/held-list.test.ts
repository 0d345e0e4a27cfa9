import { describe, expect, it } from 'vitest';
import type { HoldView } from '../../shared/till/hold-views.ts';
import { type FakeAgent, holdOf, operationOf } from '../support/ui-fake-agent.ts';
import { answerIsRead, clickAt, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// What is held for orders, as a finger meets it: the list changes under it.
const shared = sharedBrowser();

/** An agent that answers at once. */
async function startHolding(...holds: readonly HoldView[]): Promise<FakeAgent> {
  const agent = await shared.startAgent();
  let held = holds;
  agent.answer = ({ command, input }) => {
    if (command === 'hold.release') {
      const { hold_id } = input as { readonly hold_id: string };
      held = held.filter((hold) => hold.hold_id !== hold_id);
    }
    return command.startsWith('hold.') ? { ok: true, value: { holds: held } } : null;
  };
  return agent;
}
const asked = (agent: FakeAgent, name: string) => agent.questions.filter(({ command }) => command === name).length;

describe.skipIf(!hasChromium)('a press on a hold', () => {
  it('that comes twice lets go one hold, and not the one that moves up to its place', async () => {
    const agent = await startHolding(holdOf({ hold_id: 'a' }), holdOf({ hold_id: 'b' }));
    const { page } = await shared.open(agent);
    const release = '.held li:first-child .button-outline';
    await expect.poll(() => page.locator('.held li').count()).toBe(2);
    await answerIsRead(page);
    const startedAtMs = Date.now();
    await clickAt(page, release, startedAtMs);
    await expect.poll(() => page.locator('.held li').count()).toBe(1);
    await clickAt(page, release, startedAtMs + 150);
    await answerIsRead(page);
    expect(asked(agent, 'hold.release')).toBe(1);
    await clickAt(page, release, Date.now());
    await page.locator('.held').waitFor({ state: 'detached' });
  });

  it('that was meant for what stood there before the first hold came lets nothing go', async () => {
    const agent = await startHolding();
    agent.operations = [operationOf({ operation_id: 'held', intent: 'reserve', state: 'sending' })];
    const { page } = await shared.open(agent);
    await expect.poll(() => asked(agent, 'hold.list')).toBe(1);
    const answerBefore = agent.answer;
    agent.answer = (question) =>
      question.command === 'hold.list' ? { ok: true, value: { holds: [holdOf()] } } : answerBefore(question);
    const cameAtMs = Date.now();
    agent.move('held', 'applied');
    await page.locator('.held .button-outline').waitFor();
    await clickAt(page, '.held .button-outline', cameAtMs + 150);
    await answerIsRead(page);
    expect(asked(agent, 'hold.release')).toBe(0);
    await clickAt(page, '.held .button-outline', Date.now());
    await expect.poll(() => asked(agent, 'hold.release')).toBe(1);
  });

  it('that was meant for Order paid does not hold anew what has just run out', async () => {
    const agent = await startHolding(holdOf());
    const { page } = await shared.open(agent);
    await page.getByRole('button', { name: 'Order paid' }).waitFor();
    const ranOutAtMs = Date.now();
    agent.setState({ now: '2026-11-20T14:43:00.000Z' });
    await page.getByRole('button', { name: 'Hold again' }).waitFor();
    await clickAt(page, '.held .button-primary', ranOutAtMs + 150);
    await answerIsRead(page);
    expect(asked(agent, 'hold.again')).toBe(0);
    await clickAt(page, '.held .button-primary', Date.now());
    await expect.poll(() => asked(agent, 'hold.again')).toBe(1);
  });
});
