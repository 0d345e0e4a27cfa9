import { type BrowserWindow, ipcMain, type WebFrameMain } from 'electron';
import type { TillReply } from '../shared/till/api.ts';
import { isPageUrl, pageOrigin } from './address.ts';
import { eventChannel, questionChannel } from './channels.ts';

/** What a page's questions go to: the agent of this process, or one that it is attached to. */
export interface PageTill {
  /** Answers `{command, input}`, whatever came. Never rejects. */
  handle(message: unknown): Promise<TillReply<unknown>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: object) => void): () => void;
}

/** THE handler: what the page asks goes to the till as it came, and the till checks it; nothing else is listened to. */
export function connectPage(till: PageTill, window: BrowserWindow, onFirstAnswer: () => void): void {
  let isFirst = true;
  ipcMain.handle(questionChannel, async (event, message: unknown): Promise<TillReply<unknown>> => {
    if (event.sender !== window.webContents || !isPage(event.senderFrame)) {
      return { ok: false, error: { code: 'invalid', message: 'Only the cashier screen may call this.' } };
    }
    const reply = await till.handle(message);
    if (reply.ok && isFirst) {
      isFirst = false;
      onFirstAnswer();
    }
    return reply;
  });
  const unsubscribe = till.onEvent((tillEvent) => {
    if (!window.isDestroyed()) window.webContents.send(eventChannel, tillEvent);
  });
  window.once('closed', () => {
    unsubscribe();
    ipcMain.removeHandler(questionChannel);
  });
}

// The top frame alone, and only while it shows our own page.
function isPage(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === pageOrigin && isPageUrl(frame.url);
}
