import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { judgeLeaving } from '../../main/judge-leaving.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { connectionStates, type Notice } from '../../shared/till/views.ts';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, operationOf, profileOf } from '../support/ui-fake-agent.ts';
import { axeFindings, hasChromium } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';
import { wordsIn } from '../support/words.ts';

const copy = await wordsIn('start');

const shared = sharedBrowser();

const isLong = process.env.LONG_TESTS === '1';
const themes = ['light', 'dark'] as const;

const everyNotice: readonly Notice[] = [
  { code: 'not_saving', why: 'locked', since: '2026-11-20T11:02:00.000Z', reason: 'database is locked' },
  { code: 'database_damaged' },
  {
    code: 'database_recovered',
    at: '2026-11-20T11:02:00.000Z',
    aside: 'x.sqlite',
    why: 'damaged',
    last_backup_at: null,
    carried: 1_204,
    unreadable: 3,
  },
  { code: 'disk_nearly_full', free_bytes: 90 * 1024 * 1024 },
  { code: 'queue_nearly_full', waiting: 950_000, limit: 1_000_000 },
  { code: 'key_changed', waiting: 12 },
  { code: 'people_changed', changed: ['Mallory'], missing: ['Noura'], is_list_whole: true },
  { code: 'production_waiting', waiting: 7, is_sending: true },
  { code: 'production_database', trouble: { code: 'database_damaged' } },
];

const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req_1' };

async function busyAgent(): Promise<FakeAgent> {
  const agent = await shared.startAgent();
  agent.operations = operationStates.map((state, index) =>
    operationOf({
      external_ref: `R-${index}`,
      state,
      undo: state === 'queued' ? 'cancel' : null,
      error: state === 'refused' || state === 'failed' ? error : null,
      saved_at: new Date(Date.UTC(2026, 10, 20, 14, 0, 59 - index)).toISOString(),
    }),
  );
  agent.customers.set('LC-1', { source: 'kept', profile: profileOf({ cards: Object.values(demoCards) }) });
  agent.customers.set('LC-2', { source: 'service', profile: profileOf({ cards: [demoCards.cashback] }) });
  return agent;
}

describe.skipIf(!hasChromium).each(['en', 'ar'] as const)('in %s', (locale) => {
  it('every state of an operation and of the connection has its own words', async () => {
    const agent = await busyAgent();
    agent.state = { ...agent.state, locale };
    const { page } = await shared.open(agent);
    for (const [index, state] of operationStates.entries()) {
      const row = page.locator(`.recent [data-ref="R-${index}"]`);
      // The words of another language come right behind the first state.
      await row.filter({ hasText: copy[locale].stateWords[state] }).waitFor();
      expect(await row.getAttribute('data-state')).toBe(state);
    }
    for (const state of connectionStates) {
      agent.setState({ connection: { state, cause: null, since: '2026-11-20T11:02:00.000Z' } });
      const status = page.getByRole('status', { name: copy[locale].frame.connection });
      await page.locator(`[data-connection=${state}]`).waitFor();
      expect(await status.innerText()).toContain(copy[locale].connection[state].next);
    }
  });

  it('everything that somebody should know before it stops sales is said, and axe finds nothing in it', async () => {
    const agent = await shared.startAgent({ locale, notices: [...everyNotice] });
    const { page } = await shared.open(agent, { viewport: { width: 1366, height: 768 } });
    for (const { code } of everyNotice) await page.locator(`[data-notice=${code}]`).waitFor();
    await expectNoViolations(page, 'notices');
    // Even all of them together leave room to sell.
    expect((await page.locator('.find').boundingBox())?.height).toBeGreaterThan(100);
    agent.setState({ notices: [] });
    await page.locator('[data-notice]').first().waitFor({ state: 'detached' });
  });

  // Colours know no language: each of both is looked at once, and in every pairing with LONG_TESTS=1.
  it.each(isLong ? themes : themes.filter((theme) => (theme === 'light') === (locale === 'en')))(
    'axe finds nothing in %s, from the empty screen to the outcome',
    async (colorScheme) => {
      const agent = await busyAgent();
      agent.state = { ...agent.state, locale };
      const { page } = await shared.open(agent, { colorScheme });
      const words = copy[locale];
      await page.locator('[data-ref=R-0]').waitFor();
      await expectNoViolations(page, 'empty');
      await look(page, 'LC-1');
      await page.locator('.card').first().waitFor();
      await expectNoViolations(page, 'customer');
      await look(page, 'LC-404');
      await page.locator('[data-missing]').waitFor();
      await expectNoViolations(page, 'missing');
      agent.setState({
        connection: { state: 'offline', cause: 'offline', since: '2026-11-20T11:02:00.000Z' },
        operations: { ...agent.state.operations, queued: 3, refused: 1 },
        oldest_waiting_at: '2026-11-17T20:00:00.000Z',
        window: { hours: 72, seconds_left: 17_880, ends_at: '2026-11-20T20:00:00.000Z' },
      });
      await look(page, 'LC-2');
      await page.getByRole('dialog').waitFor();
      await page.locator('#entry-amount').fill('12.5555');
      await page.keyboard.press('Enter');
      await expectNoViolations(page, 'entry with a mistake');
      await page.locator('#entry-amount').fill('750');
      await page.keyboard.press('Enter');
      await page.locator('[data-question]').waitFor();
      await page.getByRole('button', { name: words.entry.confirm }).click();
      await page.locator('.outcome').waitFor();
      await expectNoViolations(page, 'saved');
    },
  );

  it.each([
    [1024, 600],
    [1366, 768],
    [1920, 1080],
  ])('nothing is cut off at %i by %i, and every target is 48 px or more', async (width, height) => {
    const agent = await busyAgent();
    agent.state = { ...agent.state, locale };
    const { page } = await shared.open(agent, { viewport: { width, height } });
    await page.locator('[data-ref=R-0]').waitFor();
    await look(page, 'LC-1');
    await page.locator('.card').first().waitFor();
    expect(await page.evaluate(overflowing)).toEqual([]);
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await look(page, 'LC-2');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(smallTargets)).toEqual([]);
    const confirm = await page.getByRole('button', { name: copy[locale].entry.confirm }).boundingBox();
    expect((confirm?.y ?? height) + (confirm?.height ?? 0)).toBeLessThanOrEqual(height);
  });
});

