import type { Identifier } from '../../../shared/contract/identifier.ts';
import { done, type Result } from '../answer.ts';
import type { Call, ServiceContext } from '../context.ts';
import { findCustomer, refuseUnknownCustomer } from './find-customer.ts';
import { customerProfile } from './profile.ts';

/** Spec "POST /customers/identify". */
export function identify(context: ServiceContext, call: Call<Identifier>): Result {
  const found = findCustomer(context, { identifier: call.body, source: call.caller.source, where: '' });
  if (found.kind === 'refused') return found;
  const customer = context.store.customers.byId(found.customerId);
  return customer === null ? refuseUnknownCustomer() : done(200, customerProfile(context, customer));
}
