import { z } from 'zod';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { instant } from '../../shared/contract/primitives.ts';
import { customerProfileSchema } from '../../shared/contract/profile.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { toInstant } from '../../shared/lib/clock.ts';
import type { TillAnswer, TillReply } from '../../shared/till/api.ts';
import type { writeCommands } from '../../shared/till/write-commands.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { ImmediateOutcome } from '../operations/immediate/immediate-outcome.ts';
import { askedReference, referenceOfEach } from '../operations/requests/asked-reference.ts';
import type { Approval } from '../operations/reversals/reversal-row.ts';
import type { Operation } from '../store/schema/operation.ts';
import { shownProfile } from './find-customer.ts';
import { aboveLimit, withinLimits } from './limits.ts';
import { operationView } from './operation-view.ts';
import { failed, noSuchOperation, succeeded } from './replies.ts';

type Input<C extends keyof typeof writeCommands> = z.output<(typeof writeCommands)[C]['input']>;

/** The reference of the cashier who pressed; absent: nobody is signed in. */
export interface Presser {
  readonly employeeRef?: string;
}

/**
 * How long an outcome is looked for while the customer waits at the till (design "Unknown outcomes of immediate
 * operations").
 */
export const tillWait = { waitMs: 120_000 };

/**
 * Spends. A repeated press gets the state of the first one's operation, under the first one's reference, even when the
 * values differ now: the page has lost that answer, and the cashier must see what was saved.
 */
export async function takeRedemption(
  core: AgentCore,
  input: Input<'operation.redeem'>,
): Promise<TillReply<TillAnswer<'operation.redeem'>>> {
  const { operation_id, customer_name, given_name, receipt_number, pin, ...request } = input;
  const spend = (approvedBy?: string) => {
    const earlier = core.operationById(operation_id);
    const externalRef = earlier?.externalRef ?? core.newReference(receipt_number ?? null);
    return core.perform(
      {
        origin: 'till',
        operationId: operation_id,
        intent: 'redeem',
        path: endpoints.redeem.path,
        body: { ...request, external_ref: externalRef, branch_ref: core.settings.branch_ref },
        externalRef,
        identifier: request.identifier,
        customerName: customer_name,
        givenName: given_name ?? null,
        idempotencyKey: null,
        reversesRowId: null,
        ...(approvedBy === undefined ? {} : { approvedBy }),
      },
      tillWait,
    );
  };
  const isFirstPress = core.operationById(operation_id) === null;
  return withinLimits(core, pin, spend, (outcome) => {
    if (outcome.kind !== 'done' && outcome.kind !== 'unknown') return notDone(outcome);
    const { operation } = outcome;
    // The service also calls it a duplicate where the agent itself has sent the first press twice.
    const isOwnResend = isFirstPress && operation.operationId === operation_id;
    const duplicate = outcome.kind === 'done' && outcome.duplicate && !isOwnResend;
    return succeeded({ operation: operationView(operation), duplicate });
  });
}

