import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Download, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { chromiumOptions } from './chromium.ts';
import { delayAnswers } from './late-answers.ts';

export { hasChromium } from './chromium.ts';

/** The run's Chromium, with windows of the caller's own in it; where the run has none, a new one. */
export function openChromium(): Promise<Browser> {
  const endpoint = inject('chromiumEndpoint');
  return endpoint === undefined ? chromium.launch(chromiumOptions) : chromium.connect(endpoint);
}

export interface OpenedPage {
  readonly page: Page;
  /** What the page's own console said of wrong: errors, and what the security policy refused. */
  readonly complaints: string[];
}

/** Opens the screen in a window of its own, as a till would. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width: 1366, height: 768 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  await delayAnswers(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

const scannerKeySeconds = 0.004;

interface ScanManner {
  readonly end?: 'Enter' | 'Tab';
  /** How long the page gets nothing after the first key, as where the machine is busy. */
  readonly secondKeyLateByMs?: number;
}

/** Types as a scanner does: all keys at once, faster than any hand, ended by Enter or Tab. */
export async function scan(page: Page, code: string, manner: ScanManner = {}): Promise<void> {
  const { end = 'Enter', secondKeyLateByMs = 0 } = manner;
  const keyboard = await page.context().newCDPSession(page);
  const keys = [...Array.from(code, (text) => ({ key: text, text })), { key: end, text: end === 'Enter' ? '\r' : '' }];
  // The keys say themselves when they were pressed: a busy machine must not make a slow hand of the scanner.
  const startedAt = Date.now() / 1000;
  const send = ({ key, text }: (typeof keys)[number], index: number) => {
    const timestamp = startedAt + index * scannerKeySeconds;
    return [
      keyboard.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', key, text, timestamp }),
      keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp }),
    ];
  };
  const [first, ...others] = keys;
  const sent = first === undefined ? [] : send(first, 0);
  if (secondKeyLateByMs > 0) await pause(secondKeyLateByMs);
  await Promise.all([...sent, ...others.flatMap((key, index) => send(key, index + 1))]);
  await keyboard.detach();
}

const strokes = {
  Enter: { type: 'keyDown', windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { type: 'rawKeyDown', windowsVirtualKeyCode: 27, text: '' },
  Space: { type: 'keyDown', windowsVirtualKeyCode: 32, text: ' ' },
  Tab: { type: 'rawKeyDown', windowsVirtualKeyCode: 9, text: '' },
  ArrowDown: { type: 'rawKeyDown', windowsVirtualKeyCode: 40, text: '' },
} as const;

/** Presses a key, stamped with that moment: how busy the machine is changes nothing about it. */
export async function pressAt(page: Page, key: keyof typeof strokes, epochMs: number): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const timestamp = epochMs / 1000;
  const { type, windowsVirtualKeyCode, text } = strokes[key];
  const stroke = { key: key === 'Space' ? ' ' : key, code: key, windowsVirtualKeyCode, timestamp };
  await keyboard.send('Input.dispatchKeyEvent', { type, text, ...stroke });
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke });
  await keyboard.detach();
}

interface Row {
  /** When the first key was pressed. */
  readonly sinceMs: number;
  readonly everyMs: number;
  /** Whether the page is at rest between a key and its text, which a keyboard sends one after the other. */
  readonly isTextApart?: boolean;
}

/** Presses keys that the page gets at once, as after it was busy: they say when they were pressed. */
export async function pressAll(
  page: Page,
  keys: readonly string[],
  { sinceMs, everyMs, isTextApart = false }: Row,
): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const sent: Promise<unknown>[] = [];
  for (const [index, key] of keys.entries()) {
    const stroke = { key, timestamp: (sinceMs + index * everyMs) / 1000 };
    const text = key === 'Enter' ? strokes.Enter.text : key;
    if (isTextApart) {
      await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...stroke });
      await keyboard.send('Input.dispatchKeyEvent', { type: 'char', text, ...stroke });
    } else sent.push(keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...stroke }));
    sent.push(keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke }));
  }
  await Promise.all(sent);
  await keyboard.detach();
}

interface ClickManner {
  /** How long the button is down. */
  readonly forMs?: number;
  /** How long the page gets nothing after the button went down, as where the machine is busy. */
  readonly releaseLateByMs?: number;
}

/** Clicks in the middle of what is found, stamped with that moment. */
export async function clickAt(
  page: Page,
  selector: string,
  epochMs: number,
  { forMs = 0, releaseLateByMs = 0 }: ClickManner = {},
): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not there to be clicked`);
  const mouse = await page.context().newCDPSession(page);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const click = { ...middle, button: 'left', clickCount: 1 } as const;
  await mouse.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...click, timestamp: epochMs / 1000 });
  if (releaseLateByMs > 0) await pause(releaseLateByMs);
  const releasedAt = (epochMs + forMs) / 1000;
  await mouse.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...click, timestamp: releasedAt });
  await mouse.detach();
}

/** A place on the page, in its pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The middle of what is found. */
export async function middleOf(page: Page, selector: string): Promise<Place> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not there to be touched`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A finger goes down at a place and lifts at once, stamped with that moment. */
export async function tapAt(page: Page, place: Place, epochMs: number): Promise<void> {
  const glass = await page.context().newCDPSession(page);
  const timestamp = epochMs / 1000;
  await glass.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [place], timestamp });
  await glass.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
  await glass.detach();
}

/** The text of a file that the page gave to the browser, which may keep it where only it can read it. */
export async function textOf(download: Download): Promise<string> {
  // Byte for byte: the mark at its beginning, too, by which a spreadsheet knows the encoding.
  return (await buffer(await download.createReadStream())).toString('utf8');
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const readAxe = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it stands. */
export async function axeFindings(page: Page): Promise<readonly axe.Result[]> {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(readAxe());
  return page.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe is not in the page');
    // The description is made only for a fault: to make it takes longer than to look.
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations;
  });
}

/** The figure of an entry as it is read: its unit, what was typed, and the decimals that were not. */
export async function figure(page: Page): Promise<string> {
  const typed = await page.locator('#entry-amount').inputValue();
  const [unit, implied] = await Promise.all(
    ['.echo-unit', '.echo-implied'].map((part) => page.locator(part).textContent()),
  );
  return `${unit ?? ''} ${typed}${implied ?? ''}`;
}

/** Unfolds the receipt's number and writes one into it. */
export async function writeReceipt(page: Page, receipt: string): Promise<void> {
  await page.locator('.receipt-open').click();
  await page.locator('#entry-receipt').fill(receipt);
}

/** Arrows and the question mark for help come right behind the first state (renderer/at-rest.ts). */
export async function keysAreThere(page: Page): Promise<void> {
  const code = await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .find((name) => name.includes('/at-rest-')),
  );
  // A module that has come runs only when what it needs has come, too. The page was the first to ask for it.
  await page.evaluate(`import(${JSON.stringify(await code.jsonValue())}).then(() => undefined)`);
}

/** Presses Next customer where there is one. The screen may clear itself at this moment, too. */
export async function leaveCustomer(page: Page): Promise<void> {
  await page.locator('.next').evaluateAll((buttons) => {
    for (const button of buttons) button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  });
}

/**
 * Until now a press that leaves the entry is taken for one that was meant for what was there before the entry's answer
 * (renderer/sale/entry/answer-read.ts), and a redemption's end that is told beside a customer for unread.
 */
export const answerIsRead = (page: Page): Promise<void> =>
  // In the page's own time: its timer was set before this one, so it fires before it, however late both are. And what a
  // press has read was painted before.
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 500))));
