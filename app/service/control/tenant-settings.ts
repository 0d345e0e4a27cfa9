import { z } from 'zod';
import { done, type Result } from '../answer.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

/** Any object, as it came: `z.record` would leave out what is called `__proto__`. */
const changesSchema = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be an object' },
);

export function readSettings({ settings }: ControlContext): Result {
  return done(200, settings.current);
}

export function patchSettings({ settings, rateLimiter }: ControlContext, call: ControlCall): Result {
  const valid = validate(changesSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const change = settings.patch(valid.value);
  if (change.kind === 'refused') return change;
  // A new limit starts with a new count.
  if (Object.hasOwn(valid.value, 'rate_limit')) rateLimiter.reset();
  return done(200, change.settings);
}
