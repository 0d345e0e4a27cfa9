import { once } from 'node:events';
import { connect } from 'node:net';
import type { BuiltAgent } from './agent-program.ts';
import { comparedCalls } from './http-services.ts';

/** A POS program with an open connection to the bridge: a raw socket, so that its own cost is next to none. */
interface PosProgram {
  /**
   * Sends a sale and waits for the whole answer.
   *
   * @returns how long that took, in milliseconds
   * @throws when it was not taken
   */
  earn(number: number): Promise<number>;
  close(): void;
}

const endOfHead = '\r\n\r\n';

export async function openPosProgram({ baseUrl, token }: Pick<BuiltAgent, 'baseUrl' | 'token'>): Promise<PosProgram> {
  const { host, port, pathname } = new URL(baseUrl);
  const { path, body, status } = comparedCalls.earn;
  const socket = connect({ host: '127.0.0.1', port: Number(port), noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  const hungUp = once(socket, 'close').then((): never => {
    throw new Error('The service hung up');
  });
  // Nobody waits for it between two sales.
  hungUp.catch(() => undefined);
  return {
    async earn(number) {
      const text = body.replaceAll('{n}', `${process.pid}-${number}`);
      const head = [
        `POST ${pathname}${path} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(text)}`,
      ].join('\r\n');
      const startMs = performance.now();
      socket.write(head + endOfHead + text);
      let received = '';
      while (!isWhole(received)) received += String((await Promise.race([once(socket, 'data'), hungUp]))[0]);
      const tookMs = performance.now() - startMs;
      if (!received.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`A sale was not taken: ${received}`);
      return tookMs;
    },
    close: () => socket.destroy(),
  };
}

function isWhole(received: string): boolean {
  const end = received.indexOf(endOfHead);
  const length = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1];
  return end !== -1 && length !== undefined && received.length >= end + endOfHead.length + Number(length);
}
