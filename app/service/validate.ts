import type { z } from 'zod';
import * as contract from '../../shared/contract/problems.ts';
import { type Refusal, refuseFields } from './answer.ts';

type Validated<T> = { readonly kind: 'valid'; readonly value: T } | Refusal;

/** Checks a value against the contract; one that does not fit is a refusal that names each field. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  const validated = contract.validate(schema, value);
  return validated.kind === 'valid' ? validated : refuseFields(validated.problems);
}
