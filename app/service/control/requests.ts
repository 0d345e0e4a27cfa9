import { z } from 'zod';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result, refuse } from '../answer.ts';
import { keptRequests, type LoggedRequest } from '../calls/request-log.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

const querySchema = z.lazy(() =>
  z.strictObject({
    limit: z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(keptRequests))
      .optional(),
    /** A request_id: only what came after it, for somebody who follows the log. */
    after: z.string().optional(),
  }),
);

/** The last calls to the service, newest first; calls to the control API are not among them. */
export function listRequests({ requestLog }: ControlContext, call: ControlCall): Result {
  const valid = validate(querySchema, call.query);
  if (valid.kind === 'refused') return valid;
  const { after } = valid.value;
  // Whoever follows the log goes on from the newest: what was left out now would never be seen.
  const { limit = after === undefined ? 100 : keptRequests } = valid.value;
  return done(200, { data: requestLog.latest(limit, after).map(view) });
}

/** One of them with what was asked and what was answered. */
export function readRequest({ requestLog }: ControlContext, call: ControlCall): Result {
  const found = requestLog.find(call.param);
  if (found === null) {
    const message = 'There is no such request among the last ones.';
    return refuse('VALIDATION_ERROR', message, { status: 404, details: ['request_not_found'] });
  }
  return done(200, view(found));
}

export function clearRequests({ requestLog }: ControlContext): Result {
  return done(200, { cleared: requestLog.clear() });
}

function view<R extends LoggedRequest>({ time_ms: timeMs, duration_ms: durationMs, ...rest }: R) {
  return { time: toInstant(timeMs), duration_ms: Math.round(durationMs * 1000) / 1000, ...rest };
}
