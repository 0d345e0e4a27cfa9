import { identifierKinds } from '../../shared/contract/identifier.ts';
import { identifierHint } from './operation-view.ts';

/** Fields of a request or an answer that name a customer or open something. */
const personal: ReadonlySet<string> = new Set(['name', 'otp', 'wallet_install_url', 'reason', 'metadata']);

/** A request or an answer as store IT may see it: everything but who the customer is. Other shapes pass as they are. */
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
