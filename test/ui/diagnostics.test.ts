import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { readStrokes } from '../../renderer/diagnostics/self-test.ts';
import { axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

useUiTill();

beforeAll(async () => {
  if (!hasChromium) return;
  await page.locator('.more').click();
  await page.locator('.screen-entry[data-to=diagnostics]').click();
  await page.locator('[data-now=online]').waitFor();
});

async function earn(reference: string, card: string): Promise<void> {
  const body = { identifier: { loyalty_id: card }, external_ref: reference, points: 5 };
  expect((await till.call('/transactions/earn', body)).status).toBe(202);
}

const section = (name: string) => page.locator(`.office-tab[data-section=${name}]`).click();
const looksWell = async () => expect(await axeFindings(page)).toEqual([]);

describe.skipIf(!hasChromium)('the diagnostics screen', () => {
  it('tells how the line was, each change with its time', async () => {
    await page.locator('[data-line=started]').waitFor();
    await page.locator('[data-line=online]').first().waitFor();
    await looksWell();
  });

  it('counts what waits and draws the last day, as a table too', async () => {
    await section('queue');
    await page.getByText('No sales in the last 24 hours').waitFor();
    await earn('R-1', 'LC-1001');
    await earn('R-2', 'LC-1001');
    await earn('R-3', 'NO-SUCH-CARD');
    await page.locator('[data-count=refused] dd', { hasText: '1' }).waitFor();
    await page.locator('[data-count=applied] dd', { hasText: '2' }).waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    const summary = 'Last 24 hours: 3 saved, 2 completed, 1 refused or failed. Now 0 waiting.';
    await page.getByRole('img', { name: summary }).waitFor();
    await looksWell();
    await page.getByRole('button', { name: 'As a table' }).click();
    expect(await page.locator('.hour-table tbody tr').count()).toBe(24);
    await looksWell();
  });

  it('checks the database on a press, while sales go on', async () => {
    await section('machine');
    await page.getByText('Not checked since the start.').waitFor();
    await page.locator('[data-machine=disk]').getByText('left').waitFor();
    await page.locator('[data-machine=clock]').getByText('Agrees with the service’s').waitFor();
    await page.getByRole('button', { name: 'Check the database' }).click();
    await page.locator('[data-check=sound]').waitFor();
    await looksWell();
  });

  it('shows what the scanner sends, and sells nothing', async () => {
    await section('scanner');
    await scan(page, ']C1LC-10014471');
    const card = page.locator('[data-verdict=scan]');
    await card.getByText('LC-10014471').waitFor();
    expect(await card.locator('[data-fact=length]').innerText()).toBe('11 characters');
    expect(await card.locator('[data-fact=ending]').innerText()).toBe('Enter');
    expect(await card.locator('[data-fact=framing]').innerText()).toContain(']C1');
    expect(await card.locator('[data-fact=pace]').innerText()).toBe('4 ms on average, 4 ms at most');
    await scan(page, 'LC-1002', { end: 'Tab' });
    await page.locator('[data-fact=ending]', { hasText: 'Tab' }).waitFor();
    await looksWell();
    expect(await page.locator('[data-screen=diagnostics]').count()).toBe(1);
    for (const key of '12345678') {
      await page.keyboard.press(key);
      await page.waitForTimeout(45);
    }
    await page.locator('[data-verdict=too_slow]').getByText('Set the scanner’s delay between keys').waitFor();
  });

  it('shows the log’s end, without secrets', async () => {
    const line = { level: 50, time: new Date().toISOString(), msg: 'Trouble with Bearer abcdefghijkl' };
    appendFileSync(join(till.dataDir, 'logs', 'agent.log'), `${JSON.stringify(line)}\n`);
    await section('log');
    await page.locator('[data-level=error]').getByText('Trouble with Bearer [removed]').waitFor();
    await page.getByLabel('Warnings and errors only').check();
    expect(await page.locator('[data-level=info]').count()).toBe(0);
    await looksWell();
  });

  it('lists a support bundle before it is saved, and saves none with a secret in it', async () => {
    await section('bundle');
    await page.getByText('Nothing collected yet').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('[data-part="operations.jsonl"]').waitFor();
    expect(existsSync(join(till.dataDir, 'support'))).toBe(false);
    await page.getByRole('button', { name: 'Save the bundle' }).click();
    const file = await page.locator('[data-bundle=saved] .bundle-file').innerText();
    await looksWell();
    expect(Object.keys(unzipSync(readFileSync(file)))).toContain('logs/agent.log');

    // A word that no pattern knows, and that is one of this till's secrets all the same.
    const kept = JSON.parse(readFileSync(join(till.dataDir, 'secrets.json'), 'utf8'));
    appendFileSync(join(till.dataDir, 'logs', 'agent.log'), `somebody wrote ${kept.profile_key}\n`);
    await page.getByRole('button', { name: 'Save the bundle' }).click();
    await page.locator('[data-bundle=found_secret]').getByText('a secret of this till').waitFor();
    await looksWell();
    expect(readdirSync(join(till.dataDir, 'support'))).toHaveLength(1);
  });

  it('speaks Arabic, and the page has complained of nothing', async () => {
    await page.locator('.language').click();
    await page.locator('html[lang=ar]').waitFor();
    for (const name of ['line', 'queue', 'machine', 'scanner', 'log', 'bundle']) {
      await section(name);
      await looksWell();
    }
    expect(till.complaints).toEqual([]);
  });
});

describe('what a scanner sent', () => {
  const strokes = (text: string, gapMs: number, end?: string) => [
    ...Array.from(text, (key, index) => ({ key, atMs: 1000 + index * gapMs })),
    ...(end === undefined ? [] : [{ key: end, atMs: 1000 + text.length * gapMs }]),
  ];

  it.each([
    ['a scan', strokes('LC-1001', 5, 'Enter'), 'scan', 'Enter'],
    ['one that is too slow', strokes('LC-1001', 40, 'Enter'), 'too_slow', 'Enter'],
    ['one that is too short', strokes('12345', 5, 'Tab'), 'too_short', 'Tab'],
    ['one without an end', strokes('LC-1001', 5), 'no_ending', 'none'],
  ] as const)('%s is told as such', (_name, keys, verdict, ending) => {
    expect(readStrokes(keys)).toMatchObject({ verdict, ending, code: expect.stringMatching(/^(LC-1001|12345)$/) });
  });

  it('is measured, and its framing is written out', () => {
    expect(readStrokes(strokes(']C1LC-1001\u0003', 6, 'Enter'))).toMatchObject({
      length: 7,
      averageGapMs: 6,
      longestGapMs: 6,
      framing: ']C1<03>',
    });
    expect(readStrokes([{ key: 'Shift', atMs: 1 }])).toBeNull();
  });
});
