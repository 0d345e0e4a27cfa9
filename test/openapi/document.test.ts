import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../app/service/openapi/document.ts';
import { examples } from '../../app/service/openapi/examples.ts';
import { type Endpoint, endpointNames, endpoints } from '../../shared/contract/endpoints.ts';
import { faces } from '../support/service-faces.ts';

const root = join(import.meta.dirname, '..', '..');
const keptCopy = join(root, 'docs', 'openapi.json');

const operationSchema = z.object({
  operationId: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string().optional(),
        in: z.string().optional(),
        schema: z.unknown().optional(),
        $ref: z.string().optional(),
      }),
    )
    .optional(),
  requestBody: z.object({ required: z.boolean() }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const documentSchema = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const document = documentSchema.parse(openApiDocument('/v1'));

const keyHeader = { $ref: '#/components/parameters/IdempotencyKey' };

/** The specification's section "Endpoints", by hand: method, path, whether it is marked IK, its statuses. */
const endpointRows: readonly (readonly [string, string, 'IK' | '', readonly number[]])[] = [
  ['post', '/customers/identify', '', [200, 400, 401, 404]],
  ['post', '/customers/enroll', 'IK', [200, 201, 202, 400, 401, 409]],
  ['post', '/customers/enroll/verify', '', [200, 201, 401, 422]],
  ['get', '/customers/{customer_id}/transactions', '', [200, 401]],
  ['post', '/transactions/earn', 'IK', [200, 202, 400, 401, 404, 422]],
  ['post', '/transactions/redeem', 'IK', [200, 400, 401, 404, 409, 422, 504]],
  ['post', '/transactions/reverse', 'IK', [200, 202, 400, 401, 404, 409, 422]],
  ['post', '/transactions/{transaction_id}/reverse', 'IK', [200, 202, 400, 401, 404, 409, 422]],
  ['get', '/transactions/{transaction_id}', '', [200, 401, 404]],
  ['get', '/transactions', '', [200, 401]],
  ['post', '/redemptions/reserve', 'IK', [200, 201, 400, 401, 404, 422]],
  ['post', '/redemptions/{reservation_id}/commit', 'IK', [200, 400, 401, 404, 409, 410, 422]],
  ['post', '/redemptions/{reservation_id}/release', '', [200, 401, 404, 409]],
];

describe('the OpenAPI document', () => {
  test('has the thirteen calls of the specification and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(endpointRows.map(([method, path]) => `${method} ${path}`).sort());
  });

  test.each(endpointRows)('%s %s has its header and its statuses', (method, path, idempotencyKey, statuses) => {
    const operation = document.paths[path]?.[method];
    expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual(expect.arrayContaining([...statuses]));
    const parameters = operation?.parameters ?? [];
    expect(parameters.some(({ $ref }) => $ref === keyHeader.$ref)).toBe(idempotencyKey === 'IK');
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
  });

  test('tells how many transactions a page may have, and what an e-mail address is', () => {
    const history = document.paths['/customers/{customer_id}/transactions']?.get;
    const limit = history?.parameters?.find(({ name }) => name === 'limit')?.schema;
    expect(limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 25 });
    const enroll = z
      .object({ properties: z.object({ email: z.looseObject({ format: z.string() }) }) })
      .parse(document.components.schemas.EnrollRequest);
    expect(enroll.properties.email.format).toBe('email');
  });

  test.each(endpointNames)('the examples of %s keep the contract', (name) => {
    const endpoint: Endpoint = endpoints[name];
    const { body, answers } = examples[name];
    if (endpoint.bodyRule !== 'none') endpoint.body.parse(body);
    for (const [status, schema] of Object.entries(endpoint.answers)) schema.parse(answers[Number(status)]);
    expect(Object.keys(answers)).toEqual(Object.keys(endpoint.answers));
  });

  test('is kept in docs/ as the source makes it: run `npm run openapi` after a change', () => {
    const kept: unknown = JSON.parse(readFileSync(keptCopy, 'utf8'));
    expect(kept).toEqual(JSON.parse(JSON.stringify(openApiDocument('/v1'))));
  });

  test.each(faces)('is served by the control API with the address that was called, $name', async ({ start }) => {
    const face = await start();
    const answer = await face.control('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(openApiDocument(`${face.origin}/v1`))));
    expect((await face.control('GET', '/openapi.json', undefined, { key: null })).status).toBe(401);
    await face.close();
  });
});

describe('the linter', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbridge-openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function lint(content: object): { readonly totals: { readonly errors: number; readonly warnings: number } } {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(content));
    const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
    const args = [cli, 'lint', file, '--extends=recommended', '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    let printed: string;
    try {
      printed = execFileSync(process.execPath, args, {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch (error) {
      // It ends with 1 when it found an error.
      printed = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    }
    return JSON.parse(printed.slice(printed.indexOf('{')));
  }

  test('finds nothing, neither error nor warning', () => {
    expect(lint(openApiDocument('/v1')).totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test('is awake: an example that breaks its schema is found', () => {
    const text = JSON.stringify(openApiDocument('/v1')).replace('"amount_minor":12500', '"amount_minor":12.5');
    const { errors, warnings } = lint(JSON.parse(text)).totals;
    expect(errors + warnings).toBeGreaterThan(0);
  });
});
