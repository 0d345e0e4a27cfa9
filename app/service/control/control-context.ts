import type { Keyring } from '../authentication.ts';
import type { ServiceContext } from '../context.ts';
import type { Faults } from '../faults.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { RequestLog } from '../request-log.ts';
import type { TestClock } from '../test-clock.ts';

/** What the control API can turn. */
export interface ControlContext extends ServiceContext {
  readonly clock: TestClock;
  readonly keyring: Keyring;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  readonly rateLimiter: RateLimiter;
}
