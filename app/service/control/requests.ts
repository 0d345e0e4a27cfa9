import { z } from 'zod';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result } from '../answer.ts';
import { keptRequests } from '../calls/request-log.ts';
import { validate } from '../validate.ts';
import type { ControlContext } from './control-context.ts';
import type { ControlCall } from './control-routes.ts';

const querySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(keptRequests))
    .default(100),
});

/** The last calls to the service, newest first; calls to the control API are not among them. */
export function listRequests({ requestLog }: ControlContext, call: ControlCall): Result {
  const valid = validate(querySchema, call.query);
  if (valid.kind === 'refused') return valid;
  const data = requestLog.latest(valid.value.limit).map(({ time_ms: timeMs, duration_ms: durationMs, ...rest }) => ({
    time: toInstant(timeMs),
    duration_ms: Math.round(durationMs * 1000) / 1000,
    ...rest,
  }));
  return done(200, { data });
}
