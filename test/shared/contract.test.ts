import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  commonErrors,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
  fillPath,
} from '../../shared/contract/endpoints.ts';
import {
  errorCodes,
  errorFacts,
  errorObject,
  errorObjectSchema,
  receivedErrorSchema,
} from '../../shared/contract/errors.ts';
import { identifierEntry, identifierKinds, identifierSchema } from '../../shared/contract/identifier.ts';
import { positivePoints } from '../../shared/contract/primitives.ts';
import { problemsInWords, validate } from '../../shared/contract/problems.ts';
import { transactionAcceptedSchema } from '../../shared/contract/transaction.ts';

const identifier = { loyalty_id: 'LC-1' };
const earn = { identifier, external_ref: 'R-1', amount_minor: 12_500 };

const isEmpty = (check: z.ZodType) => check instanceof z.ZodObject && Object.keys(check.shape).length === 0;

function problems(name: EndpointName, body: unknown): string {
  const validated = validate<z.ZodType>(endpoints[name].body, body);
  return validated.kind === 'valid' ? '' : problemsInWords(validated.problems);
}

describe('the endpoint table', () => {
  it('has no check made before the first call that needs it: a start would wait for all of them', () => {
    const parts = endpointNames.flatMap((name) => {
      const { body, answers }: Endpoint = endpoints[name];
      const ofAnswers = Object.entries(answers).map(([status, check]) => ({ part: `${name} ${status}`, check }));
      return [{ part: `${name} body`, check: body }, ...ofAnswers];
    });
    const made = parts.filter(({ check }) => !(check instanceof z.ZodLazy || isEmpty(check))).map(({ part }) => part);
    // The one of several shapes is made of those.
    expect(made).toEqual(['earn 202']);
  });

  it('has the thirteen calls of the specification, with their methods, paths, answers and keys', () => {
    const table = endpointNames.map((name) => {
      const { method, path, idempotencyKey, bodyRule, answers, kind } = endpoints[name];
      return `${method} ${path} ${Object.keys(answers).join('/')} ${idempotencyKey ? 'IK' : '-'} body ${bodyRule} ${kind}`;
    });
    expect(table.sort()).toEqual(
      [
        'POST /customers/identify 200 - body required read',
        'POST /customers/enroll 200/201/202 IK body required write',
        'POST /customers/enroll/verify 200/201 - body required write',
        'GET /customers/{customer_id}/transactions 200 - body none read',
        'POST /transactions/earn 200/202 IK body required write',
        'POST /transactions/redeem 200 IK body required write',
        'POST /transactions/reverse 200/202 IK body required write',
        'POST /transactions/{transaction_id}/reverse 200/202 IK body optional write',
        'GET /transactions/{transaction_id} 200 - body none read',
        'GET /transactions 200 - body none read',
        'POST /redemptions/reserve 200/201 IK body required write',
        'POST /redemptions/{reservation_id}/commit 200 IK body required write',
        'POST /redemptions/{reservation_id}/release 200 - body none write',
      ].sort(),
    );
  });

  it('names only errors of the specification, each under a status that it can have', () => {
    const alsoWith: Readonly<Record<string, readonly number[]>> = {
      VALIDATION_ERROR: [400, 404, 405, 409, 413, 415, 422],
    };
    for (const { errors } of [...Object.values(endpoints), { errors: commonErrors }]) {
      for (const [status, codes] of Object.entries(errors) as [string, readonly (keyof typeof errorFacts)[]][]) {
        for (const code of codes)
          expect([errorFacts[code].status, ...(alsoWith[code] ?? [])]).toContain(Number(status));
      }
    }
  });

  it('names every error somewhere', () => {
    const named = [...Object.values(endpoints), { errors: commonErrors }].flatMap(({ errors }) =>
      Object.values(errors).flat(),
    );
    expect(new Set(named)).toEqual(new Set<string>(errorCodes));
  });

  it('fills paths, percent-encoded, and never half', () => {
    expect(fillPath('/transactions/{transaction_id}/reverse', { transaction_id: 'a/b c' })).toBe(
      '/transactions/a%2Fb%20c/reverse',
    );
    expect(() => fillPath('/transactions/{transaction_id}', {})).toThrow('transaction_id');
  });
});

