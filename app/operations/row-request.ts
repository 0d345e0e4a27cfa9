import { fieldOf } from '../../shared/contract/differing-fields.ts';
import { type Identifier, keptIdentifierSchema } from '../../shared/contract/identifier.ts';

/** The frozen request of a row, parsed; null when it has no body, or none any more. */
export function requestOf({ body }: { readonly body: string | null }): unknown {
  return body === null || body === '' ? null : JSON.parse(body);
}

/** Whom a request names; null when it names nobody. */
export function identifierOf(request: unknown): Identifier | null {
  const named = keptIdentifierSchema.safeParse(fieldOf(request, 'identifier'));
  return named.success ? named.data : null;
}
