/** What is heard of a request while its body comes. */
interface ArrivingRequest {
  readonly headers: { readonly 'content-length'?: string | undefined };
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  once(event: 'end' | 'error' | 'close', listener: () => void): unknown;
  resume(): unknown;
}

/**
 * Reads a body, and keeps no more of it than the limit. What still comes of a longer one is thrown away on an open line:
 * many callers read the answer only after they have sent all, and a line that was closed takes the answer with it.
 *
 * @returns `too_large` as soon as that is known; `cut` when the caller hung up in the middle
 */
export function readLimitedBody(request: ArrivingRequest, maxBytes: number): Promise<Uint8Array | 'too_large' | 'cut'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    request.resume();
    return Promise.resolve('too_large');
  }
  return new Promise((resolve) => {
    let chunks: Uint8Array[] = [];
    let byteCount = 0;
    request.on('data', (chunk) => {
      byteCount += chunk.length;
      if (byteCount <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      resolve('too_large');
    });
    request.once('end', () => resolve(joined(chunks)));
    request.once('error', () => resolve('cut'));
    request.once('close', () => resolve('cut'));
  });
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}
