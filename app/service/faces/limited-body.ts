import { maxBodyBytes } from '../../../shared/contract/primitives.ts';
import type { IncomingCall } from '../calls/exchange.ts';

/** Reads a body to its end, or until it is over the limit. No more than the limit is kept. */
export async function readLimited(body: AsyncIterable<Uint8Array | string>): Promise<IncomingCall['body']> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.byteLength;
    if (length > maxBodyBytes) return 'too_large';
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
