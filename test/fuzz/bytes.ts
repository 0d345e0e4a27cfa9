import fc from 'fast-check';

/** One change of raw bytes; places count round. */
export interface ByteEdit {
  readonly kind: 'flip' | 'cut' | 'drop' | 'repeat' | 'insert' | 'swap';
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** What a careless or a hostile program sends in the middle of something else. */
const oddBytes = [
  Buffer.from('\r\n'),
  Buffer.from('\r\n\r\n'),
  Buffer.from('\r\nContent-Length: 5\r\n'),
  Buffer.from('\r\nTransfer-Encoding: chunked\r\n'),
  Buffer.from('\0'),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from('\\ud800'),
  Buffer.from('1e309'),
  Buffer.from('9'.repeat(400)),
  Buffer.from('{"a":'.repeat(3_000)),
  Buffer.from('['.repeat(20_000)),
  Buffer.from('"__proto__":{"x":1},'),
];

export const byteEdit: fc.Arbitrary<ByteEdit> = fc.record({
  kind: fc.constantFrom<ByteEdit['kind']>('flip', 'flip', 'cut', 'drop', 'repeat', 'insert', 'swap'),
  at: fc.nat(5_000),
  length: fc.integer({ min: 1, max: 64 }),
  bytes: fc.oneof(fc.constantFrom<Uint8Array>(...oddBytes), fc.uint8Array({ minLength: 1, maxLength: 12 })),
});

export function edited(bytes: Buffer, { kind, at, length, bytes: more }: ByteEdit): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const before = bytes.subarray(0, place);
  const part = bytes.subarray(place, place + length);
  const after = bytes.subarray(place + length);
  switch (kind) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[place] = (copy[place] ?? 0) ^ (1 << (length % 8));
      return copy;
    }
    case 'cut':
      return before;
    case 'drop':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, part, part, after]);
    case 'insert':
      return Buffer.concat([before, more, part, after]);
    case 'swap':
      return Buffer.concat([after, part, before]);
  }
}

/** How bytes arrive: in how many parts, how long after one another, and how the sender takes its leave. */
export interface Delivery {
  readonly parts: number;
  readonly pauseMs: number;
  readonly end: 'half_close' | 'cut' | 'silence';
}

export const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Delivery>({ parts: 1, pauseMs: 0, end: 'half_close' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      parts: fc.integer({ min: 1, max: 6 }),
      pauseMs: fc.integer({ min: 0, max: 15 }),
      end: fc.constantFrom<Delivery['end']>('half_close', 'cut', 'silence'),
    }),
  },
);

export function partsOf(bytes: Buffer, count: number): readonly Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
