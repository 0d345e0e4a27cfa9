import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { RandomSource } from '../../../shared/lib/random.ts';
import { keyPrefix } from '../../../shared/till/key-prefix.ts';
import { type Refusal, refuse } from '../answer.ts';
import { randomText } from '../rules/random-text.ts';
import type { ApiKey, KeyStore } from '../store/key-store.ts';

/** Who is calling. */
export interface Caller {
  readonly apiKey: string;
  /** The partner, which scopes natural keys (spec "Authentication", 4). */
  readonly source: string;
}

export interface Keyring {
  /**
   * The caller, or null for a key problem of any kind: the answer never says which (spec "Authentication", 3).
   *
   * @param address where the call comes from; null when it never left this process
   */
  authenticate(authorization: string | null, address: string | null): Caller | null;
  find(apiKey: string): ApiKey | null;
  /** A key of a partner that nothing keeps from use. */
  usableOf(source: string): string | null;
  add(key: ApiKey): void;
  revoke(apiKey: string): void;
  /** Every key, in no particular order. */
  list(): readonly ApiKey[];
  /** Writes again until when, from where and whether at all a key is taken. */
  change(key: ApiKey): void;
}

interface KnownKey {
  readonly key: ApiKey;
  readonly caller: Caller;
  readonly allowed: BlockList | null;
}

export function refuseKey(): Refusal {
  return refuse('UNAUTHENTICATED', 'The API key is missing or not accepted.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** A test key that nobody has yet. */
export function newApiKey(random: RandomSource): string {
  return `${keyPrefix.sandbox}${randomText(random, 24)}`;
}

/** The keys are few and asked for on every call: they are kept in memory beside the store. */
export function createKeyring(store: KeyStore, clock: Clock): Keyring {
  const known = new Map(store.list().map((key) => [key.apiKey, toKnown(key)]));
  return {
    authenticate(authorization, address) {
      const entry = known.get(bearerToken(authorization) ?? '');
      if (entry === undefined || entry.key.revoked) return null;
      // A live key never works here (spec "Authentication", 2).
      if (!entry.key.apiKey.startsWith(keyPrefix.sandbox)) return null;
      if (entry.key.expiresAtMs !== null && entry.key.expiresAtMs <= clock.now()) return null;
      if (entry.allowed !== null && !contains(entry.allowed, address)) return null;
      return entry.caller;
    },
    find: (apiKey) => known.get(apiKey)?.key ?? null,
    usableOf(source) {
      for (const { key } of known.values()) {
        if (key.source === source && isUnlimited(key)) return key.apiKey;
      }
      return null;
    },
    add(key) {
      if (known.has(key.apiKey)) return;
      store.insert(key);
      known.set(key.apiKey, toKnown(key));
    },
    revoke(apiKey) {
      const entry = known.get(apiKey);
      if (entry === undefined) return;
      store.revoke(apiKey);
      known.set(apiKey, toKnown({ ...entry.key, revoked: true }));
    },
    list: () => [...known.values()].map(({ key }) => key),
    change(key) {
      if (!known.has(key.apiKey)) return;
      store.change(key);
      known.set(key.apiKey, toKnown(key));
    },
  };
}

/** Whether nothing keeps a key from use: not revoked, without an end, from any address. */
export function isUnlimited({ revoked, expiresAtMs, allowedAddresses }: ApiKey): boolean {
  return !revoked && expiresAtMs === null && allowedAddresses === null;
}

/** The scheme's name may be written in any case (RFC 9110). */
export function bearerToken(authorization: string | null): string | null {
  if (authorization === null) return null;
  const match = /^bearer +([^\s]+) *$/i.exec(authorization);
  return match?.[1] ?? null;
}

/** `10.0.0.7`, `10.0.0.0/8`, `::1`, `fd00::/8`. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Whether the address is this machine's own; null, for a call that never left the process, is. */
export function isLoopback(address: string | null): boolean {
  return address === null || address === '::1' || plainAddress(address).startsWith('127.');
}

function toKnown(key: ApiKey): KnownKey {
  const { apiKey, source, allowedAddresses } = key;
  return {
    key,
    caller: { apiKey, source },
    allowed: allowedAddresses === null ? null : toBlockList(allowedAddresses),
  };
}

function toBlockList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of addresses) {
    const [address = '', bits] = text.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** A call inside the process counts as coming from 127.0.0.1. */
function contains(list: BlockList, address: string | null): boolean {
  const plain = plainAddress(address ?? '127.0.0.1');
  return isIP(plain) !== 0 && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** `::ffff:127.0.0.1`, as a socket for both families tells it, is 127.0.0.1. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address;
}
