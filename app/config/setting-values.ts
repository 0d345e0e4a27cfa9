import { z } from 'zod';
import { text } from '../../shared/contract/primitives.ts';
import { isBarredHost } from './service-address.ts';

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The rest would be left out of every request, and a password in it would be shown wherever the address is. */
function isAddressAlone(address: string): boolean {
  const { username, password } = new URL(address);
  return username === '' && password === '' && !/[?#]/.test(address);
}

/** Whom this till calls: the address of an http(s) server, and nothing beside it. */
export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address', abort: true }).check(
  z.refine(isAddressAlone, 'must be an address alone, without a user name, a password, ? or #'),
  z.refine((address) => !isBarredHost(address), 'must not be a link-local or metadata address'),
);

/** Only http(s): for other pages, such as a file, a browser sends `Origin: null`, as for any page that hides its origin. */
export const webOrigin = z.url({
  protocol: /^https?$/,
  error: 'must be an http(s) origin such as https://pos.example: other pages have the origin null',
});

/** See pinned-keys.ts. */
export const keyPin = z
  .string()
  .regex(
    /^[A-Za-z0-9+/]{43}=$/,
    'must be a SHA-256 fingerprint in base64, 43 characters and =; docs/security.md has the command',
  );

/** Stands in made references, which have 255 characters in all. */
export const referencePart = text.check(
  z.maxLength(64, 'must have at most 64 characters'),
  z.regex(/^[A-Za-z0-9_.-]+$/, 'may have letters, digits, dot, dash and underscore'),
);
