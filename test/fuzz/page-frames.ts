import fc from 'fast-check';
import { z } from 'zod';
import { type TillCommandName, tillCommands } from '../../shared/till/api.ts';
import {
  arbitraryOf,
  hostileValue,
  type KnownFields,
  mutated,
  mutation,
  type Schema,
} from '../support/schema-arbitrary.ts';
import { byteEdit, edited } from './bytes.ts';

/** They would end the session of everybody, or change the clock under the sales that are counted. */
const leftOut: ReadonlySet<TillCommandName> = new Set([
  'lab.move_clock',
  'lab.reset',
  'lab.revoke_key',
  'lab.change_key',
]);

const known: KnownFields = {
  identifier: fc.constantFrom({ loyalty_id: 'LC-1001' }, { phone: '+96555510001' }, { loyalty_id: 'nobody' }),
  operation_id: fc.uuid({ version: 4 }),
  currency: fc.constantFrom('KWD', 'USD', 'XXX'),
  occurred_at: fc.constantFrom('2026-11-20T18:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
  date: fc.constantFrom('2026-11-20', '0000-00-00', '9999-12-31'),
  effect: fc.constant({ type: 'delay', ms: 1 }),
  match: fc.constant({ path: '/nowhere' }),
  patch: fc.constantFrom({ device_name: 'Till 2' }, { 'limits.max_points': 1e15 }, { card_pattern: '(a+)+$' }),
};

const commandNames = Object.keys(tillCommands) as TillCommandName[];

const rarely = <Value>(value: fc.Arbitrary<readonly Value[]>, weight: number): fc.Arbitrary<readonly Value[]> =>
  fc.oneof({ weight, arbitrary: fc.constant<readonly Value[]>([]) }, { weight: 1, arbitrary: value });

const question: fc.Arbitrary<unknown> = fc.oneof(
  ...commandNames
    .filter((name) => !leftOut.has(name))
    .map((name) => {
      const schema = schemaOf(tillCommands[name].input);
      return fc.record({ id: fc.nat(1_000), command: fc.constant(name), input: arbitraryOf(schema, known) });
    }),
);

function schemaOf(schema: z.ZodType): Schema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })));
}

/** What a page that has proven its session may send, or somebody in its place. */
interface PageFrame {
  readonly bytes: Buffer;
  /** It is a question in shape: the line stays open. */
  readonly isWhole: boolean;
}

export const pageFrame: fc.Arbitrary<PageFrame> = fc
  .record({
    asked: question,
    inside: fc.array(mutation, { maxLength: 2 }),
    around: rarely(fc.array(mutation, { maxLength: 2 }), 8),
    text: rarely(fc.tuple(hostileValue), 20),
    edits: rarely(fc.array(byteEdit, { minLength: 1, maxLength: 3 }), 12),
  })
  .map(({ asked, inside, around, text, edits }) => {
    const { input, ...rest } = Object(asked);
    const changed = { ...rest, input: inside.reduce<unknown>((value, change) => mutated(value, change), input) };
    const whole = around.reduce<unknown>((value, change) => mutated(value, change), changed);
    const json = JSON.stringify(text.length === 0 ? whole : text[0]) ?? 'undefined';
    const bytes = edits.reduce(edited, maskedFrame(Buffer.from(json)));
    return { bytes, isWhole: text.length === 0 && around.length === 0 && edits.length === 0 };
  });

/** Always the same: a seed makes the same bytes. */
const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** One frame with text (RFC 6455, 5.2), masked as a browser masks it. */
function maskedFrame(payload: Buffer): Buffer {
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : payload.length < 65_536
        ? Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 0xff])
        : Buffer.concat([Buffer.from([0x80 | 127, 0, 0, 0, 0]), uint32(payload.length)]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81]), length, mask, masked]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
