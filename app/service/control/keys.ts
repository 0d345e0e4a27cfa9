import { z } from 'zod';
import { instant, text } from '../../../shared/contract/primitives.ts';
import { toInstant } from '../../../shared/lib/clock.ts';
import { done, type Result, refuse } from '../answer.ts';
import { isAddressOrNetwork, newApiKey } from '../calls/authentication.ts';
import { validate } from '../validate.ts';
import type { ControlContext } from './control-context.ts';
import type { ControlCall } from './control-routes.ts';

const newKeySchema = z.strictObject({
  source: text.nullish(),
  expires_at: instant.nullish(),
  allowed_addresses: z
    .array(z.string().refine(isAddressOrNetwork, 'must be an IP address or a network such as 10.0.0.0/8'))
    .max(100)
    .nullish(),
});

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
  return done(201, {
    key: key.apiKey,
    source: key.source,
    expires_at: key.expiresAtMs === null ? null : toInstant(key.expiresAtMs),
    allowed_addresses: key.allowedAddresses,
  });
}

/** Revoking twice is revoking once. */
export function revokeKey({ keyring }: ControlContext, call: ControlCall): Result {
  const key = keyring.find(call.param);
  if (key === null) {
    return refuse('VALIDATION_ERROR', 'There is no such key.', { status: 404, details: ['key_not_found'] });
  }
  keyring.revoke(key.apiKey);
  return done(200, { key: key.apiKey, source: key.source, revoked: true });
}
