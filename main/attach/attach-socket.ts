import { WebSocket } from 'ws';
import { type AttachFacts, attachPath } from '../../app/http/attach-file.ts';
import { textOf } from '../../app/web/socket-text.ts';
import { meetAgent } from './meet-agent.ts';

/** After this time a connection is closed whose other end has not proven that it is the agent. */
const meetWithinMs = 5_000;
/** More than the longest message of the agent. */
const maxMessageBytes = 32 * 1024 * 1024;

export interface AttachLine {
  send(text: string): void;
  close(): void;
}

/**
 * Opens a connection to the agent with these facts.
 *
 * @param heard called for each message after both ends have proven themselves, and once for the end of the connection
 * @returns null when nobody answers, or another program does
 */
export function openAttachLine(
  facts: AttachFacts,
  name: string,
  heard: { readonly onMessage: (text: string) => void; readonly onLost: () => void },
): Promise<AttachLine | null> {
  const socket = new WebSocket(`ws://127.0.0.1:${facts.port}${attachPath}`, {
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handshakeTimeout: meetWithinMs,
    followRedirects: false,
  });
  return new Promise((resolve) => {
    const arrived: string[] = [];
    let isMet = false;
    let take: ((text: string) => void) | null = null;
    const patience = setTimeout(() => socket.terminate(), meetWithinMs);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => {
      const text = textOf(data);
      if (isMet) heard.onMessage(text);
      else if (take === null) arrived.push(text);
      else {
        take(text);
        take = null;
      }
    });
    socket.once('close', () => {
      clearTimeout(patience);
      if (isMet) heard.onLost();
      else resolve(null);
    });
    // It never resolves when the connection is lost. Then nobody waits for it any more.
    const next = (): Promise<string> =>
      new Promise((resolveNext) => {
        const text = arrived.shift();
        if (text === undefined) take = resolveNext;
        else resolveNext(text);
      });
    meetAgent(socket, next, { facts, name }).then(
      (isAgent) => {
        if (!isAgent) {
          socket.terminate();
          return;
        }
        clearTimeout(patience);
        isMet = true;
        resolve({ send: (text) => socket.send(text), close: () => socket.close() });
        for (const text of arrived.splice(0)) heard.onMessage(text);
      },
      () => socket.terminate(),
    );
  });
}
