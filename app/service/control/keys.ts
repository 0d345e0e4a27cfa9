import { z } from 'zod';
import { instant, text } from '../../../shared/contract/primitives.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result, refuse } from '../answer.ts';
import { isAddressOrNetwork, newApiKey } from '../calls/authentication.ts';
import type { ApiKey } from '../store/key-store.ts';
import { validate } from '../validate.ts';
import type { ControlCall, ControlContext } from './control-context.ts';

const limits = () => ({
  expires_at: instant.nullish(),
  allowed_addresses: z
    .array(z.string().refine(isAddressOrNetwork, 'must be an IP address or a network such as 10.0.0.0/8'))
    .max(100)
    .nullish(),
});
const newKeySchema = z.lazy(() => z.strictObject({ source: text.nullish(), ...limits() }));
const changedKeySchema = z.lazy(() => z.strictObject({ ...limits(), revoked: z.boolean().optional() }));

/** A new test key, of the calling key's partner unless another is named. */
export function addKey({ keyring, random }: ControlContext, call: ControlCall): Result {
  const valid = validate(newKeySchema, call.body);
  if (valid.kind === 'refused') return valid;
  const { source, expires_at: expiresAt, allowed_addresses: allowedAddresses } = valid.value;
  const key = {
    apiKey: newApiKey(random),
    source: source ?? call.source,
    expiresAtMs: expiresAt == null ? null : Date.parse(expiresAt),
    allowedAddresses: allowedAddresses ?? null,
    revoked: false,
  };
  keyring.add(key);
  const { revoked: _, ...made } = view(key);
  return done(201, made);
}

export function listKeys({ keyring }: ControlContext): Result {
  return done(200, { data: keyring.list().map(view) });
}

/** Until when and from where a key is taken; null lifts a limit. A revoked one can be let in again. */
export function changeKey({ keyring }: ControlContext, call: ControlCall): Result {
  const key = keyring.find(call.param);
  if (key === null) return refuseUnknownKey();
  const valid = validate(changedKeySchema, call.body);
  if (valid.kind === 'refused') return valid;
  const { expires_at: expiresAt, allowed_addresses: allowedAddresses, revoked } = valid.value;
  const changed = {
    ...key,
    ...(expiresAt === undefined ? {} : { expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt) }),
    ...(allowedAddresses === undefined ? {} : { allowedAddresses }),
    ...(revoked === undefined ? {} : { revoked }),
  };
  keyring.change(changed);
  return done(200, view(changed));
}

/** Revoking twice is revoking once. */
export function revokeKey({ keyring }: ControlContext, call: ControlCall): Result {
  const key = keyring.find(call.param);
  if (key === null) return refuseUnknownKey();
  keyring.revoke(key.apiKey);
  return done(200, { key: key.apiKey, source: key.source, revoked: true });
}

function refuseUnknownKey(): Result {
  return refuse('VALIDATION_ERROR', 'There is no such key.', { status: 404, details: ['key_not_found'] });
}

function view({ apiKey, source, expiresAtMs, allowedAddresses, revoked }: ApiKey) {
  return {
    key: apiKey,
    source,
    expires_at: expiresAtMs === null ? null : toInstant(expiresAtMs),
    allowed_addresses: allowedAddresses,
    revoked,
  };
}
