import type { z } from 'zod';
import * as contract from '../../shared/contract/problems.ts';
import { type Refusal, refuseFields } from './answer.ts';

type Validated<T> = { readonly kind: 'valid'; readonly value: T } | Refusal;

/** Checks a value against the contract; one that does not fit is a refusal that names each field. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  return orRefusal(contract.validate(schema, value));
}

/** The same of a call's path or query, in most of which there is nothing. */
export function validateOftenEmpty<S extends z.ZodType>(schema: S): (value: unknown) => Validated<z.output<S>> {
  const validated = contract.validateOftenEmpty(schema);
  return (value) => orRefusal(validated(value));
}

function orRefusal<Value>(validated: contract.Validated<Value>): Validated<Value> {
  return validated.kind === 'valid' ? validated : refuseFields(validated.problems);
}
