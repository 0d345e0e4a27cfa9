import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The line between a till and its service: a TCP relay that can be cut and repaired. */
export interface Line {
  /** The address of `target` as it looks from this end of the line. */
  readonly url: string;
  /** Drops what is under way and refuses what comes. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a line to the host and port of `target`; its path is kept. */
export async function openLine(target: string): Promise<Line> {
  const { hostname, port, pathname } = new URL(target);
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const ownPort = await listen(relay, 0);
  const cut = async () => {
    if (!relay.listening) return;
    const closed = once(relay, 'close');
    relay.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${ownPort}${pathname}`,
    cut,
    async mend() {
      if (!relay.listening) await listen(relay, ownPort);
    },
    close: cut,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return addressOf(server).port;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The relay listens on no port');
  return address;
}
