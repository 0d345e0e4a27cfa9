import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What goes to the service, and what names the row: changed afterwards, it is another sale. */
export interface SealedRequest {
  readonly operationId: string;
  readonly intent: string;
  readonly externalRef: string;
  readonly path: string;
  readonly body: string | null;
  readonly bodyVersion: number;
  readonly idempotencyKey: string | null;
}

/** A request that has ended, cancelled or written off, is not one that may be sent: its seal is another one. */
export type Standing = 'open' | 'ended';
const labels: Readonly<Record<Standing, string>> = { open: 'row', ended: 'ended row' };

const sealBytes = 16;

/** Seals the frozen requests of operations with the key of the till, which is not in the database. */
export class RowSeal {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** About 3 microseconds; 14 with a key that is not an object of its own. */
  of(
    { operationId, intent, externalRef, path, body, bodyVersion, idempotencyKey }: SealedRequest,
    standing: Standing = 'open',
  ): Buffer {
    const label = labels[standing];
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([label, operationId, intent, externalRef, path, bodyVersion, idempotencyKey, body]))
      .digest()
      .subarray(0, sealBytes);
  }

  isOf(request: SealedRequest, seal: Buffer | null, standing: Standing = 'open'): boolean {
    return seal?.length === sealBytes && timingSafeEqual(seal, this.of(request, standing));
  }
}