it.skipIf(!hasChromium)('the whole screen mirrors in Arabic', async () => {
  const agent = await busyAgent();
  const { page } = await shared.open(agent);
  const findIsAtStart = (): Promise<boolean> =>
    page.evaluate(() => {
      const box = document.querySelector('.find')?.getBoundingClientRect();
      const page = document.documentElement.getBoundingClientRect();
      return box !== undefined && box.left - page.left < page.right - box.right;
    });
  await page.locator('[data-ref=R-0]').waitFor();
  expect(await findIsAtStart()).toBe(true);
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await findIsAtStart()).toBe(false);
  expect(agent.questions.at(-1)).toEqual({ command: 'locale.set', input: { locale: 'ar' } });
});

it.skipIf(!hasChromium)('the chosen theme holds against the system\u2019s and over a restart', async () => {
  const agent = await busyAgent();
  const { page } = await shared.open(agent, { colorScheme: 'light' });
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.locator('[data-ref=R-0]').waitFor();
  const light = await ground();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Theme: As the system' }).click();
  await page.getByRole('button', { name: 'Theme: Light' }).click();
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor();
  expect(await ground()).not.toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor();
  expect(await ground()).not.toBe(light);
});

async function look(page: Page, text: string): Promise<void> {
  await page.locator('#find-box').fill(text);
  await page.keyboard.press('Enter');
}

async function expectNoViolations(page: Page, where: string): Promise<void> {
  const violations = await axeFindings(page);
  const found = violations.map(({ id, nodes }) => ({
    where,
    id,
    nodes: nodes.map(({ html, failureSummary }) => [html, failureSummary]),
  }));
  expect(found).toEqual([]);
}

/** Text that its box cuts off sideways, apart from what is meant to end in an ellipsis, and a page that scrolls. */
function overflowing(): string[] {
  const root = document.documentElement;
  const cut = [
    ...document.querySelectorAll<HTMLElement>('.top-bar, .operation, .card, .sale-row, .customer-head, .queue'),
  ]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && !box.matches('.card'))
    .map((box) => box.className);
  return root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight ? [...cut, 'page'] : cut;
}

