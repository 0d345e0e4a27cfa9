import fc from 'fast-check';
import { hostileValue, type Mutation, mutated, mutation } from '../support/schema-arbitrary.ts';
import { type ByteEdit, byteEdit, type Delivery, delivery, edited } from './bytes.ts';

/** A request as a well-made program sends it. */
export interface HttpTemplate {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Null: none. */
  readonly body: unknown;
}

type Headers = readonly (readonly [string, string])[];

/** What HTTP leaves open to be read in two ways, and what it forbids. */
const oddHeaders: readonly (readonly [string, string])[] = [
  ['Content-Length', '5'],
  ['Content-Length', '-1'],
  ['Content-Length', '0x10'],
  ['Content-Length', '99999999999999999999'],
  ['Content-Length', '4, 4'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'chunked, identity'],
  ['Transfer-Encoding', ' chunked'],
  ['transfer-encoding', 'gzip'],
  ['Expect', '100-continue'],
  ['Expect', 'nonsense'],
  ['Connection', 'Upgrade'],
  ['Connection', 'close, keep-alive'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Host', 'evil.example'],
  ['Host', ''],
  ['Host', '127.0.0.1:0'],
  ['Host', '[::1'],
  ['Origin', 'null'],
  ['Origin', 'https://evil.example'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Basic eDp5'],
  ['Authorization', `Bearer ${'x'.repeat(4_000)}`],
  ['Authorization', 'Bearer \u00e9\u00ff'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', ''],
  ['Idempotency-Key', 'x'.repeat(300)],
  ['Idempotency-Key', ''],
  ['Last-Event-ID', '-1'],
  ['Last-Event-ID', 'run-1e309'],
  ['Sec-WebSocket-Key', 'short'],
  ['Sec-WebSocket-Version', '99'],
  ['Sec-WebSocket-Extensions', 'permessage-deflate; client_max_window_bits=99'],
  ['__proto__', 'x'],
  ['X-Long', 'y'.repeat(20_000)],
  ['Fold', 'a\r\n b'],
  ['Bad Name', 'x'],
];

const oddTargets = [
  '*',
  '/',
  '//',
  '/%',
  '/%ff',
  '/..%2f..%2fetc/passwd',
  '/v1/transactions/%00',
  '/v1/transactions/%ed%a0%80',
  '/__proto__',
  '/v1/__proto__/constructor',
  'http://evil.example/v1/agent/status',
  'http://127.0.0.1/v1/agent/status',
  'http://',
  '/v1/agent/events?after=1e999',
  '/v1/transactions?external_ref=a&external_ref=b',
  `/v1/transactions?external_ref=${'%F0%9F%98%80'.repeat(300)}`,
  `/${'a'.repeat(30_000)}`,
  '/assets/..%5c..%5csecrets.json',
  '/?token=%',
  '/till',
];

interface HttpEdits {
  readonly body: readonly Mutation[];
  readonly text: 'as_it_is' | 'twice_the_field' | 'lone_surrogate' | 'deep' | 'huge_number' | 'no_json';
  readonly headers: readonly { readonly kind: 'add' | 'drop' | 'twice' | 'first'; readonly at: number }[];
  readonly target: number;
  readonly framing: 'length' | 'chunked' | 'odd_chunks' | 'none';
  readonly bytes: readonly ByteEdit[];
  readonly isPipelined: boolean;
}

/** Now and then: most messages stay close to what they were, or nothing behind the door would hear of them. */
const rarely = <Value>(value: fc.Arbitrary<Value>, else_: Value, weight = 5): fc.Arbitrary<Value> =>
  fc.oneof({ weight, arbitrary: fc.constant(else_) }, { weight: 1, arbitrary: value });

const edits: fc.Arbitrary<HttpEdits> = fc.record({
  body: rarely(fc.array(mutation, { minLength: 1, maxLength: 3 }), [], 2),
  text: rarely(
    fc.constantFrom<HttpEdits['text']>('twice_the_field', 'lone_surrogate', 'deep', 'huge_number', 'no_json'),
    'as_it_is',
  ),
  headers: rarely(
    fc.array(
      fc.record({
        kind: fc.constantFrom('add' as const, 'add' as const, 'drop' as const, 'twice' as const, 'first' as const),
        at: fc.nat(200),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    [],
    4,
  ),
  target: rarely(fc.integer({ min: 0, max: oddTargets.length - 1 }), -1, 8),
  framing: rarely(fc.constantFrom<HttpEdits['framing']>('chunked', 'odd_chunks', 'none'), 'length'),
  bytes: rarely(fc.array(byteEdit, { minLength: 1, maxLength: 4 }), [], 4),
  isPipelined: rarely(fc.constant(true), false, 9),
});

/** Bytes for a socket, and how they come. */
export interface RawMessage {
  readonly bytes: Buffer;
  readonly delivery: Delivery;
}

/** Requests near those of a corpus. */
export function httpMessages(corpus: readonly HttpTemplate[]): fc.Arbitrary<RawMessage> {
  return fc
    .record({ template: fc.constantFrom(...corpus), number: fc.nat(9_999), edits, delivery, hostile: hostileValue })
    .map(({ template, number, edits: made, delivery: comes, hostile }) => {
      const one = render(withKey(template, number), made, hostile);
      const whole = made.isPipelined ? Buffer.concat([one, one]) : one;
      return { bytes: made.bytes.reduce(edited, whole), delivery: comes };
    });
}

/** Most requests have a key of their own: five refusals alike in a row would make the queue wait for a person. */
function withKey(template: HttpTemplate, number: number): HttpTemplate {
  const headers = template.headers.map(([name, value]) => [name, value.replace('FZ-K1', `FZ-K${number}`)] as const);
  return { ...template, headers };
}

function render(template: HttpTemplate, made: HttpEdits, hostile: unknown): Buffer {
  const target = oddTargets[made.target] ?? template.target;
  const body = bodyText(template.body, made, hostile);
  const headers = made.headers.reduce<Headers>(headersEdited, [
    ...template.headers,
    ...(body === null ? [] : framingOf(body, made.framing)),
  ]);
  const head = [`${template.method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), framed(body, made.framing)]);
}

function headersEdited(headers: Headers, { kind, at }: HttpEdits['headers'][number]): Headers {
  const index = headers.length === 0 ? 0 : at % headers.length;
  const chosen = headers[index];
  const odd = oddHeaders[at % oddHeaders.length];
  switch (kind) {
    case 'add':
      return odd === undefined ? headers : [...headers, odd];
    case 'drop':
      return headers.filter((_, place) => place !== index);
    case 'twice':
      return chosen === undefined ? headers : [...headers, chosen];
    case 'first':
      return odd === undefined ? headers : [odd, ...headers];
  }
}

function bodyText(body: unknown, { body: mutations, text }: HttpEdits, hostile: unknown): string | null {
  if (body === null) return null;
  const changed = mutations.reduce<unknown>((value, change) => mutated(value, change), body);
  const json = JSON.stringify(changed) ?? 'null';
  switch (text) {
    case 'as_it_is':
      return json;
    case 'twice_the_field':
      return json.replace(/^\{/, `{"external_ref":${JSON.stringify(hostile) ?? '1'},"points":-1,`);
    case 'lone_surrogate':
      return json.replace(/:"/, ':"\\ud800');
    case 'deep':
      return json.replace(/\}$/, `,"metadata":${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}}`);
    case 'huge_number':
      return json.replace(/:\d+/, ':1e309');
    case 'no_json':
      return `${json.slice(0, -1)},}`;
  }
}

function framingOf(body: string, framing: HttpEdits['framing']): Headers {
  switch (framing) {
    case 'length':
      return [['Content-Length', String(Buffer.byteLength(body))]];
    case 'chunked':
    case 'odd_chunks':
      return [['Transfer-Encoding', 'chunked']];
    case 'none':
      return [];
  }
}

function framed(body: string | null, framing: HttpEdits['framing']): Buffer {
  const bytes = Buffer.from(body ?? '');
  switch (framing) {
    case 'length':
    case 'none':
      return bytes;
    case 'chunked':
      return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
    case 'odd_chunks':
      return Buffer.concat([
        Buffer.from(`${bytes.length.toString(16)};${'x'.repeat(9_000)}\r\n`),
        bytes,
        Buffer.from('\r\n0\r\nTrailer: x\r\n\r\n'),
      ]);
  }
}
