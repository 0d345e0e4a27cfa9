import { z } from 'zod';
import { errorCodes } from '../../../shared/contract/errors.ts';
import { text } from '../../../shared/contract/primitives.ts';
import { done, type Result, refuse } from '../answer.ts';
import { refuseUnknownTransaction } from '../rules/transaction-reads.ts';
import { transactionView } from '../rules/transaction-view.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

const failureSchema = z.strictObject({ code: z.enum(errorCodes), message: text.optional() });

/** A pending earn or reversal fails when it would be applied. */
export function failTransaction({ store, clock }: ControlContext, call: ControlCall): Result {
  const valid = validate(failureSchema, call.body);
  if (valid.kind === 'refused') return valid;
  const transaction = store.transactions.byId(call.param);
  if (transaction === null) return refuseUnknownTransaction();
  if (transaction.applyAtMs === null) {
    const message = `The transaction is ${transaction.status}: only a pending one can be made to fail.`;
    return refuse('VALIDATION_ERROR', message, { status: 409, details: ['transaction_not_pending'] });
  }
  const { code, message } = valid.value;
  const failure = { code, message: message ?? 'A failure that was asked for.' };
  store.write(() => store.transactions.planFailure(transaction.transactionId, failure));
  return done(200, { ...transactionView(transaction, clock.now()), planned_failure: failure });
}
