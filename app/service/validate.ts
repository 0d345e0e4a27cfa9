import type { z } from 'zod';
import * as contract from '../../shared/contract/problems.ts';
import { type Refusal, refuseFields } from './answer.ts';

type Validated<T> = { readonly kind: 'valid'; readonly value: T } | Refusal;

/** Checks a value against the contract; one that does not fit is a refusal that names each field. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  return orRefusal(contract.validate(schema, value));
}

/** As `validate`, for a call's path or query, most of which are empty. */
export function validateOftenEmpty<S extends z.ZodType>(schema: S): (value: unknown) => Validated<z.output<S>> {
  const validated = contract.validateOftenEmpty(schema);
  return (value) => orRefusal(validated(value));
}

function orRefusal<Value>(validated: contract.Validated<Value>): Validated<Value> {
  return validated.kind === 'valid' ? validated : refuseFields(validated.problems);
}
