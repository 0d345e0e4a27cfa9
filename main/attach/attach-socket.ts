import { WebSocket } from 'ws';
import { type AttachFacts, attachPath } from '../../app/http/attach-file.ts';
import { textOf } from '../../app/web/socket-text.ts';
import { meetAgent } from './meet-agent.ts';

/** Whoever has not proven by then that it is the agent is closed. */
const meetWithinMs = 5_000;
/** More than the agent ever says at once. */
const maxMessageBytes = 32 * 1024 * 1024;

export interface AttachLine {
  send(text: string): void;
  close(): void;
}

/**
 * Opens a line to the agent that told these facts.
 *
 * @param heard told of each message after both have proven themselves, and once of the end of the line
 * @returns null when nobody is there, or somebody who is not that agent
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
    // Never answered when the line is lost: then nobody asks any more.
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