describe('an id in a path', () => {
  it.each(['.', '..'])('is not %s: a server would read another path', (id) => {
    for (const name of endpointNames) {
      const params: z.ZodObject = endpoints[name].params;
      for (const param of Object.keys(params.shape)) {
        expect(validate(params, { [param]: id })).toEqual({
          kind: 'invalid',
          problems: [{ field: param, problem: 'must not be . or .., which would name another path' }],
        });
        expect(validate(params, { [param]: `${id}.a` }).kind).toBe('valid');
      }
    }
    expect(validate(transactionAcceptedSchema, { transaction_id: id, status: 'pending', duplicate: false }).kind).toBe(
      'invalid',
    );
  });
});

describe('the errors', () => {
  it('are the sixteen of the specification, with the statuses and retryable of the decisions', () => {
    const table = Object.entries(errorFacts).map(([code, { status, retryable }]) => `${code} ${status} ${retryable}`);
    expect(table.sort()).toEqual(
      [
        'UNAUTHENTICATED 401 false',
        'CUSTOMER_NOT_FOUND 404 false',
        'CARD_NOT_ELIGIBLE 422 false',
        'INSUFFICIENT_BALANCE 422 false',
        'COUPON_ALREADY_REDEEMED 409 false',
        'RESERVATION_EXPIRED 410 false',
        'VALIDATION_ERROR 400 false',
        'TENANT_SUSPENDED 403 false',
        'RATE_LIMITED 429 true',
        'UPSTREAM_TIMEOUT 504 true',
        'TEMPLATE_MECHANICS_UNKNOWN 422 false',
        'ALREADY_REVERSED 409 false',
        'ALREADY_ENROLLED 409 false',
        'OTP_INVALID 422 false',
        'DUPLICATE_TRANSACTION 409 false',
        'INTERNAL 500 true',
      ].sort(),
    );
    expect(errorCodes).toHaveLength(16);
  });

  it('are made whole, and read back', () => {
    for (const code of errorCodes) {
      const made = errorObject(code, { message: 'm', requestId: 'r', details: ['d', 1] });
      expect(errorObjectSchema.parse(made)).toEqual({
        code,
        message: 'm',
        retryable: errorFacts[code].retryable,
        request_id: 'r',
        details: ['d', 1],
      });
    }
    expect(errorObject('INTERNAL', { message: 'm', requestId: 'r' })).not.toHaveProperty('details');
    expect(receivedErrorSchema.safeParse({ code: 'NEW', message: '', retryable: true, request_id: '' }).success).toBe(
      true,
    );
    expect(errorObjectSchema.safeParse({ code: 'NEW', message: '', retryable: true, request_id: '' }).success).toBe(
      false,
    );
  });
});

describe('an identifier', () => {
  it.each(identifierKinds)('may be a %s alone', (kind) => {
    const value = kind === 'email' ? 'sara@example.com' : kind === 'phone' ? '9988 7766' : 'x-1';
    const parsed = identifierSchema.parse({ [kind]: value });
    expect(identifierEntry(parsed)).toEqual({ kind, value });
  });

  it.each([
    [{}, 'must have exactly one of loyalty_id, phone, email, external_id, customer_id'],
    [
      { loyalty_id: 'a', phone: '99887766' },
      'must have exactly one of loyalty_id, phone, email, external_id, customer_id',
    ],
    [{ loyalty_id: 'a', nickname: 'b' }, 'nickname: is not a known field'],
    [{ nickname: 'b' }, 'nickname: is not a known field'],
    [{ loyalty_id: '' }, 'loyalty_id: must not be empty'],
    [{ loyalty_id: null }, 'loyalty_id: must be a string'],
    [{ loyalty_id: 7 }, 'loyalty_id: must be a string'],
    [{ loyalty_id: 'x'.repeat(256) }, 'loyalty_id: must have at most 255 characters'],
    [{ loyalty_id: 'a\u0000b' }, 'loyalty_id: must not hold control characters'],
    [{ loyalty_id: '\ud800' }, 'loyalty_id: must be well-formed Unicode'],
    [{ email: 'nobody' }, 'email: must be an e-mail address'],
    [{ phone: 'abc' }, 'phone: is not a phone number'],
    [[], 'must be an object'],
    ['LC-1', 'must be an object'],
  ])('%j is refused', (value, words) => {
    expect(problems('identify', value)).toContain(words);
  });

  it('is refused inside a body, with its path', () => {
    expect(problems('earn', { ...earn, identifier: { phone: '99887766', email: 'b@c.de' } })).toContain(
      'identifier: must have exactly one of',
    );
  });
});

