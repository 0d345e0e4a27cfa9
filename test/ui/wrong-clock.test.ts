import { expect, it } from 'vitest';
import { holdOf } from '../support/ui-fake-agent.ts';
import { hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// The till's clock is 20 minutes fast. A hold and a code run out by the service's.
const shared = sharedBrowser();
const aheadMs = 20 * 60_000;
const now = '2026-11-20T14:33:00.000Z';
const inServiceTime = (minutes: number) => new Date(Date.parse(now) - aheadMs + minutes * 60_000).toISOString();

it.skipIf(!hasChromium)(
  'a fresh hold can be paid, and a fresh code is valid, where the till’s clock is fast',
  async () => {
    const connection = { state: 'clock_wrong', cause: null, since: now } as const;
    const agent = await shared.startAgent({ connection, now, service_ahead_ms: -aheadMs });
    agent.answer = ({ command }) => {
      switch (command) {
        case 'hold.list':
          return { ok: true, value: { holds: [holdOf({ expires_at: inServiceTime(15) })] } };
        case 'customer.enroll': {
          const value = { status: 'awaiting_otp', enrollment_id: 'enr_1', otp_expires_at: inServiceTime(5) };
          return { ok: true, value };
        }
        default:
          return null;
      }
    };
    const { page } = await shared.open(agent);
    const row = page.getByRole('region', { name: 'Held for orders' }).locator('[data-state=reserved]');
    await row.getByRole('button', { name: 'Order paid' }).waitFor();
    expect(await row.locator('.held-left').innerText()).toBe('15:00');

    await page.locator('.find-enroll').click();
    const dialog = page.getByRole('dialog', { name: 'Enroll a customer' });
    await dialog.getByLabel('Phone').fill('5551 2301');
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await dialog.locator('.enroll-clock').getByText('5:00').waitFor();
    expect(await dialog.locator('#enroll-code-note').innerText()).toBe('');
  },
);

it.skipIf(!hasChromium)('the oldest sale is as old as the service says', async () => {
  const agent = await shared.startAgent({ now, service_ahead_ms: -aheadMs });
  const hours = 72;
  agent.setState({
    operations: { ...agent.state.operations, queued: 1 },
    oldest_waiting_at: inServiceTime(-50),
    window: { hours, seconds_left: null, ends_at: inServiceTime(hours * 60 - 50) },
  });
  const { page } = await shared.open(agent);
  await page.locator('.queue').getByText('oldest 50 min of 72 h').waitFor({ state: 'attached' });
});
