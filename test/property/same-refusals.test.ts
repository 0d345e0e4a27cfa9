import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createIds } from '../../app/machine/ids.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { normalizePhone } from '../../app/service/rules/phones.ts';
import { createService, type Service } from '../../app/service/service.ts';
import { type Endpoint, type EndpointName, endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { phoneText } from '../../shared/contract/primitives.ts';
import { type BridgeUnderTest, startBridge } from '../support/bridge-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { arbitraryOf, type KnownFields, mutated, mutation, type Schema } from '../support/schema-arbitrary.ts';

// What the bridge takes with 202 and the service refuses for its form alone would be a sale that a person has to repair.

let bridge: BridgeUnderTest;
let service: Service;
beforeAll(async () => {
  bridge = await startBridge();
  const clock = new ManualClock();
  const random = seededRandom(1);
  service = createService({
    clock,
    currency: 'KWD',
    controlKey: 'control',
    random,
    ids: createIds(clock, random),
    data: { kind: 'memory' },
  });
});
afterAll(async () => {
  service.close();
  await bridge.close();
});

let referenceCount = 0;
/** Never the same one twice: neither side is to find what was taken before. */
const reference = fc.nat().map(() => `R-${++referenceCount}`);
const notPhones = ['abc', 'call me', '-', '+', '12', '1', '（）', '+abc', '٣٤', ' '];
const known: KnownFields = {
  external_ref: reference,
  reversal_ref: reference,
  phone: fc.constantFrom('+96599887766', '9988 7766', '٩٩٨٨٧٧٦٦', 'tel:+965-9988-7766', ...notPhones),
  email: fc.constantFrom('fatima.alsabah@example.com', 'not an address'),
  loyalty_id: fc.constantFrom('LC-1001', 'LC-1002'),
  currency: fc.constantFrom('KWD', 'USD', 'XXX', 'kwd', 'EURO'),
  amount_minor: fc.oneof(fc.integer({ min: -2, max: 900 }), fc.constantFrom(0.5, 1e15)),
  points: fc.constantFrom(1, 0.125, 0.0001, 0, -1, 1e13, 40),
  occurred_at: fc.constantFrom(
    '2026-11-20T18:00:00Z',
    '2026-11-20',
    '2026-02-30T10:00:00Z',
    '2026-11-20t21:12:00+03:00',
  ),
};

interface Asked {
  readonly name: EndpointName;
  readonly path: string;
  readonly body: string;
}

const schemaOf = (schema: z.ZodType): Schema => JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })));

function requestOf(name: EndpointName): fc.Arbitrary<Asked> {
  const endpoint: Endpoint = endpoints[name];
  return fc
    .record({ body: arbitraryOf(schemaOf(endpoint.body), known), mutations: fc.array(mutation, { maxLength: 2 }) })
    .map(({ body, mutations }) => {
      const sent = mutations.reduce<unknown>((value, change) => mutated(value, change), body);
      return { name, path: endpoint.path.replaceAll(/\{\w+\}/g, 'none'), body: JSON.stringify(sent ?? null) };
    });
}
const withBody = endpointNames.filter((name) => endpoints[name].bodyRule !== 'none');

const refusalSchema = z.object({
  error: z.object({ details: z.array(z.object({ field: z.string(), problem: z.string() })).min(1) }),
});
/** What depends on the tenant, which a till does not know. */
const ofTenant = 'is required: the verification code goes there';

/** The fields that are wrong in their form; null when none is. */
function fieldsIn(status: number, answer: unknown): readonly string[] | null {
  const refusal = refusalSchema.safeParse(answer);
  if (status !== 400 || !refusal.success) return null;
  const { details } = refusal.data.error;
  return details.some(({ problem }) => problem === ofTenant) ? null : details.map(({ field }) => field).sort();
}

describe('a request that is wrong in its form', () => {
  it('is refused by the bridge where the service refuses it, for the same fields', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...withBody.map(requestOf)), async ({ name, path, body }) => {
        const { method } = endpoints[name];
        const ours = await bridge.call(method, `/v1${path}`, body);
        const theirs = await service.handle(
          new Request(`http://sandbox.invalid/v1${path}`, {
            method,
            headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
            body,
          }),
        );
        expect(fieldsIn(ours.status, ours.json)).toEqual(fieldsIn(theirs.status, await theirs.json()));
      }),
      { numRuns: 600, seed: 20261122 },
    );
    expect(bridge.faults).toEqual([]);
  });

  it('is no phone number that the service would know', () => {
    const part = fc.constantFrom(
      ...Array.from('0123456789٠١٩０９+＋-–—.() /~x#,;ea'),
      ' ',
      ' ',
      'ext. ',
      ';ext=',
      'tel:',
      'b',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), fc.constantFrom('KW', 'US', 'NU', 'SH', 'DE'), (parts, region) => {
        const written = parts.join('');
        if (normalizePhone(written, region) !== null)
          expect(phoneText.safeParse(written)).toMatchObject({ success: true });
      }),
      { numRuns: 20_000, seed: 20261122 },
    );
    for (const written of notPhones) expect(phoneText.safeParse(written).success).toBe(false);
  });
});