describe('a body', () => {
  it.each<[EndpointName, object]>([
    ['earn', earn],
    ['earn', { ...earn, points: 1.5 }],
    ['earn', { identifier, external_ref: 'R', stamps: 1 }],
    [
      'earn',
      {
        identifier,
        external_ref: 'R',
        visits: 2,
        metadata: { any: ['thing'] },
        occurred_at: '2026-11-20T21:00:00+03:00',
      },
    ],
    ['earn', { ...earn, a_field_that_we_do_not_know: 1 }],
    ['redeem', { identifier, external_ref: 'R', reward: true, reward_id: 'rwd_1' }],
    ['redeem', { identifier, external_ref: 'R', coupon_code: 'card_1' }],
    ['reserve', { identifier, external_ref: 'R', points: 10, ttl_minutes: 500 }],
    ['reverse', { external_ref: 'R', intent: 'earn' }],
    ['reverseById', {}],
    ['enroll', { external_ref: 'U', phone: '50001234' }],
    ['enroll', { external_ref: 'U', email: 'a@b.co', channel: 'ecommerce' }],
    ['verify', { enrollment_id: 'enr_1', otp: '123456' }],
    ['commit', { external_ref: 'O' }],
  ])('of %s may be %j', (name, body) => {
    expect(problems(name, body)).toBe('');
  });

  it.each<[EndpointName, object, string]>([
    ['earn', { identifier, amount_minor: 1 }, 'external_ref: is required'],
    ['earn', { external_ref: 'R', amount_minor: 1 }, 'identifier: is required'],
    ['earn', { identifier, external_ref: 'R' }, 'needs one of amount_minor, points, stamps, visits'],
    ['earn', { ...earn, points: 1, stamps: 1 }, 'must not have two of points, stamps, visits'],
    ['earn', { ...earn, amount_minor: 0 }, 'amount_minor: must be above zero'],
    ['earn', { ...earn, amount_minor: -5 }, 'amount_minor: must be above zero'],
    ['earn', { ...earn, amount_minor: 12.5 }, 'amount_minor: must be an integer in minor units'],
    ['earn', { ...earn, amount_minor: 2 ** 53 }, 'amount_minor: is too large'],
    ['earn', { ...earn, stamps: 2 ** 53 }, 'stamps: is too large'],
    ['earn', { ...earn, amount_minor: '12500' }, 'amount_minor:'],
    ['earn', { ...earn, amount_minor: null }, 'amount_minor:'],
    ['earn', { ...earn, points: 0 }, 'points: must be above zero'],
    ['earn', { ...earn, points: 0.0001 }, 'points: must have at most three decimals'],
    ['earn', { ...earn, points: 1e13 }, 'points: is too large'],
    ['earn', { ...earn, stamps: 1.5 }, 'stamps: must be a whole number'],
    ['earn', { ...earn, visits: 0 }, 'visits: must be above zero'],
    ['earn', { ...earn, currency: 'kwd' }, 'currency: must be three upper-case letters (ISO 4217)'],
    ['earn', { ...earn, currency: 'ZZZ' }, 'currency: is not a currency of ISO 4217'],
    ['earn', { ...earn, occurred_at: '2026-11-20' }, 'occurred_at: must be an RFC 3339 date and time with an offset'],
    ['earn', { ...earn, occurred_at: '2026-11-20T21:00:00' }, 'occurred_at: must be an RFC 3339'],
    ['earn', { ...earn, occurred_at: '2026-02-30T21:00:00Z' }, 'occurred_at: must be an RFC 3339'],
    ['earn', { ...earn, occurred_at: '2026-13-01T21:00:00Z' }, 'occurred_at: must be an RFC 3339'],
    ['earn', { ...earn, occurred_at: '2026-12-31T23:59:60Z' }, 'occurred_at: must be an RFC 3339'],
    ['earn', { ...earn, occurred_at: '2026-11-20T24:00:00Z' }, 'occurred_at: must be an RFC 3339'],
    ['earn', { ...earn, occurred_at: '2026-11-20 21:00:00Z' }, 'occurred_at: must be an RFC 3339'],
    ['earn', { ...earn, occurred_at: '9999-12-31T23:59:59-01:00' }, 'occurred_at: must be before the year 10000'],
    ['earn', { ...earn, occurred_at: '0000-01-01T00:59:59+01:00' }, 'occurred_at: must not be before the year 0'],
    ['earn', { ...earn, metadata: { filler: 'x'.repeat(17_000) } }, 'metadata: must be at most 16384 bytes'],
    ['earn', { ...earn, metadata: { filler: 'ق'.repeat(9_000) } }, 'metadata: must be at most 16384 bytes'],
    ['earn', { ...earn, metadata: [] }, 'metadata:'],
    ['earn', { ...earn, external_ref: '' }, 'external_ref: must not be empty'],
    ['earn', { ...earn, external_ref: 'x'.repeat(256) }, 'external_ref: must have at most 255 characters'],
    [
      'redeem',
      { identifier, external_ref: 'R' },
      'needs exactly one of points, amount_minor, stamps, visits, coupon_code, reward',
    ],
    ['redeem', { identifier, external_ref: 'R', points: 1, amount_minor: 1 }, 'needs exactly one of'],
    [
      'redeem',
      { identifier, external_ref: 'R', reward: false },
      'reward: must be true; leave it out instead of sending false',
    ],
    ['reserve', { identifier, external_ref: 'R' }, 'needs exactly one of points and amount_minor'],
    [
      'reserve',
      { identifier, external_ref: 'R', points: 1, amount_minor: 1 },
      'needs exactly one of points and amount_minor',
    ],
    ['reserve', { identifier, external_ref: 'R', points: 1, ttl_minutes: 0 }, 'ttl_minutes: must be at least 1'],
    ['reverse', { external_ref: 'R' }, 'intent:'],
    ['reverse', { external_ref: 'R', intent: 'enroll' }, 'intent:'],
    ['enroll', { external_ref: 'U' }, 'needs a phone or an email'],
    ['enroll', { external_ref: 'U', phone: '1', channel: 'web' }, 'channel:'],
    ['verify', { enrollment_id: 'enr_1' }, 'otp: is required'],
    ['commit', {}, 'external_ref: is required'],
  ])('of %s may not be %j', (name, body, words) => {
    expect(problems(name, body)).toContain(words);
  });

  it('has one problem for each value of the wrong type', () => {
    expect(problems('earn', { ...earn, external_ref: [] })).toBe('external_ref: must be a string');
    expect(problems('earn', { ...earn, external_ref: Array.from({ length: 300 }, () => 1), branch_ref: [] })).toBe(
      'external_ref: must be a string; branch_ref: must be a string',
    );
    expect(problems('earn', { ...earn, external_ref: '', branch_ref: '\u0000' })).toBe(
      'external_ref: must not be empty; branch_ref: must not hold control characters',
    );
  });

  it('is told of with every problem that it has', () => {
    expect(problems('earn', { identifier: {}, external_ref: '', amount_minor: -1 }).split('; ')).toHaveLength(3);
  });
});

describe('the query of the history', () => {
  const parse = (query: object) => endpoints.history.query.safeParse(query);
  it.each([
    [{}, 25],
    [{ limit: '1' }, 1],
    [{ limit: '100' }, 100],
    [{ limit: 7 }, 7],
  ])('%j has the limit %i', (query, limit) => {
    expect(parse(query)).toMatchObject({ success: true, data: { limit } });
  });
  it.each([{ limit: '0' }, { limit: '101' }, { limit: '1.5' }, { limit: 'many' }, { cursor: '' }])(
    '%j is refused',
    (query) => {
      expect(parse(query).success).toBe(false);
    },
  );
});

describe('points', () => {
  it.each([0.001, 1.5, 68_185_126.893, 999_999_999.999])('%f is taken, for it has at most three decimals', (points) => {
    expect(positivePoints.safeParse(points).success).toBe(true);
  });

  it.each([0, 0.0001, 1.2345, 68_185_126.8931])('%f is refused', (points) => {
    expect(positivePoints.safeParse(points).success).toBe(false);
  });
});
