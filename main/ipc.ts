import { type BrowserWindow, ipcMain, type WebFrameMain } from 'electron';
import type { TillReply } from '../shared/till/api.ts';
import { isPageUrl, pageOrigin } from './address.ts';
import { eventChannel, questionChannel } from './channels.ts';

/** The receiver of the page's commands: the agent of this process, or an attached one. */
export interface PageTill {
  /** Answers any message. Never rejects. */
  handle(message: unknown): Promise<TillReply<unknown>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: object) => void): () => void;
}

/**
 * THE handler: passes each command of the page on to the till unchanged, and the till checks it. Nothing else is
 * listened to.
 */
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

// Only the top frame, and only while it shows our own page.
function isPage(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === pageOrigin && isPageUrl(frame.url);
}
