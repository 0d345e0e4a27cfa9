import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../shared/lib/clock.ts';
import type { Audit } from '../audit/audit-events.ts';
import { attachOrigin, attachPath, windowNameShape, windowSecret } from '../http/attach-file.ts';
import { hostOf, isLoopbackHost } from '../http/host-rule.ts';
import type { LoopbackServer } from '../http/loopback-server.ts';
import type { Till } from '../till/till.ts';
import type { TillSocket } from './till-socket.ts';

interface AttachedWindowsOptions {
  readonly server: LoopbackServer;
  /** What opens a window, in hexadecimal digits. */
  readonly key: string;
  /** Loads what makes a till for each window. */
  readonly tillMaker: () => Promise<() => Till>;
  readonly clock: Clock;
  readonly audit: Audit;
}

/**
 * Windows of other processes and other logins: each proves that it could read the key of this run, has the agent prove
 * the same, and then has a till of its own, with a cashier of its own. What serves them is loaded with the first.
 */
export function acceptWindows(options: AttachedWindowsOptions): { readonly close: () => Promise<void> } {
  const { server, key, tillMaker, clock, audit } = options;
  const origin = attachOrigin(server.port);
  let opening: Promise<TillSocket> | null = null;
  let isClosed = false;

  server.server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on('error', () => connection.destroy());
    // A page in a browser always says where it is from; a window never does.
    const isOurs = incoming.headers.origin === undefined && isLoopbackHost(hostOf(incoming), server.port);
    if (incoming.url !== attachPath || !isOurs || isClosed) {
      connection.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const onMet = (): void => server.connections.keepSocket(connection);
    opening ??= open();
    opening.then(
      (socket) => socket.accept(incoming, connection, head, { origin, onMet }),
      () => connection.destroy(),
    );
  });

  async function open(): Promise<TillSocket> {
    const [{ createTillSocket }, makeTill] = await Promise.all([import('./till-socket.ts'), tillMaker()]);
    return createTillSocket(makeTill, {
      clock,
      audit,
      sessions: {
        exchange: () => null,
        secretOf: (name) => (windowNameShape.test(name) ? windowSecret(key, name) : null),
        seen: (session) => audit.note({ event: 'session_begun', session, kiosk: null }),
        stays: () => true,
      },
      onGone: (till) => till.close(),
    });
  }
  return {
    async close() {
      isClosed = true;
      await (await opening)?.close();
    },
  };
}
