import { Agent } from 'undici';

/** undici with nothing around it, with as many connections as there are requests in flight. */
export function bareDispatcher(connections: number): Agent {
  return new Agent({ connections, pipelining: 1 });
}
