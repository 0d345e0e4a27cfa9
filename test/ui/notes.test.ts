import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoCards } from '../support/ui-demo-cards.ts';
import { type FakeAgent, failure, profileOf } from '../support/ui-fake-agent.ts';
import { hasChromium, scan, writeReceipt } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// A note that appears in an entry covers nothing that is read or pressed, and can be read itself.
const shared = sharedBrowser();
let agent: FakeAgent;
let page: Page;

const sizes = [
  { width: 1024, height: 600 },
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
];

beforeEach(async () => {
  if (!hasChromium) return;
  agent = await shared.startAgent();
  agent.customers.set('LC-1', { source: 'service', profile: profileOf({ cards: [demoCards.reward] }) });
  ({ page } = await shared.open(agent));
  await page.locator('#find-box').fill('LC-1');
  await page.keyboard.press('Enter');
  await page.locator('[data-operation=earn_amount]').click();
  await page.keyboard.type('3', { delay: 60 });
});

async function edgesOf(element: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('Not on the screen');
  return { top: box.y, bottom: box.y + box.height };
}

describe.skipIf(!hasChromium)('in an entry', () => {
  it('what is wrong with a receipt number stands above the amount and the keys', async () => {
    agent.answer = ({ command }) => (command === 'operation.earn' ? failure('reference_taken') : null);
    await writeReceipt(page, 'R-1');
    await page.locator('.entry-confirm').click();
    const note = page.getByRole('alert').filter({ hasText: 'Another sale has this receipt number' });
    await note.waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      const [told, amount, bar] = [
        await edgesOf(note),
        await edgesOf(page.locator('.amount')),
        await edgesOf(page.getByRole('banner')),
      ];
      expect(told.bottom, `at ${size.width}`).toBeLessThanOrEqual(amount.top);
      expect(told.top, `at ${size.width}`).toBeGreaterThanOrEqual(bar.bottom);
    }
  });

  it('two notes at once can both be read to their ends', async () => {
    agent.answer = ({ command }) => (command === 'operation.earn' ? failure('not_saved') : null);
    await scan(page, 'LC-1003');
    await page.getByText('The scanned card waits.').waitFor();
    await page.locator('.entry-confirm').click();
    await page.getByText('Keep the receipt, call store IT.').waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      const cut = await page.locator('.entry-notes .notice').evaluateAll((notes) =>
        notes.flatMap((note) => {
          const room = note.getBoundingClientRect();
          return [...note.querySelectorAll('span')].flatMap((part) => {
            const { top, bottom, left, right } = part.getBoundingClientRect();
            const isWhole = top >= room.top && bottom <= room.bottom && left >= room.left && right <= room.right;
            return isWhole ? [] : [part.textContent];
          });
        }),
      );
      expect(cut, `at ${size.width}`).toEqual([]);
    }
  });
});
