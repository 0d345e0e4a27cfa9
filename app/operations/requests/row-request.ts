import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import { type Identifier, keptIdentifierSchema } from '../../../shared/contract/identifier.ts';

/**
 * A frozen body as it is read everywhere: null when there is none, none any more, or when it is no object of JSON any more, as
 * after somebody has edited the file. One such row must keep nobody from the others.
 */
export function parsedBody(body: string | null): object | null {
  if (body === null || body === '') return null;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether there is a body that cannot be read. */
export function isUnreadable(body: string | null): boolean {
  return body !== null && body !== '' && parsedBody(body) === null;
}

/** The frozen request of a row, parsed; null where `parsedBody` is. */
export function requestOf({ body }: { readonly body: string | null }): object | null {
  return parsedBody(body);
}

/** Whom a request names; null when it names nobody. */
export function identifierOf(request: unknown): Identifier | null {
  const named = keptIdentifierSchema.safeParse(fieldOf(request, 'identifier'));
  return named.success ? named.data : null;
}
