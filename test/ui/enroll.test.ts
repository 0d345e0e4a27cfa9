import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoApiKey } from '../../app/service/fixtures.ts';
import { type AgentReady, type Program, startAgentProgram } from '../support/program.ts';
import { hasChromium, launchChromium, openPage } from '../support/ui-page.ts';

let dataDir: string;
let agent: Program<AgentReady>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (!hasChromium) return;
  dataDir = mkdtempSync(join(tmpdir(), 'tillbridge-enroll-'));
  [agent, browser] = await Promise.all([
    startAgentProgram(['--data-dir', dataDir, '--port', '0', '--ui']),
    launchChromium(),
  ]);
  ({ page } = await openPage(browser, agent.ready.ui_url ?? ''));
  await page.locator('[data-connection=online]').waitFor();
});
afterAll(async () => {
  if (!hasChromium) return;
  await browser.close();
  await agent.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const headers = { authorization: `Bearer ${demoApiKey}` };

async function control(path: string) {
  const response = await fetch(`${agent.ready.control_url}${path}`, { headers });
  return response.json();
}

/** The code that the service has sent to a phone: the enrollment is the newest one that the service was asked for. */
async function sentCode(): Promise<string> {
  const response = await fetch(`${agent.ready.base_url}/agent/office/queue.list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.ready.token}` },
    body: JSON.stringify({ limit: 10 }),
  });
  const { operations } = (await response.json()) as { operations: { intent: string; external_ref: string }[] };
  const reference = operations.find(({ intent }) => intent === 'enroll')?.external_ref ?? '';
  const shown = await fetch(`${agent.ready.base_url}/agent/office/queue.show`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.ready.token}` },
    body: JSON.stringify({ external_ref: reference }),
  });
  const { operations: details } = (await shown.json()) as { operations: { answer: { enrollment_id: string } }[] };
  return ((await control(`/otp/${details[0]?.answer.enrollment_id}`)) as { otp: string }).otp;
}

async function findPhone(phone: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Scan or type/ }).fill(phone);
  await page.keyboard.press('Enter');
}

describe.skipIf(!hasChromium)('a customer whom nobody knows', () => {
  it('is enrolled with the code from their phone: wrong first, then right', async () => {
    await findPhone('+96550001234');
    await page.getByText('No customer with this phone').waitFor();
    await page.getByRole('button', { name: 'Enroll' }).click();
    expect(await page.locator('#enroll-phone').inputValue()).toBe('+96550001234');
    await page.locator('#enroll-name').fill('Huda Al-Rashid');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.locator('#enroll-code').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Enter the code.').waitFor();
    const code = await sentCode();
    await page.locator('#enroll-code').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Wrong code').waitFor();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.locator('#enroll-code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('img', { name: 'Link to the card, to be scanned with a phone' }).waitFor();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole('button', { name: 'Use this customer' }).click();
    await page.getByRole('heading', { name: 'Huda Al-Rashid' }).waitFor();
  });

  it('and holds a card already is told so, and used', async () => {
    if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Next customer' }).first().click();
    await page.getByRole('button', { name: 'Enroll' }).click();
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('Enter the phone.').waitFor();
    await page.locator('#enroll-phone').fill('+96550001234');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('Huda Al-Rashid holds a card already.').waitFor();
    await page.getByRole('button', { name: 'Use this customer' }).click();
    await page.getByRole('heading', { name: 'Huda Al-Rashid' }).waitFor();
  });
});
