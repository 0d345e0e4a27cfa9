import { errors } from 'undici';

/** What undici gives when the server ends a connection that still owes an answer. */
export function closedByOtherSide(): Error {
  return new errors.SocketError('other side closed');
}

/** What Node gives when nothing listens at an address. */
export function connectionRefused(origin: string): Error {
  const { hostname, port, protocol } = new URL(origin);
  const portNumber = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const facts = { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: hostname, port: portNumber };
  return Object.assign(new Error(`connect ECONNREFUSED ${hostname}:${portNumber}`), facts);
}
