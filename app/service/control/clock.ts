import { z } from 'zod';
import { instant } from '../../../shared/contract/primitives.ts';
import { isSoundSoFar } from '../../../shared/contract/problems.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result, refuseFields } from '../answer.ts';
import { clockModes } from '../time/test-clock.ts';
import { validate } from '../validate.ts';
import type { ControlContext } from './control-context.ts';
import type { ControlCall } from './control-routes.ts';

/** Some thirty years: enough for any test, and always a date that can be written. */
const longestAdvanceMs = 1e12;
const latestInstantMs = Date.UTC(9000, 0, 1);

const moveSchema = z
  .strictObject({
    advance_ms: z.int().min(0, 'must not be negative: the clock does not go back').max(longestAdvanceMs).optional(),
    set: instant.optional(),
    mode: z.enum(clockModes).optional(),
  })
  .refine((move) => Object.values(move).filter((value) => value !== undefined).length === 1, {
    error: 'needs exactly one of advance_ms, set and mode',
    when: isSoundSoFar,
  });

/** Moves or holds the test clock; what becomes due on the way is done before the answer. */
export function moveClock({ clock }: ControlContext, call: ControlCall): Result {
  const valid = validate(moveSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const { advance_ms: advanceMs, set, mode } = valid.value;
  if (mode !== undefined) clock.setMode(mode);
  if (advanceMs !== undefined) {
    if (clock.now() + advanceMs > latestInstantMs) return refuseTooLate('advance_ms');
    clock.advance(advanceMs);
  }
  if (set !== undefined) {
    const targetMs = Date.parse(set);
    if (targetMs > latestInstantMs) return refuseTooLate('set');
    if (clock.set(targetMs).kind === 'would_go_back') {
      const problem = `is before the service's time (${toInstant(clock.now())}): the clock does not go back`;
      return refuseFields([{ field: 'set', problem }]);
    }
  }
  return done(200, { now: toInstant(clock.now()), clock: clock.mode });
}

function refuseTooLate(field: string): Result {
  return refuseFields([{ field, problem: `must not go beyond ${toInstant(latestInstantMs)}` }]);
}
