import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificates.ts';

/** What a line does with a connection. */
export type Behaviour =
  /** Both ways, as they come. */
  | { readonly kind: 'honest' }
  /** Nobody listens. */
  | { readonly kind: 'refused' }
  /** Cut as soon as it is made. */
  | { readonly kind: 'cut_at_once' }
  /** The request is swallowed, then the line is cut; the service never sees it. */
  | { readonly kind: 'cut_after_request' }
  /** The service gets the request; its answer comes back but for so many bytes; the line is cut, or says nothing more. */
  | { readonly kind: 'cut_answer'; readonly missingBytes: number; readonly end: 'cut' | 'silence' }
  /** The service gets the request; its answer comes a byte at a time, and never ends. */
  | { readonly kind: 'dribbles' }
  /** Somebody shows another certificate. */
  | { readonly kind: 'shows'; readonly certificate: Certificate }
  /** The service gets the request; its answer comes so much later. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** These bytes answer, and the service sees nothing. */
  | { readonly kind: 'says'; readonly bytes: string }
  /** The service gets the request, and these bytes come instead of its answer. */
  | { readonly kind: 'says_instead'; readonly bytes: string }
  /** The service gets the request, and these bytes come instead of its answer, beneath what makes the line secure. */
  | { readonly kind: 'says_beneath'; readonly bytes: string };

/** A TCP line to a service that misbehaves as a test likes; the address stays the same. */
export class HostileLine {
  behaviour: Behaviour = { kind: 'honest' };
  readonly #target: URL;
  readonly #certificate: Certificate | null;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;

  private constructor(target: string, certificate: Certificate | null) {
    this.#target = new URL(target);
    this.#certificate = certificate;
  }

  /** @param certificate with it, the near end of the line is secure */
  static async open(target: string, certificate: Certificate | null = null): Promise<HostileLine> {
    const line = new HostileLine(target, certificate);
    await line.#listen();
    return line;
  }

  get url(): string {
    return `${this.#certificate === null ? 'http' : 'https'}://127.0.0.1:${this.#port}${this.#target.pathname}`;
  }

  /** From now on; connections that stand are cut. */
  async become(behaviour: Behaviour): Promise<void> {
    this.behaviour = behaviour;
    for (const socket of this.#sockets) socket.destroy();
    if (behaviour.kind === 'refused') await this.#stop();
    else await this.#listen();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.#stop();
  }

  async #listen(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer((near) => this.#take(near));
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  #take(raw: Socket): void {
    this.#keep(raw);
    const { behaviour } = this;
    const near = this.#secured(raw);
    switch (behaviour.kind) {
      case 'refused':
      case 'cut_at_once':
        raw.resetAndDestroy();
        return;
      case 'cut_after_request':
        near.once('data', () => raw.resetAndDestroy());
        return;
      case 'says':
        near.on('data', () => near.end(behaviour.bytes));
        return;
      case 'dribbles': {
        const far = this.#dial();
        near.pipe(far);
        far.once('data', () => {
          near.write('HTTP/1.1 202 Accepted\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n');
          const dribbling = setInterval(() => near.write(' '), 50);
          near.once('close', () => clearInterval(dribbling));
        });
        near.on('close', () => far.destroy());
        return;
      }
      case 'shows':
      case 'honest': {
        const far = this.#dial();
        near.pipe(far).pipe(near);
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
        return;
      }
      case 'slow': {
        const far = this.#dial();
        near.pipe(far);
        far.on('data', (bytes) => setTimeout(() => near.destroyed || near.write(bytes), behaviour.delayMs));
        near.on('close', () => far.destroy());
        return;
      }
      case 'cut_answer': {
        const far = this.#dial();
        near.pipe(far);
        far.once('data', (bytes: Buffer) => {
          near.write(bytes.subarray(0, -behaviour.missingBytes), () => {
            if (behaviour.end === 'cut') raw.resetAndDestroy();
          });
        });
        near.on('close', () => far.destroy());
        return;
      }
      case 'says_instead':
      case 'says_beneath': {
        const far = this.#dial();
        near.pipe(far);
        far.once('data', () => {
          if (behaviour.kind === 'says_beneath') raw.write(behaviour.bytes);
          else near.end(behaviour.bytes);
        });
        near.on('close', () => far.destroy());
      }
    }
  }

  /** What speaks no TLS, and what cuts, does so before anybody is greeted. */
  #secured(raw: Socket): Socket {
    const { behaviour } = this;
    const certificate = behaviour.kind === 'shows' ? behaviour.certificate : this.#certificate;
    if (certificate === null || behaviour.kind === 'says' || behaviour.kind === 'cut_at_once') return raw;
    const secured = new TLSSocket(raw, { isServer: true, ...certificate });
    this.#keep(secured);
    raw.on('close', () => secured.destroy());
    return secured;
  }

  #dial(): Socket {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    this.#keep(far);
    return far;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
