// Before undici: some of it is for what undici compiles.
import './small-process.ts';
import { Agent, type Dispatcher } from 'undici';
import { lookUpUnbarred } from '../http/barred-addresses.ts';
import { checkPinned, type LineSecurity } from './pinned-keys.ts';

/** An answer of the service is at most a page of a hundred transactions; more is somebody else. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * Reaches a service over the network. More connections than the outbox ever uses, so that a customer at the till
 * never waits behind a backlog. A redirect is an answer like any other: the key goes nowhere but to the address.
 */
export function networkDispatcher({ min_version, pins }: LineSecurity): Dispatcher {
  return new Agent({
    connections: 48,
    pipelining: 1,
    // HTTP/2 would put them all on one connection (docs/decisions/0048).
    allowH2: false,
    keepAliveTimeout: 20_000,
    // Certificates are checked, whatever a variable of the environment says of it.
    connect: {
      timeout: 5_000,
      rejectUnauthorized: true,
      lookup: lookUpUnbarred,
      minVersion: `TLSv${min_version}`,
      ...(pins.length === 0
        ? {}
        : { checkServerIdentity: (host, certificate) => checkPinned(host, certificate, pins) }),
    },
    maxResponseSize: maxAnswerBytes,
  });
}
