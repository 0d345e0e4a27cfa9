import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { maxBodyBytes } from '../../shared/contract/primitives.ts';
import { isRepeated, originForm } from '../../shared/contract/request-parts.ts';
import { readLimitedBody } from '../../shared/lib/limited-body.ts';
import { TurnOnConnection } from '../../shared/lib/turn-on-connection.ts';
import { attachPath } from '../http/attach-file.ts';
import { hostOf, isLoopbackHost } from '../http/host-rule.ts';
import { type LoopbackServer, listenOnLoopback } from '../http/loopback-server.ts';
import type { BoundedListener } from '../http/web-request.ts';
import type { Bridge } from './bridge.ts';
import type { BridgeAnswer, BridgeRequest } from './request-and-answer.ts';

/**
 * Serves a bridge over HTTP on loopback.
 *
 * @param port 0 for any free one
 * @throws PortUnavailableError
 */
export async function serveBridge(options: {
  readonly port: number;
  readonly bridge: Bridge;
  /** Answers everything under `/_sandbox` on the bridge's port. Only with the embedded sandbox. */
  readonly control: BoundedListener | null;
}): Promise<LoopbackServer> {
  const { port, bridge, control } = options;
  const turn = new TurnOnConnection<Socket>();
  const loopback: LoopbackServer = await listenOnLoopback(port, answer, ({ url }) => url === attachPath);

  function answer(incoming: IncomingMessage, response: ServerResponse): void {
    const { target, authority } = originForm(incoming.url ?? '/');
    if (authority !== null) {
      incoming.url = target;
      incoming.headers.host = authority;
    }
    if (control !== null && /^\/_sandbox(?:[/?]|$)/.test(target) && mayControl(incoming, loopback.port)) {
      turn.take(incoming, response, async (before) => {
        if (before !== null) await before;
        await control(incoming, response, loopback.connections);
      });
      return;
    }
    const request = requestFrom(incoming, { target, recognized: () => loopback.connections.keep(response) });
    // Not until its answer is out: a stream of events has no end, and each other call is answered in time.
    turn.take(incoming, response, (before) =>
      (before === null ? bridge(request) : answerAfter(before, request))
        .then((reply) => {
          if (reply.status >= 400) loopback.connections.refuse(response);
          send(response, reply);
        })
        .catch(() => {
          response.destroy();
        }),
    );
  }

  /** Its body is read meanwhile: a caller that hangs up takes with it what was not read. */
  async function answerAfter(before: Promise<unknown>, request: BridgeRequest): Promise<BridgeAnswer> {
    const body = request.readBody(maxBodyBytes);
    await before;
    return bridge({ ...request, readBody: () => body });
  }
  return loopback;
}

// The bridge's own access check, but no web page may call, even a listed one. The control API checks its own key.
function mayControl(incoming: IncomingMessage, port: number): boolean {
  return isLoopbackHost(hostOf(incoming), port) && incoming.headers.origin === undefined;
}

function requestFrom(
  incoming: IncomingMessage,
  { target, recognized }: Required<Pick<BridgeRequest, 'target' | 'recognized'>>,
): BridgeRequest {
  return {
    method: incoming.method ?? 'GET',
    target,
    header: (name) => {
      const value = name === 'host' ? hostOf(incoming) : incoming.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
    isRepeated: (name) => isRepeated(incoming.rawHeaders, name),
    readBody: (maxBytes) => readLimitedBody(incoming, maxBytes),
    recognized,
  };
}

/** A reader that is slower than the events is disconnected when this much waits. It comes back and catches up. */
const mostUnreadBytes = 1024 * 1024;

function sendStream(response: ServerResponse, answer: BridgeAnswer, stream: NonNullable<BridgeAnswer['stream']>): void {
  response.writeHead(answer.status, answer.headers);
  const ended = stream({
    write(text) {
      response.write(text);
      if (response.writableLength > mostUnreadBytes) response.destroy();
    },
    end: () => response.end(),
  });
  response.once('close', ended);
}

function send(response: ServerResponse, answer: BridgeAnswer): void {
  if (answer.stream !== undefined) {
    sendStream(response, answer, answer.stream);
    return;
  }
  if (answer.bytes !== undefined) {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.bytes.length }).end(answer.bytes);
    return;
  }
  if (answer.body === null) {
    response.writeHead(answer.status, answer.headers).end();
    return;
  }
  response
    .writeHead(answer.status, {
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer.body),
      'cache-control': 'no-store',
    })
    .end(answer.body);
}