function smallTargets(): string[] {
  const scope = document.querySelector('dialog[open], [role=dialog]') ?? document.body;
  return [...scope.querySelectorAll<HTMLElement>('button, input:not(.card-radio), label.card')]
    .map((target) => ({ target, box: target.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 47.5))
    .map(({ target, box }) => `${target.className} ${Math.round(box.width)}x${Math.round(box.height)}`);
}

it.skipIf(!hasChromium)('follows the system’s theme while it runs, unless one was chosen', async () => {
  const agent = await busyAgent();
  const { page } = await shared.open(agent, { colorScheme: 'dark' });
  await page.locator('[data-ref=R-0]').waitFor();
  const shown = () => page.evaluate(() => document.documentElement.dataset.theme);
  expect(await shown()).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html[data-theme=light]').waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await shown()).toBe('light');
});

it.skipIf(!hasChromium)('a backup that was put back whole calls nobody', async () => {
  const agent = await busyAgent();
  const { page } = await shared.open(agent);
  const at = '2026-11-20T11:02:00.000Z';
  const recovered = {
    code: 'database_recovered',
    at,
    aside: 'x',
    why: 'restored',
    last_backup_at: null,
    carried: 4,
  } as const;
  agent.setState({ notices: [{ ...recovered, unreadable: 0 }] });
  const notices = page.locator('[data-notice=database_recovered]');
  await notices.getByText('The till was restored from a backup').waitFor();
  expect(await notices.innerText()).not.toContain('store IT');
  agent.setState({ notices: [{ ...recovered, unreadable: 1 }] });
  await notices.getByText('Call store IT', { exact: false }).waitFor();
  agent.setState({ notices: [{ ...recovered, unreadable: 0, left_out_references: ['R-1'] }] });
  await notices.getByText('Left out, because this till has others under their numbers: 1. Call store IT.').waitFor();
  agent.setState({ notices: [{ ...recovered, unreadable: 0, left_behind_references: ['R-1'] }] });
  await notices.getByText('because there are others under their numbers: 1. Call store IT.').waitFor();
  agent.setState({ notices: [{ ...recovered, why: 'stray_log', unreadable: 0 }] });
  await notices.getByText('nothing is lost', { exact: false }).waitFor();
  agent.setState({ notices: [{ ...recovered, why: 'stray_log', unreadable: null }] });
  await notices.getByText('Part of the database is lost').waitFor();
  const earlier = { ...recovered, at: '2026-11-19T18:13:00.000Z', unreadable: 0, left_behind_references: ['R-1'] };
  agent.setState({ notices: [{ ...recovered, why: 'moved', unreadable: 0 }, earlier] });
  await expect.poll(() => notices.count()).toBe(2);
  await notices.getByText('because there are others under their numbers: 1. Call store IT.').waitFor();
});

it.skipIf(!hasChromium)('what waits is what is still to be sent, as the window counts it that is closed', async () => {
  // Two sales with the service, and two holds that are looked up: nothing of it is to be sent.
  const told = { accepted: 2, unknown: 2, checking: 2 };
  const agent = await shared.startAgent();
  const { operations } = agent.state;
  agent.setState({ operations: { ...operations, ...told, queued: 1 } });
  const { page } = await shared.open(agent);
  await page.locator('.queue').getByText('1 waiting', { exact: true }).waitFor();
  agent.setState({ operations: { ...operations, ...told } });
  await page.locator('.queue').waitFor({ state: 'detached' });
  expect(judgeLeaving(agent.state, { goesOn: false })).toEqual({ kind: 'go' });
});

it.skipIf(!hasChromium)('what was refused before somebody signed in is read then', async () => {
  const agent = await shared.startAgent();
  const { page } = await shared.open(agent);
  agent.answer = () => failure('sign_in_needed');
  for (const [screen, command] of [
    ['activity', 'activity.list'],
    ['attention', 'attention.list'],
    ['day-close', 'day.read'],
    ['settings', 'settings.read'],
  ] as const) {
    const timesAsked = () => agent.questions.filter((question) => question.command === command).length;
    await page.locator('.more').click();
    await page.locator(`.screen-entry[data-to="${screen}"]`).click();
    await expect.poll(timesAsked).toBe(1);
    agent.setState({ sign_in: 'needed' });
    await page.getByRole('dialog').waitFor();
    agent.setState({ sign_in: null });
    await expect.poll(timesAsked).toBe(2);
  }
});
