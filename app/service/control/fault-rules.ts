import { done, type Result, refuse } from '../answer.ts';
import { faultRuleSchema } from '../calls/faults.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

export function addFault({ faults }: ControlContext, call: ControlCall): Result {
  const valid = validate(faultRuleSchema, call.body);
  return valid.kind === 'refused' ? valid : done(201, faults.add(valid.value));
}

export function listFaults({ faults }: ControlContext): Result {
  return done(200, { data: faults.list() });
}

export function clearFaults({ faults }: ControlContext): Result {
  return done(200, { cleared: faults.clear() });
}

export function removeFault({ faults }: ControlContext, call: ControlCall): Result {
  const removed = faults.remove(call.param);
  return removed === null
    ? refuse('VALIDATION_ERROR', 'There is no such fault.', { status: 404, details: ['fault_not_found'] })
    : done(200, removed);
}
