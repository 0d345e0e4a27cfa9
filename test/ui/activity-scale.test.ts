import { beforeAll, describe, expect, it } from 'vitest';
import { fillTill } from '../support/filled-till.ts';
import { hasChromium, textOf } from '../support/ui-page.ts';
import { till, useUiTill } from '../support/use-ui-till.ts';

// LONG_TESTS=1 fills a till as large as a busy shop's year; the list reads by pages either way.
const rowCount = process.env.LONG_TESTS === '1' ? 100_000 : 20_000;
const refOf = (place: number): string => `main-till1-k7f3-${String(place).padStart(7, '0')}`;
const nth = (place: number): string => `[data-ref="${refOf(place)}"]`;
/**
 * A page that drew every row would be held for many seconds. The figures are printed: most runs on a machine at rest have
 * no task over 50 ms, and one that is busy with other things has them without the page's doing.
 */
const longestTaskMs = 1_000;

useUiTill({ prepare: (dataDir) => fillTill(dataDir, rowCount, { untilMs: Date.now() }) });

beforeAll(async () => {
  if (!hasChromium) return;
  await till.page.evaluate(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(Math.round(entry.duration));
    }).observe({ entryTypes: ['longtask'] });
    Object.assign(window, { seenLongTasks: seen });
  });
  await till.open('activity');
  await till.page.locator('.activity-row').first().waitFor();
});

declare global {
  interface Window {
    /** Put there below, by an observer in the page. */
    readonly seenLongTasks?: number[];
  }
  interface Performance {
    /** Chromium's own, in no standard. */
    readonly memory?: { readonly usedJSHeapSize: number };
  }
}

/** Everything since the last time that held the page for more than 50 ms. */
const longTasks = (): Promise<number[]> => till.page.evaluate(() => window.seenLongTasks?.splice(0) ?? []);
const domSize = (): Promise<number> => till.page.locator('.activity-list > li').count();

async function noStutter(what: string, act: () => Promise<Record<string, unknown>>): Promise<void> {
  await longTasks();
  const startedAt = performance.now();
  const facts = await act();
  const tookMs = Math.round(performance.now() - startedAt);
  const tasks = await longTasks();
  process.stdout.write(`${what}: ${tookMs} ms, long tasks ${JSON.stringify(tasks)}, ${JSON.stringify(facts)}\n`);
  expect(Math.max(0, ...tasks)).toBeLessThan(longestTaskMs);
  expect(await domSize()).toBeLessThan(80);
}

/** Scrolls as far as asked for, each frame so many screens further. @returns how many frames that took, and the longest of them */
function scrollTo(
  rows: number,
  screensPerFrame: number,
): Promise<{ frames: number; slowestFrameMs: number; framesOver50Ms: number; rowsRead: number }> {
  return till.page.evaluate(
    async ([wanted, screens]) => {
      const scroller = document.querySelector('.activity-scroll');
      if (scroller === null) throw new Error('There is no list');
      const height = 3.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const gaps: number[] = [];
      let last = performance.now();
      while (scroller.scrollTop + scroller.clientHeight < wanted * height - 1) {
        scroller.scrollTop += scroller.clientHeight * screens;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        gaps.push(now - last);
        last = now;
      }
      const rowsRead = Math.round((document.querySelector('.activity-list')?.clientHeight ?? 0) / height);
      const slowestFrameMs = Math.round(Math.max(...gaps));
      return { frames: gaps.length, slowestFrameMs, framesOver50Ms: gaps.filter((gap) => gap > 50).length, rowsRead };
    },
    [rows, screensPerFrame] as const,
  );
}

describe.skipIf(!hasChromium)(`${rowCount} operations`, () => {
  it('are scrolled through to the very first, and back up, without a stutter', async () => {
    await noStutter('a screen a frame', () => scrollTo(1_000, 1));
    await noStutter('as fast as it goes to the first of them', () => scrollTo(rowCount, 40));
    await till.page.locator(nth(1)).waitFor();
    await noStutter('to the top and to the middle', async () => {
      const jump = async (share: number) => {
        await till.page.evaluate((part) => {
          const scroller = document.querySelector('.activity-scroll');
          if (scroller !== null) scroller.scrollTop = scroller.scrollHeight * part;
        }, share);
      };
      await jump(0);
      await till.page.locator(nth(rowCount)).waitFor();
      await jump(0.5);
      await till.page.locator(nth(rowCount / 2 - 1)).waitFor();
      return {};
    });
    const heapMb = await till.page.evaluate(() => (performance.memory?.usedJSHeapSize ?? Number.NaN) / 1024 / 1024);
    process.stdout.write(`the page's heap: ${Math.round(heapMb)} MB\n`);
    expect(heapMb).toBeLessThan(60);
  });

  it('are narrowed by state, customer, reference and day without a stutter', async () => {
    await noStutter('by a reference, letter by letter', async () => {
      await till.page.getByLabel('Customer or receipt').pressSequentially('0000042', { delay: 40 });
      await till.page.locator(nth(42)).waitFor();
      await expect.poll(domSize).toBe(1);
      return {};
    });
    await till.page.getByRole('button', { name: 'Show everything' }).click();
    await noStutter('by a customer and a state', async () => {
      await till.page.getByLabel('Customer or receipt').fill('fatima');
      await till.page.getByLabel('State').selectOption('attention');
      await till.page.locator('[data-state=refused]').first().waitFor();
      await expect.poll(() => till.page.locator('[data-state=applied]').count()).toBe(0);
      return {};
    });
    await till.page.getByRole('button', { name: 'Show everything' }).click();
    await noStutter('by a day', async () => {
      const day = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10);
      await till.page.getByLabel('Day').fill(day);
      const days = () =>
        till.page
          .locator('.activity-place time')
          .evaluateAll((times) => [...new Set(times.map((time) => time.getAttribute('datetime')?.slice(0, 10)))]);
      await expect.poll(days).toEqual([day]);
      return { day };
    });
    await till.page.getByRole('button', { name: 'Show everything' }).click();
  });

  it('are kept as a file with progress, and that can be left', async () => {
    await till.page.locator('.activity-row').first().waitFor();
    await noStutter('as CSV', async () => {
      const [download] = await Promise.all([
        till.page.waitForEvent('download', { timeout: 60_000 }),
        till.page.getByRole('button', { name: 'Save as CSV' }).click(),
      ]);
      const lines = (await textOf(download)).trimEnd().split('\r\n');
      expect(lines).toHaveLength(rowCount + 1);
      expect(lines[1]).toContain(refOf(rowCount));
      expect(lines.at(-1)).toContain(refOf(1));
      return { lines: lines.length };
    });
    await till.page.getByRole('button', { name: 'Save as CSV' }).click();
    await till.page.getByText(/^Saving: [\d,]+ so far$/).waitFor();
    await till.page.getByRole('button', { name: 'Cancel' }).click();
    await till.page.locator('.activity-export').waitFor({ state: 'detached' });
    expect(till.complaints).toEqual([]);
  });
});
