import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { databasePath } from '../../app/machine/data-files.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { openStore } from '../../app/store/store.ts';
import type { CardEntry } from '../../shared/contract/profile.ts';
import { looksSame, smallPng } from './small-png.ts';
import { answerIsRead, scan, writeReceipt } from './ui-page.ts';
import { openUiTill, type UiTill } from './ui-till.ts';

const picturesFolder = resolve(process.env.STORY_PICTURES ?? 'node_modules/.cache/stories');

/** The day of every story: after any day on which it is told, for the sandbox's clock does not go back. */
const storyDay = '2040-03-12';
/** As the shop's clock shows it. */
const kuwait = '+03:00';

/** The same code within this time is one scan: the next customer's comes later. */
const repeatedScanMs = 2_100;

/** Fewer than a minute has: the clock in the picture stays. */
const mostHurriedSeconds = 30;

/** A till on which a story is told: its pictures are the same each time. */
export interface StoryTill extends UiTill {
  /** The customers as at first, no fault, and this time of the day. */
  begin(time: string): Promise<void>;
  /** From now on the clock moves only when the story says so: what counts down stands still in the picture. */
  holdClock(): Promise<void>;
  pass(durationMs: number): Promise<void>;
  /** The line is cut, and the till has noticed. */
  cutLine(): Promise<void>;
  mendLine(): Promise<void>;
  /** From now on calls of that path meet it. */
  fault(path: string, effect: object): Promise<void>;
  /** What the agent waits for with a timer comes at once: the clock goes on by seconds until this is seen. */
  hurry(selector: string): Promise<void>;
  scan(code: string): Promise<void>;
  /** A scanned card's customer, in front. */
  customer(code: string, name: string): Promise<void>;
  /** Presses an operation of the card in front. */
  press(operation: string): Promise<void>;
  /** Confirms the dialog: how much, and the number on the receipt. */
  confirm(entered: { readonly value?: string; readonly receipt?: string }): Promise<void>;
  /** Waits until what was just taken is in that state. */
  outcome(state: string): Promise<void>;
  /** The balances of a card in the service's own books. */
  books(loyaltyId: string): Promise<CardEntry['balances']>;
  /** How often the service was asked to write at that path, and wrote. */
  writes(path: string): Promise<number>;
  picture(name: string): Promise<void>;
}

export async function openStoryTill(): Promise<StoryTill> {
  const till = await openUiTill({
    prepare(dataDir) {
      // References carry a part that is drawn once for each database.
      openStore(databasePath(dataDir, 'sandbox'), { random: seededRandom(7) }).close();
    },
  });
  const { page } = till;
  const control: UiTill['control'] = (...question) => till.control(...question);
  const dialog = page.getByRole('dialog');
  mkdirSync(picturesFolder, { recursive: true });
  const fault = async (path: string, effect: object) => {
    await control('/faults', { match: { path }, effect });
  };
  const hurry = async (selector: string): Promise<void> => {
    const wanted = page.locator(selector).first();
    for (let seconds = 0; seconds < mostHurriedSeconds && !(await wanted.isVisible()); seconds += 1) {
      await control('/clock', { advance_ms: 1_000 });
      await page.waitForTimeout(50);
    }
    await wanted.waitFor();
  };
  /** Also one that broke off: what still waited is settled before the service forgets it. */
  const leaveLastStory = async (): Promise<void> => {
    await control('/faults', undefined, 'DELETE');
    await hurry('.top:not(:has(div.queue-item))');
    // A quick machine is here before anybody could have read the last answer, and a press that leaves the entry is ignored then.
    await answerIsRead(page);
    if (await dialog.isVisible()) await page.keyboard.press('Escape');
    const back = page.locator('.page-head button').first();
    if (await back.isVisible()) await back.click();
    await page.locator('[data-screen="sale"]').waitFor();
    const next = page.locator('.outcome-foot .button, .customer-head .button').first();
    if (await next.isVisible()) await next.click();
  };
  let scanned = { code: '', atMs: 0 };
  const scanAnew = async (code: string): Promise<void> => {
    const waitMs = scanned.atMs + repeatedScanMs - performance.now();
    if (scanned.code === code && waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    scanned = { code, atMs: performance.now() };
    await scan(page, code);
  };
  return {
    ...till,
    fault,
    async begin(time) {
      await leaveLastStory();
      await control('/reset', {});
      await control('/clock', { set: `${storyDay}T${time}:00${kuwait}` });
      await page.locator('[data-connection=online]').waitFor();
      await page.locator('.top-clock').getByText(time).waitFor();
    },
    async holdClock() {
      await control('/clock', { mode: 'manual' });
    },
    async pass(durationMs) {
      await control('/clock', { advance_ms: durationMs });
    },
    async cutLine() {
      await fault('/*', { type: 'offline' });
      await hurry('[data-connection=offline]');
    },
    async mendLine() {
      await control('/faults', undefined, 'DELETE');
      await hurry('[data-connection=online]');
    },
    hurry,
    scan: scanAnew,
    async customer(code, name) {
      await scanAnew(code);
      await page.getByRole('heading', { name }).waitFor();
    },
    async press(operation) {
      if (!(await dialog.isVisible())) await page.locator(`[data-operation="${operation}"]`).click();
      await dialog.waitFor();
    },
    async confirm({ value, receipt }) {
      if (value !== undefined) await page.locator('#entry-amount').fill(value);
      if (receipt !== undefined) await writeReceipt(page, receipt);
      await page.locator('.entry-confirm').click();
    },
    async outcome(state) {
      await hurry(`.outcome[data-state="${state}"]`);
    },
    async books(loyaltyId) {
      const { customers } = (await control('/', undefined, 'GET')) as Overview;
      const card = customers.flatMap(({ cards }) => cards).find((other) => other.loyalty_id === loyaltyId);
      if (card === undefined) throw new Error(`The service has no card ${loyaltyId}`);
      return card.balances;
    },
    async writes(path) {
      const { data } = (await control('/requests', undefined, 'GET')) as RequestLog;
      const isWritten = ({ status, duplicate, fault }: LoggedRequest): boolean =>
        status === null ? fault === 'drop_response' : status < 300 && !duplicate;
      return data.filter((one) => one.method === 'POST' && one.path.endsWith(path) && isWritten(one)).length;
    },
    async picture(name) {
      await page.mouse.move(0, 0);
      await page.evaluate(() => document.fonts.ready);
      // By these the sandbox tells how the story is staged: a shop's till has none of them.
      await page.evaluate(() => {
        const style = new CSSStyleSheet();
        style.replaceSync('.lab-chip, .practice-code { display: none }');
        document.adoptedStyleSheets = [style];
      });
      const png = await page.screenshot({ scale: 'css' });
      const path = resolve(picturesFolder, `${name}.png`);
      if (!existsSync(path) || !looksSame(readFileSync(path), png)) writeFileSync(path, smallPng(png));
    },
  };
}

interface Overview {
  readonly customers: readonly { readonly cards: readonly (CardEntry & { readonly loyalty_id: string })[] }[];
}
interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly duplicate: boolean;
  readonly fault: string | null;
}
interface RequestLog {
  readonly data: readonly LoggedRequest[];
}
