import { hash, timingSafeEqual } from 'node:crypto';

/** The parts of a row that a seal covers: its request, and its ids. When one of them is changed, it is another sale. */
export interface SealedRequest {
  readonly operationId: string;
  readonly intent: string;
  readonly externalRef: string;
  readonly path: string;
  readonly body: string | null;
  readonly bodyVersion: number;
  readonly idempotencyKey: string | null;
}

/**
 * Whether a request may still be sent, or has ended: was cancelled or written off. Each has a seal of its own, so that
 * nobody can reopen an ended row by changing its state in the database.
 */
export type SealKind = 'open' | 'ended';
const labels: Readonly<Record<SealKind, string>> = { open: 'row', ended: 'ended row' };

const sealBytes = 16;

/** Of SHA-256. */
const blockBytes = 64;
const digestBytes = 32;

/**
 * Seals the frozen requests of operations with the key of the till, which is not in the database: HMAC-SHA-256, cut.
 *
 * It is put together from two plain hashes (RFC 2104), in half the time: Node makes an object for each HMAC, and a buffer
 * of its own for each digest that is not asked for as text.
 */
export class RowSeal {
  /** Input of the inner hash: the padded key, then room for the text that is sealed. */
  #inner: Buffer;
  /** Input of the outer hash: the padded key, then room for the inner hash's digest. */
  readonly #outer = Buffer.alloc(blockBytes + digestBytes);

  constructor(key: Uint8Array) {
    const padded = Buffer.alloc(blockBytes);
    padded.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key);
    this.#inner = Buffer.alloc(4 * 1_024);
    for (const [index, byte] of padded.entries()) {
      this.#inner[index] = byte ^ 0x36;
      this.#outer[index] = byte ^ 0x5c;
    }
  }

  of(
    { operationId, intent, externalRef, path, body, bodyVersion, idempotencyKey }: SealedRequest,
    kind: SealKind = 'open',
  ): Buffer {
    const label = labels[kind];
    return this.#hmac(
      JSON.stringify([label, operationId, intent, externalRef, path, bodyVersion, idempotencyKey, body]),
    );
  }

  isOf(request: SealedRequest, seal: Buffer | null, kind: SealKind = 'open'): boolean {
    return seal?.length === sealBytes && timingSafeEqual(seal, this.of(request, kind));
  }

  #hmac(text: string): Buffer {
    this.#makeRoom(3 * text.length);
    const length = this.#inner.write(text, blockBytes, 'utf8');
    const digest = hash('sha256', this.#inner.subarray(0, blockBytes + length), 'binary');
    this.#outer.write(digest, blockBytes, 'latin1');
    return Buffer.from(hash('sha256', this.#outer, 'binary').slice(0, sealBytes), 'latin1');
  }

  /** @param bytes at most three for each character of the text, in UTF-8 */
  #makeRoom(bytes: number): void {
    if (blockBytes + bytes <= this.#inner.length) return;
    const larger = Buffer.alloc(blockBytes + bytes);
    this.#inner.copy(larger, 0, 0, blockBytes);
    this.#inner = larger;
  }
}
