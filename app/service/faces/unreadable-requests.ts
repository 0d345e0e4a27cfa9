import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AnswersUnderWay } from '../../../shared/lib/answers-under-way.ts';
import { refusalOfExpectation, refusalOfUnreadable } from '../../../shared/lib/unreadable-requests.ts';
import type { OutgoingAnswer } from '../calls/exchange.ts';

/** Makes the specification's error body for what never became a call. */
export type RefuseUnreadable = (status: number, message: string) => OutgoingAnswer;

/**
 * Answers what Node refuses before it is a call in the specification's error shape, too: a bad request line, headers
 * that are too large or too slow, an expectation that nobody can meet.
 */
export function answerUnreadable(server: Server, refuse: RefuseUnreadable): void {
  const answers = new AnswersUnderWay<Duplex>();
  server.on('request', (request, response) => answers.begin(request.socket, response));
  server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
    // A call that came whole before these bytes is answered, and ends the connection.
    const ending = answers.ends(socket);
    if (ending === 'now') socket.end();
    if (ending !== 'unanswered') return;
    const { status, reason, message } = refusalOfUnreadable(error.code);
    endWith(socket, reason, refuse(status, message));
  });
  server.on('connect', (_request, socket) => {
    endWith(socket, 'Method Not Allowed', refuse(405, 'This is no proxy.'));
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { status, headers, body } = refuse(refusalOfExpectation.status, refusalOfExpectation.message);
    response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  });
}

/** On a socket there is no response to write to any more. */
function endWith(socket: Duplex, reason: string, { status, headers, body }: OutgoingAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head}\r\n${body}`);
}
