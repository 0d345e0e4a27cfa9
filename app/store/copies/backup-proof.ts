import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { closeSync, createReadStream, readSync } from 'node:fs';
import { readTextFile, writePrivateFile } from '../../machine/files.ts';
import { openSync } from '../../machine/held-files.ts';
import { askedAside } from '../../machine/thread-calls.ts';

/** Beside a backup: the MAC over its bytes, under the key of the till that made it (till-key.ts). */
export function proofPath(file: string): string {
  return `${file}.mac`;
}

const chunkBytes = 1 << 20;

/** Reads the whole file, beside the sales. @returns its MAC @throws NodeJS.ErrnoException */
export function proofOf(file: string, key: Uint8Array): Promise<string> {
  return askedAside(macOf(file, key));
}

async function macOf(file: string, key: Uint8Array): Promise<string> {
  const mac = macUnder(key);
  for await (const chunk of createReadStream(file)) mac.update(chunk);
  return mac.digest('hex');
}

/** @throws HeldFileError, NodeJS.ErrnoException */
export function writeProof(file: string, proof: string): void {
  writePrivateFile(proofPath(file), `${proof}\n`);
}

/** What stands beside a backup; null when nothing does, or something else. */
export function readProof(file: string): string | null {
  const text = readTextFile(proofPath(file))?.trim() ?? '';
  return /^[0-9a-f]{64}$/.test(text) ? text : null;
}

/** Whether the bytes of a file are those that a till's key has signed. @throws HeldFileError, NodeJS.ErrnoException */
export function isProven(file: string, { proof, key }: { readonly proof: string; readonly key: Uint8Array }): boolean {
  const mac = macUnder(key);
  const chunk = Buffer.alloc(chunkBytes);
  const opened = openSync(file, 'r');
  try {
    for (let read = readSync(opened, chunk); read > 0; read = readSync(opened, chunk))
      mac.update(chunk.subarray(0, read));
  } finally {
    closeSync(opened);
  }
  return timingSafeEqual(mac.digest(), Buffer.from(proof, 'hex'));
}

function macUnder(key: Uint8Array): Hmac {
  return createHmac('sha256', key).update('backup\n');
}
