import { identifierKinds } from '../../shared/contract/identifier.ts';
import { identifierHint } from './operation-view.ts';

/** Fields of a request or answer that name a customer or give access to something. */
const personal: ReadonlySet<string> = new Set(['name', 'otp', 'wallet_install_url', 'reason', 'metadata']);

/** A request or answer as store IT may see it: everything except who the customer is. Other shapes stay unchanged. */
export function maskedBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedBody);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskedField(name, part)]));
}

function maskedField(name: string, value: unknown): unknown {
  const kind = identifierKinds.find((known) => known === name);
  if (kind !== undefined && typeof value === 'string') return identifierHint(kind, value);
  if (personal.has(name) && value !== null) return '•••';
  return maskedBody(value);
}
