import { describe, expect, it } from 'vitest';
import type { FakeAgent } from '../support/ui-fake-agent.ts';
import { axeFindings, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

const shared = sharedBrowser();

const asked = (agent: FakeAgent, command: string) =>
  agent.questions.filter((question) => question.command === command).map(({ input }) => input);

describe.skipIf(!hasChromium)('the first screen of a new till', () => {
  it.each(['en', 'ar'] as const)('asks what the till is for, and nothing else (%s)', async (locale) => {
    const agent = await shared.startAgent({ asks_mode: true, locale });
    const { page } = await shared.open(agent);
    await page.locator('[data-screen=first-run]').waitFor();
    expect(await page.locator('[data-screen=sale]').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    for (const size of [
      { width: 1024, height: 600 },
      { width: 1366, height: 768 },
    ]) {
      await page.setViewportSize(size);
      const fits = await page.evaluate(() => {
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
        return scrollWidth <= clientWidth && scrollHeight <= clientHeight;
      });
      expect(fits).toBe(true);
    }
  });

  it('saves the choice to practice, and then sells', async () => {
    const agent = await shared.startAgent({ asks_mode: true });
    agent.answer = ({ command }) => {
      if (command !== 'settings.change') return null;
      agent.setState({ asks_mode: false });
      return { ok: true, value: { kind: 'saved', restart_needed: false } };
    };
    const { page } = await shared.open(agent);
    await page.locator('[data-mode=sandbox]').click();
    await page.locator('[data-screen=sale]').waitFor();
    expect(asked(agent, 'settings.change')).toEqual([{ patch: { mode: 'sandbox' }, confirmed: true }]);
  });

  it('says when the choice was not saved, and asks on', async () => {
    const agent = await shared.startAgent({ asks_mode: true });
    agent.answer = ({ command }) =>
      command === 'settings.change' ? { ok: false, error: { code: 'not_saved', message: 'full' } } : null;
    const { page } = await shared.open(agent);
    await page.locator('[data-mode=sandbox]').click();
    await page.getByRole('alert').getByText('The choice was not saved').waitFor();
  });

  it('leaves the choice to a manager where there is one: the settings ask for the PIN', async () => {
    const agent = await shared.startAgent({ asks_mode: true, has_managers: true });
    agent.answer = ({ command }) =>
      command === 'settings.read' ? { ok: false, error: { code: 'pin_needed', message: 'a PIN' } } : null;
    const { page } = await shared.open(agent);
    await page.locator('[data-mode=sandbox]').click();
    await page.locator('#settings-pin').waitFor();
    expect(asked(agent, 'settings.change')).toEqual([]);
  });
});
