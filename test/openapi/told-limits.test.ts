import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../app/service/openapi/document.ts';
import { type Endpoint, endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { maxBodyBytes, maxIdempotencyKeyLength } from '../../shared/contract/primitives.ts';

// Every limit that a request is held against is told by the document: the schemas that check it are walked beside the
// document that is made from them.

const schemaNode = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
});
type SchemaNode = z.output<typeof schemaNode>;

const parameter = z.object({ name: z.string().optional(), in: z.string().optional(), schema: schemaNode.optional() });
const operation = z.looseObject({
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: schemaNode }) }) }).optional(),
});
const document = z
  .object({
    info: z.object({ description: z.string() }),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.object({
      schemas: z.record(z.string(), schemaNode),
      parameters: z.object({ IdempotencyKey: z.object({ schema: z.unknown() }) }),
    }),
  })
  .parse(openApiDocument('/v1'));

function resolved(node: SchemaNode): SchemaNode {
  const name = node.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? node : (document.components.schemas[name] ?? node);
}

/** As zod keeps a check. */
const checkFacts = z.looseObject({ check: z.string(), pattern: z.instanceof(RegExp).optional() });

function wordsOf(check: z.core.$ZodCheck<never>): string {
  const said = check instanceof z.core.$ZodCustom ? check._zod.def.error?.({ code: 'custom', input: undefined }) : null;
  return z.string().parse(said);
}

/** What the document has to say of one check, by the place where it says it. */
function needs(check: z.core.$ZodCheck<never>): readonly (readonly [string, unknown])[] {
  const facts = checkFacts.parse(check._zod.def);
  switch (facts.check) {
    case 'min_length':
      return [['minLength', facts.minimum]];
    case 'max_length':
      return [['maxLength', facts.maximum]];
    case 'greater_than':
      return [[facts.inclusive === true ? 'minimum' : 'exclusiveMinimum', facts.value]];
    case 'less_than':
      return [[facts.inclusive === true ? 'maximum' : 'exclusiveMaximum', facts.value]];
    case 'number_format':
      return [['type', 'integer']];
    case 'string_format':
      return [['pattern', facts.pattern?.source]];
    case 'custom':
      return [['description', expect.stringContaining(`“${wordsOf(check)}”`)]];
    // It changes what came, and refuses nothing.
    case 'overwrite':
      return [];
    default:
      throw new Error(`No word of ${facts.check} yet`);
  }
}

interface Told {
  readonly where: string;
  readonly told: SchemaNode;
  readonly needs: readonly (readonly [string, unknown])[];
}

/** Of two patterns the document tells the second one, which is the narrower. */
function withoutPattern(limit: Told): Told {
  return { ...limit, needs: limit.needs.filter(([place]) => place !== 'pattern') };
}

/** @param isText in an address everything is text, and what counts is what it is read as */
function limitsOf(schema: z.core.$ZodType, node: SchemaNode, where: string, isText = false): readonly Told[] {
  const told = resolved(node);
  const own = (schema._zod.def.checks ?? []).flatMap(needs);
  // Such as an e-mail address or a whole number: the schema is a check itself.
  const itself = schema instanceof z.core.$ZodStringFormat || schema instanceof z.core.$ZodNumberFormat;
  const all = itself ? [...own, ...needs(schema)] : own;
  const here = all.length === 0 ? [] : [{ where, told, needs: all }];
  const go = (inner: z.core.$ZodType) => limitsOf(inner, told, where, isText);
  if (schema instanceof z.core.$ZodLazy) return [...here, ...go(schema._zod.innerType)];
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodNullable
  )
    return [...here, ...go(schema._zod.def.innerType)];
  if (schema instanceof z.core.$ZodPipe) {
    const { in: first, out: second } = schema._zod.def;
    return [...here, ...(isText ? [] : go(first).map(withoutPattern)), ...go(second)];
  }
  if (!(schema instanceof z.core.$ZodObject)) return here;
  const fields = Object.entries(schema._zod.def.shape).flatMap(([name, field]) =>
    limitsOf(field, told.properties?.[name] ?? {}, `${where}.${name}`, isText),
  );
  return [...here, ...fields];
}

function limitsOfCall(name: keyof typeof endpoints): readonly Told[] {
  const endpoint: Endpoint = endpoints[name];
  const described = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  const inAddress = (place: string): SchemaNode => {
    const parameters = (described?.parameters ?? []).filter((one) => one.in === place);
    return { properties: Object.fromEntries(parameters.map((one) => [one.name ?? '', one.schema ?? {}])) };
  };
  const body = described?.requestBody?.content['application/json'].schema ?? {};
  return [
    ...limitsOf(endpoint.params, inAddress('path'), 'path', true),
    ...limitsOf(endpoint.query, inAddress('query'), 'query', true),
    ...(endpoint.bodyRule === 'none' ? [] : limitsOf(endpoint.body, body, 'body')),
  ];
}

describe('the OpenAPI document tells the limits that the schemas enforce', () => {
  const called = endpointNames.filter((name) => limitsOfCall(name).length > 0);

  test('of every call', () => {
    expect(called).toEqual(endpointNames);
  });

  test.each(called)('of %s', (name) => {
    for (const { where, told, needs: needed } of limitsOfCall(name)) {
      for (const [place, limit] of needed) expect({ where, [place]: told[place] }).toEqual({ where, [place]: limit });
    }
  });

  test('which other tools can read: every pattern is one in Unicode mode, too', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      z.string().parse(JSON.parse(text ?? '')),
    );
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });

  test('and those of no one field', () => {
    expect(document.info.description).toContain(`${maxBodyBytes} bytes`);
    expect(document.components.parameters.IdempotencyKey.schema).toMatchObject({ maxLength: maxIdempotencyKeyLength });
  });
});
