import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection of its own to a server of this machine, and what has come over it. */
interface HeardSocket {
  readonly socket: Socket;
  readonly heard: () => string;
  readonly isClosed: () => boolean;
}

export async function heardSocket(port: number): Promise<HeardSocket> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  let isClosed = false;
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  return { socket, heard: () => heard, isClosed: () => isClosed };
}
