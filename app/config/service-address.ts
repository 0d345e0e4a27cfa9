import type { Mode } from '../../shared/till/modes.ts';
import { isBarredAddress } from '../http/barred-addresses.ts';

/** Stands for the sandbox that is built in, where an origin is asked for. */
const builtIn = 'built-in';

/** Where a key goes that is sent to this address: scheme, host and port. @param baseUrl null: the built-in sandbox */
export function originOf(baseUrl: string | null): string {
  return baseUrl === null ? builtIn : new URL(baseUrl).origin;
}

/** Names that stand for the machine itself, and for what a cloud tells about the machine that it runs. */
const loopbackName = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const metadataName = /^(?:metadata|metadata\.google\.internal|instance-data)\.?$/;

/** What may not be an address of the service in any mode. Names are looked at again when they are resolved. */
export function isBarredHost(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return metadataName.test(hostname) || isBarredAddress(hostname.replace(/^\[|\]$/g, ''));
}

/** Why an address does not go with a mode; null when it does. */
export function addressProblem(mode: Mode, baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  if (mode === 'sandbox' || protocol === 'https:' || loopbackName.test(hostname)) return null;
  return 'base_url: must begin with https:// in production mode: others can read http. Ask the loyalty provider for the https address';
}

/** Why a feed's address does not go with a mode; null when it does. http is for trials on this machine. */
export function feedProblem(mode: Mode, feed: string): string | null {
  const { protocol, hostname } = new URL(feed);
  if (protocol === 'https:' || (mode === 'sandbox' && loopbackName.test(hostname))) return null;
  return 'update.feed: must begin with https://; in sandbox mode http://127.0.0.1 is allowed, too';
}

/** Why pinned keys do not go with an address; null when they do. Over http nobody shows a key, and nothing would be checked. */
export function pinsProblem(baseUrl: string, pins: readonly string[]): string | null {
  if (pins.length === 0 || new URL(baseUrl).protocol === 'https:') return null;
  return 'tls.pins: need a base_url that begins with https://; over http nobody shows a key';
}

/** Said of a key that was entered for another address. @param keyOrigin see originOf */
export function keyIsForAnother(keyOrigin: string, baseUrl: string | null): string {
  const to = baseUrl === null ? 'the built-in sandbox' : originOf(baseUrl);
  const from = keyOrigin === builtIn ? 'the built-in sandbox' : keyOrigin;
  return `api_key: was entered for ${from} and is not sent to ${to}; enter the key again together with the address`;
}
