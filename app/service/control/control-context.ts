import type { Keyring } from '../calls/authentication.ts';
import type { Delays } from '../calls/delays.ts';
import type { Faults } from '../calls/faults.ts';
import type { RateLimiter } from '../calls/rate-limit.ts';
import type { RequestLog } from '../calls/request-log.ts';
import type { ServiceContext } from '../context.ts';
import type { TestClock } from '../time/test-clock.ts';

/** What the control API can turn. */
export interface ControlContext extends ServiceContext {
  readonly clock: TestClock;
  readonly keyring: Keyring;
  readonly faults: Faults;
  readonly delays: Pick<Delays, 'cutShort'>;
  readonly requestLog: RequestLog;
  readonly rateLimiter: RateLimiter;
}

/** A control call that has passed the door. */
export interface ControlCall {
  /** The partner whose key was used. */
  readonly source: string;
  /** Scheme, host and port by which the caller reached the service. */
  readonly origin: string;
  /** The path's one parameter; empty when it has none. */
  readonly param: string;
  /** Empty unless the route takes a query. */
  readonly query: Readonly<Record<string, string>>;
  /** An empty object when there was none, or the route takes none. */
  readonly body: unknown;
}