export async function takeBack(
  core: AgentCore,
  input: Input<'operation.reverse'>,
  by: Presser & { readonly approval?: Approval } = {},
): Promise<TillReply<TillAnswer<'operation.reverse'>>> {
  const original = core.operationById(input.reverses);
  if (original === null) return noSuchOperation;
  const nobodys = { reversalRef: null, idempotencyKey: null };
  const request = {
    origin: 'till',
    operationId: input.operation_id,
    reason: input.reason ?? null,
    ...nobodys,
    ...by,
  } as const;
  const outcome = await core.reverse(original.rowId, request);
  switch (outcome.kind) {
    case 'cancelled':
    case 'saved':
      return reversed(core, outcome.reversal, original, { duplicate: outcome.duplicate });
    case 'immediate': {
      const performed = await core.perform(outcome.write, tillWait);
      return performed.kind === 'done' || performed.kind === 'unknown'
        ? reversed(core, performed.operation, original, { duplicate: performed.kind === 'done' && performed.duplicate })
        : notDone(performed);
    }
    case 'irreversible':
      return failed('irreversible', `It cannot be taken back: ${outcome.why}.`, {
        details: [outcome.why, operationView(outcome.operation)],
      });
    case 'already':
      return failed('irreversible', 'The operation was reversed before.', {
        details: ['already', operationView(outcome.operation)],
      });
    case 'reference_taken':
      return failed('irreversible', `${outcome.operation.externalRef} stands for another reversal.`, {
        details: [...outcome.differingFields],
      });
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}

function reversed(
  core: AgentCore,
  reversal: Operation,
  original: Operation,
  { duplicate }: { readonly duplicate: boolean },
): TillReply<TillAnswer<'operation.reverse'>> {
  const now = core.operation(original.rowId) ?? original;
  return succeeded({ operation: operationView(reversal), original: operationView(now), duplicate });
}

export async function decide(
  core: AgentCore,
  input: Input<'operation.decide'>,
): Promise<TillReply<TillAnswer<'operation.decide'>>> {
  const outcome = await core.decide(input.operation_id, input.decision);
  switch (outcome.kind) {
    case 'decided':
    case 'already_known':
      return succeeded({ operation: operationView(outcome.operation) });
    case 'one_shot':
      return failed('irreversible', 'A coupon or a reward can only be given.', {
        details: ['one_shot', operationView(outcome.operation)],
      });
    case 'not_found':
      return noSuchOperation;
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}

const pendingSchema = z.object({
  status: z.literal('awaiting_otp'),
  enrollment_id: z.string(),
  otp_expires_at: instant.transform((at) => toInstant(Date.parse(at))),
});
const enrolledSchema = z.object({
  status: z.literal('enrolled'),
  customer_id: z.string(),
  card_id: z.string(),
  wallet_install_url: z.string(),
});

export async function enroll(
  core: AgentCore,
  input: Input<'customer.enroll'>,
  by: Presser = {},
): Promise<TillReply<TillAnswer<'customer.enroll'>>> {
  const { operation_id, ...request } = input;
  const outcome = await core.perform(
    {
      origin: 'till',
      operationId: operation_id,
      intent: 'enroll',
      path: endpoints.enroll.path,
      body: { ...request, channel: 'pos', branch_ref: core.settings.branch_ref },
      externalRef: referenceOfEach(request.external_ref, operation_id),
      identifier: null,
      customerName: request.name ?? null,
      idempotencyKey: null,
      reversesRowId: null,
      ...by,
    },
    tillWait,
  );
  if (outcome.kind === 'done') return succeeded(z.union([pendingSchema, enrolledSchema]).parse(outcome.answer));
  if (outcome.kind === 'refused' && outcome.refusal.error.code === 'ALREADY_ENROLLED') {
    // A service that leaves the customer out has refused all the same: the page says that there is one.
    const known = z.object({ customer: customerProfileSchema }).safeParse(outcome.refusal.body);
    if (known.success) return succeeded({ status: 'already_enrolled', profile: shownProfile(known.data.customer) });
  }
  return notDone(outcome);
}

export async function verify(
  core: AgentCore,
  input: Input<'customer.verify'>,
  by: Presser = {},
): Promise<TillReply<TillAnswer<'customer.verify'>>> {
  const { operation_id, customer_name, ...request } = input;
  const outcome = await core.perform(
    {
      origin: 'till',
      operationId: operation_id,
      intent: 'verify',
      path: endpoints.verify.path,
      body: request,
      externalRef: referenceOfEach(request.enrollment_id, operation_id),
      identifier: null,
      customerName: customer_name,
      idempotencyKey: null,
      reversesRowId: null,
      ...by,
    },
    tillWait,
  );
  return outcome.kind === 'done' ? succeeded(enrolledSchema.parse(outcome.answer)) : notDone(outcome);
}

/**
 * The reply to a write that did not happen, or whose outcome is unknown. @param referenceField the field of the
 * reference
 */
export function notDone(
  outcome: Exclude<ImmediateOutcome, { kind: 'done' }>,
  referenceField = 'receipt_number',
): TillReply<never> {
  switch (outcome.kind) {
    case 'refused': {
      const { code, message, details } = outcome.refusal.error;
      return failed('refused', message, { service_code: code, details: details ?? [] });
    }
    case 'not_sent':
      return failed('not_sent', outcome.message, { details: [outcome.cause] });
    case 'unknown':
      return failed('books_unread', 'The outcome is not known yet.', {
        details: [operationView(outcome.operation)],
      });
    case 'reference_taken':
      return failed('reference_taken', `${askedReference(outcome.operation)} stands for something else.`, {
        field: referenceField,
        details: [...outcome.differingFields],
      });
    case 'above_limit':
      return aboveLimit(outcome.limit);
    case 'not_saved':
      return failed('not_saved', outcome.message);
    default:
      return assertNever(outcome);
  }
}
