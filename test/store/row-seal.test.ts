import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowSeal, type SealedRequest } from '../../app/store/rows/row-seal.ts';

const words = fc.string({ unit: 'binary', maxLength: 60 });
const requests: fc.Arbitrary<SealedRequest> = fc.record({
  operationId: words,
  intent: words,
  externalRef: words,
  path: words,
  body: fc.option(fc.string({ unit: 'binary', maxLength: 9_000 })),
  bodyVersion: fc.nat(),
  idempotencyKey: fc.option(words),
});
const keys = fc.uint8Array({ minLength: 0, maxLength: 130 });

/** As the seals were made that stand in the databases of tills. */
function hmacOf(key: Uint8Array, label: string, request: SealedRequest): Buffer {
  const { operationId, intent, externalRef, path, bodyVersion, idempotencyKey, body } = request;
  const text = JSON.stringify([label, operationId, intent, externalRef, path, bodyVersion, idempotencyKey, body]);
  return createHmac('sha256', key).update(text).digest().subarray(0, 16);
}

describe('The seal of a row', () => {
  it('is the start of an HMAC-SHA-256, whatever the key and however long the request', () => {
    fc.assert(
      fc.property(keys, fc.array(requests, { minLength: 1, maxLength: 4 }), (key, all) => {
        const seal = new RowSeal(key);
        // One after another: what a long one has left behind is no part of the next.
        for (const request of all) {
          expect(seal.of(request)).toEqual(hmacOf(key, 'row', request));
          expect(seal.of(request, 'ended')).toEqual(hmacOf(key, 'ended row', request));
        }
      }),
    );
  });

  it('is right for its own request and standing alone', () => {
    fc.assert(
      fc.property(requests, words, (request, other) => {
        const seal = new RowSeal(Buffer.alloc(32, 5));
        const made = seal.of(request);
        expect(seal.isOf(request, made)).toBe(true);
        expect(seal.isOf(request, made, 'ended')).toBe(false);
        expect(seal.isOf({ ...request, externalRef: `${request.externalRef}${other}x` }, made)).toBe(false);
        expect(new RowSeal(Buffer.alloc(32, 6)).isOf(request, made)).toBe(false);
      }),
    );
  });
});
