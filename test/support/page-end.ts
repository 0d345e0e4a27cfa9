import { WebSocket } from 'ws';

/** A page's end of the line to the till. */
export class PageEnd {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  readonly #arrived: unknown[] = [];
  #wake: () => void = () => undefined;

  /** @param origin of the agent */
  constructor(origin: string, headers: Record<string, string> = { origin }, path = '/till') {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
    this.socket.on('error', () => undefined);
    this.socket.on('message', (data: Buffer) => {
      this.#arrived.push(JSON.parse(data.toString()));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      this.socket.on('close', (code) => resolve(code));
    });
  }

  async next(): Promise<ReturnType<typeof JSON.parse>> {
    while (this.#arrived.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#arrived.shift();
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }
}
