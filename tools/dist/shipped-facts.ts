// What whoever ships the packages decides: the keys of their updates, and where they themselves are found.
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../bundles.ts';

/** The public keys that the feed of updates is signed with. Without one a package takes no updates. */
export function shippedUpdateKeys(): readonly string[] {
  const keys = z.array(z.string()).parse(JSON.parse(readFileSync(join(root, 'packaging', 'update-keys.json'), 'utf8')));
  for (const key of keys) {
    if (!isPublicKey(key)) {
      throw new Error(
        `packaging/update-keys.json: ${key} is no Ed25519 public key. Copy the line that "npm run update-feed -- generate-key" prints`,
      );
    }
  }
  return keys;
}

function isPublicKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** An address that leads nowhere, until whoever ships the packages puts their own into package.json. */
export function hasPlaceholderAddress(): boolean {
  const { homepage, author } = z
    .object({ homepage: z.string(), author: z.object({ email: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return [homepage, author.email].some((address) => /\.invalid\/?$/.test(address));
}
