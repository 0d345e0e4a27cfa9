import type { z } from 'zod';
import {
  commonErrors as commonErrorTable,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
} from '../../../shared/contract/endpoints.ts';
import { type ErrorCode, errorBodySchema, errorFacts } from '../../../shared/contract/errors.ts';
import { maxIdempotencyKeyLength } from '../../../shared/contract/primitives.ts';
import { examples, parameterExamples } from './examples.ts';
import type { JsonSchema, SchemaBook } from './schemas.ts';

const commonErrors: Endpoint['errors'] = commonErrorTable;

type Part = Readonly<Record<string, unknown>>;

const json = 'application/json';

/** The five intents of the specification, its reservations, and looking things up. */
export const tags = [
  { name: 'identify', description: 'Find a customer and their cards.' },
  { name: 'enroll', description: 'Create a customer and issue a wallet card.' },
  { name: 'earn', description: 'Grant loyalty value: accepted at once, completed shortly after.' },
  { name: 'redeem', description: 'Spend loyalty value: done when it is answered.' },
  { name: 'reverse', description: 'Refund or void an earlier transaction.' },
  { name: 'reservations', description: 'Hold value against a cart for online checkout.' },
  { name: 'reads', description: 'Read the outcome of an operation, or a history.' },
] as const;

const tagOf: Readonly<Record<EndpointName, (typeof tags)[number]['name']>> = {
  identify: 'identify',
  enroll: 'enroll',
  verify: 'enroll',
  history: 'reads',
  earn: 'earn',
  redeem: 'redeem',
  reverse: 'reverse',
  reverseById: 'reverse',
  transaction: 'reads',
  transactionsByReference: 'reads',
  reserve: 'reservations',
  commit: 'reservations',
  release: 'reservations',
};

/** The document's paths, from THE table of calls. */
export function pathsOf(book: SchemaBook): Readonly<Record<string, Part>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of endpointNames) {
    const { path, method } = endpoints[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name, endpoints[name], book) };
  }
  return paths;
}

function operationOf(name: EndpointName, endpoint: Endpoint, book: SchemaBook): Part {
  const parameters = [
    ...fieldParameters('path', endpoint.params, book),
    ...fieldParameters('query', endpoint.query, book),
    ...(endpoint.idempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [tagOf[name]],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.bodyRule === 'none' ? {} : { requestBody: requestBodyOf(name, endpoint, book) }),
    responses: responsesOf(name, endpoint, book),
  };
}

function requestBodyOf(name: EndpointName, endpoint: Endpoint, book: SchemaBook): Part {
  return {
    required: endpoint.bodyRule === 'required',
    content: { [json]: { schema: book.use(endpoint.body, 'input'), example: examples[name].body } },
  };
}

/**
 * Each property of an object schema as a parameter of its own. In an address everything is text: what a parameter may be is
 * told by what it is read as, with its limits and its default.
 */
function fieldParameters(place: 'path' | 'query', schema: z.ZodType, book: SchemaBook): readonly Part[] {
  const { required = [] } = book.use(schema, 'input');
  const { properties = {} } = book.use(schema, 'output');
  if (!isRecord(properties) || !Array.isArray(required)) return [];
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: field,
    ...(name in parameterExamples ? { example: parameterExamples[name] } : {}),
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function responsesOf(name: EndpointName, endpoint: Endpoint, book: SchemaBook): Part {
  const responses: Record<string, Part> = {};
  for (const [status, schema] of Object.entries(endpoint.answers)) {
    const example = examples[name].answers[Number(status)];
    responses[status] = {
      description: descriptionOfGood(Number(status), endpoint),
      headers: requestIdHeader,
      content: { [json]: { schema: book.use(schema, 'output'), ...(example === undefined ? {} : { example }) } },
    };
  }
  for (const [status, codes] of refusalsByStatus(endpoint)) {
    const isCommon = codes.length === commonErrors[status]?.length;
    responses[status] = isCommon
      ? { $ref: `#/components/responses/Error${status}` }
      : refusalOf(status, codes, endpoint, book);
  }
  return responses;
}

function descriptionOfGood(status: number, endpoint: Endpoint): string {
  if (status === 201) return 'Made.';
  if (status === 202) return 'Accepted: read the outcome later.';
  return endpoint.kind === 'write' && Object.keys(endpoint.answers).length > 1
    ? 'A replay: the outcome of the same request before.'
    : 'Done.';
}

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** What else a refusal of a status carries. */
const headersOfStatus: Readonly<Record<number, Part>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
  405: { Allow: { schema: { type: 'string' }, description: 'The methods that the path accepts.' } },
  429: { 'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait.' } },
};

function refusalsByStatus(endpoint: Endpoint): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, readonly ErrorCode[]>();
  for (const [status, codes] of [...Object.entries(commonErrors), ...Object.entries(endpoint.errors)]) {
    const before = byStatus.get(Number(status)) ?? [];
    byStatus.set(Number(status), [...new Set([...before, ...codes])]);
  }
  return byStatus;
}

/** The refusals that any call may answer, by name. */
export function commonResponses(book: SchemaBook): Readonly<Record<string, Part>> {
  return Object.fromEntries(
    Object.entries(commonErrors).map(([status, codes]) => [
      `Error${status}`,
      refusalOf(Number(status), codes, {}, book),
    ]),
  );
}

function refusalOf(
  status: number,
  codes: readonly ErrorCode[],
  endpoint: Pick<Endpoint, 'refusalBodies'>,
  book: SchemaBook,
): Part {
  const bodies = new Set<z.ZodType>(codes.map((code) => endpoint.refusalBodies?.[code] ?? errorBodySchema));
  const schemas: readonly JsonSchema[] = [...bodies].map((body) => book.use(body, 'output'));
  const [first = 'INTERNAL'] = codes;
  const words = codes.map((code) => `${code}${errorFacts[code].retryable ? ' (retryable)' : ''}`);
  return {
    description: words.join(', '),
    headers: { ...requestIdHeader, ...headersOfStatus[status] },
    content: {
      [json]: {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        ...(first in (endpoint.refusalBodies ?? {}) ? {} : { example: exampleOf(first) }),
      },
    },
  };
}

function exampleOf(code: ErrorCode): object {
  const { retryable } = errorFacts[code];
  return {
    error: { code, message: 'What went wrong, for people.', retryable, request_id: 'req_01JD6Z8W3T7P1X5N9QKB2VDMCE' },
  };
}

/** What several calls share, by name. */
export const sharedParts = {
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Optional. The natural key (source, external_ref, intent) is checked in any case.',
      schema: { type: 'string', minLength: 1, maxLength: maxIdempotencyKeyLength },
    },
  },
  headers: {
    RequestId: { description: 'The same as request_id in an error.', schema: { type: 'string' } },
  },
} as const;
