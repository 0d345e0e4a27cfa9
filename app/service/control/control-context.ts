import type { Keyring } from '../calls/authentication.ts';
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
  readonly requestLog: RequestLog;
  readonly rateLimiter: RateLimiter;
}
