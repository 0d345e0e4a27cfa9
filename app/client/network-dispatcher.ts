import { Agent, type Dispatcher } from 'undici';

/** An answer of the service is at most a page of a hundred transactions; more is somebody else. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * Reaches a service over the network. More connections than the outbox ever uses, so that a customer at the till
 * never waits behind a backlog.
 */
export function networkDispatcher(): Dispatcher {
  return new Agent({
    connections: 48,
    pipelining: 1,
    keepAliveTimeout: 20_000,
    connect: { timeout: 5_000 },
    maxResponseSize: maxAnswerBytes,
  });
}
