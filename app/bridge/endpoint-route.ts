import { z } from 'zod';
import type { Endpoint } from '../../shared/contract/endpoints.ts';
import { maxBodyBytes, maxIdempotencyKeyLength } from '../../shared/contract/primitives.ts';
import { type Problem, problemsOf } from '../../shared/contract/problems.ts';
import { type Failure, invalidInput } from './answers.ts';
import type { BridgeAnswer, BridgeRequest } from './messages.ts';
import type { Route } from './router.ts';

export type Reply = BridgeAnswer | Failure;

/** Answers one request whose path matched. */
export type BridgeHandler = (
  request: BridgeRequest,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
) => Promise<Reply> | Reply;

/** A call whose every part passed the endpoint's schemas. */
export interface EndpointCall<E extends Endpoint> {
  readonly params: z.output<E['params']>;
  readonly query: z.output<E['query']>;
  readonly body: z.output<E['body']>;
  readonly idempotencyKey: string | null;
}

/** The route of an endpoint of the specification: the same schemas as the service's own, then `answer`. */
export function endpointRoute<const E extends Endpoint>(
  endpoint: E,
  answer: (call: EndpointCall<E>) => Promise<Reply> | Reply,
): Route<BridgeHandler> {
  return {
    method: endpoint.method,
    path: `/v1${endpoint.path}`,
    handler: async (request, givenParams, givenQuery) => {
      const params = z.safeParse<E['params']>(endpoint.params, givenParams);
      if (!params.success) return invalidInput(problemsOf(params.error));
      const queryValues = readQuery(givenQuery);
      if ('problem' in queryValues) return invalidInput([queryValues.problem]);
      const query = z.safeParse<E['query']>(endpoint.query, queryValues.values);
      if (!query.success) return invalidInput(problemsOf(query.error));
      const key = endpoint.idempotencyKey ? request.header('idempotency-key') || null : null;
      if (key !== null && key.length > maxIdempotencyKeyLength) {
        const problem = `must have at most ${maxIdempotencyKeyLength} characters`;
        return invalidInput([{ field: 'Idempotency-Key', problem }]);
      }
      const given = endpoint.bodyRule === 'none' ? { kind: 'json' as const, value: {} } : await readJson(request);
      if (given.kind === 'failure') return given.failure;
      const body = z.safeParse<E['body']>(endpoint.body, given.value);
      if (!body.success) return invalidInput(problemsOf(body.error));
      return answer({ params: params.data, query: query.data, body: body.data, idempotencyKey: key });
    },
  };
}

function readQuery(
  query: URLSearchParams,
): { readonly values: Record<string, string> } | { readonly problem: Problem } {
  const values: Record<string, string> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(values, name)) return { problem: { field: name, problem: 'must be given once' } };
    values[name] = value;
  }
  return { values };
}

type GivenJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure };

async function readJson(request: BridgeRequest): Promise<GivenJson> {
  const contentType = request.header('content-type') ?? '';
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType)) {
    return fail(415, 'Send the body as Content-Type: application/json.');
  }
  const bytes = await request.readBody(maxBodyBytes);
  if (bytes === 'too_large') return fail(413, `The body must be at most ${maxBodyBytes} bytes.`);
  if (bytes === 'cut') return fail(400, 'The body ended early; nothing was done.');
  try {
    return { kind: 'json', value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return fail(400, 'The body is not JSON in UTF-8.');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function fail(status: number, message: string): GivenJson {
  return { kind: 'failure', failure: { status, code: 'VALIDATION_ERROR', message } };
}
