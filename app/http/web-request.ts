import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { BoundedConnections } from './bounded-connections.ts';

/** Methods that a web Request does not take. */
const unspeakable: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT']);

/** Answers a request on one of the bounded connections. @returns when it is answered, or could not be */
export type BoundedListener = (
  incoming: IncomingMessage,
  response: ServerResponse,
  connections: Pick<BoundedConnections, 'keep' | 'refuse'>,
) => Promise<void>;

/**
 * Lets a handler of web Requests answer on a node server. For calls that are few: the bridge has a quicker way. A
 * connection stays open when the handler knows its caller: when the answer is not 401.
 */
export function answerByWebHandler(handle: (request: Request) => Promise<Response>): BoundedListener {
  return async (incoming, response, connections) => {
    const method = incoming.method ?? 'GET';
    if (unspeakable.has(method)) {
      connections.refuse(response);
      response.writeHead(405, { allow: 'GET, POST, PATCH, DELETE', 'content-length': 0 }).end();
      return;
    }
    try {
      const answer = await handle(webRequest(incoming));
      connections[answer.status === 401 ? 'refuse' : 'keep'](response);
      await send(answer, response);
    } catch {
      // What cannot be made a Request must not reach the process.
      response.destroy();
    }
  };
}

function webRequest(incoming: IncomingMessage): Request {
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? '127.0.0.1'}`), {
    method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length }).end(body);
}
