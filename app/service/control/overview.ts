import { z } from 'zod';
import { specificationVersion } from '../../../shared/contract/version.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result } from '../answer.ts';
import { servicePrefix } from '../calls/paths.ts';
import { addDemoCustomers } from '../fixtures.ts';
import { givenDimensions } from '../rules/mechanics.ts';
import { templates } from '../rules/templates.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';
import { customerForTesters } from './customers.ts';

/** More customers than this are not listed at once. */
const mostListed = 500;

/** What a tester needs to start. */
export function overview(context: ControlContext, call: ControlCall): Result {
  const { clock, settings, store } = context;
  return done(200, {
    version: specificationVersion,
    now: toInstant(clock.now()),
    clock: clock.mode,
    base_url: `${call.origin}${servicePrefix}`,
    customers: store.customers.list(mostListed).map((customer) => customerForTesters(context, customer, call.source)),
    templates: templates.map(({ template_id, name, card_type, mechanics }) => ({
      template_id,
      name,
      card_type,
      /** What a new card of it can be given. */
      balances: mechanics === null ? [] : givenDimensions(mechanics),
    })),
    settings: settings.current,
  });
}

const resetSchema = z.strictObject({ fixtures: z.enum(['demo', 'empty']).default('demo') });

/** Back to the fixtures; templates and keys stay. Calls that a fault delays are dropped. */
export function reset(context: ControlContext, call: ControlCall): Result {
  const valid = validate(resetSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const { store, settings, clock, faults, delays, requestLog, rateLimiter, agenda } = context;
  const settingsBefore = settings.current;
  try {
    // First the clock: the fixtures are made at its time.
    clock.reset(() => {
      store.clear();
      settings.reset();
      if (valid.value.fixtures === 'demo') {
        addDemoCustomers(store, { nowMs: clock.now(), currency: settings.current.currency });
      }
    });
  } catch (error) {
    settings.restore(settingsBefore);
    throw error;
  }
  agenda.rearm();
  faults.clear();
  delays.cutShort();
  requestLog.clear();
  rateLimiter.reset();
  return overview(context, call);
}
