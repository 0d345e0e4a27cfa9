import { enrollRequestSchema, verifyRequestSchema } from '../../../shared/contract/enrollment.ts';
import { type Refusal, refuse } from '../answer.ts';
import type { ServiceContext } from '../context.ts';
import { normalizePhone } from '../rules/phones.ts';
import { customerProfile } from '../rules/profile.ts';
import type { Customer } from '../store/customer-store.ts';
import type { FaultEffect } from './faults.ts';
import type { ReceivedCall } from './received-call.ts';

/** The refusal that a fault asks for, with all that the specification has such a refusal say. */
export function askedError(
  context: ServiceContext,
  call: ReceivedCall,
  fault: Extract<FaultEffect, { readonly type: 'error' }>,
): Refusal {
  const { code, status } = fault;
  // A service that asks for less always says when (decisions: "Errors and limits").
  const retryAfter = fault.retry_after ?? (code === 'RATE_LIMITED' ? 1 : null);
  return refuse(code, 'A fault that was asked for.', {
    status,
    ...(retryAfter === null ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
    ...(code === 'OTP_INVALID' ? { details: ['otp_incorrect'] } : {}),
    ...(code === 'ALREADY_ENROLLED' ? { beside: { customer: knownCustomer(context, call) } } : {}),
  });
}

/**
 * Whom the call names. Where nobody has that phone or e-mail, the first customer is said to: a caller that compares would
 * not believe a refusal that is about somebody else.
 */
function knownCustomer(context: ServiceContext, call: ReceivedCall) {
  const { customers } = context.store;
  const { phone, email } = askedPerson(context, call);
  const named =
    (phone === null ? null : customers.byPhone(phone)) ?? (email === null ? null : customers.byEmail(email));
  if (named !== null) return customerProfile(context, named);
  // Where there are no customers at all, it is one without cards.
  const [first = { customerId: 'cus_fault', name: null, verified: true, ...nobody }] = customers.list(1);
  return customerProfile(context, { ...first, phone: phone ?? first.phone, email: email ?? first.email });
}

const nobody = { phone: null, email: null };

function askedPerson({ store, settings }: ServiceContext, call: ReceivedCall): Pick<Customer, 'phone' | 'email'> {
  const body = call.json();
  const asked = body.kind === 'read' ? body.value : undefined;
  const code = verifyRequestSchema.safeParse(asked).data;
  if (code !== undefined) return store.enrollments.byId(code.enrollment_id) ?? nobody;
  const person = enrollRequestSchema.safeParse(asked).data;
  return {
    phone: person?.phone === undefined ? null : normalizePhone(person.phone, settings.current.default_region),
    email: person?.email?.toLowerCase() ?? null,
  };
}
