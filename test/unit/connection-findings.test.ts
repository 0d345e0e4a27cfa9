import { expect, it } from 'vitest';
import { connectionFindings } from '../../app/doctor/check-connection.ts';

const outcome = {
  kind: 'unknown',
  cause: 'not_the_service',
  message: "HTTP 404: the service's API is not at this address",
  recorded: 'maybe',
  error: null,
  retryAfterMs: null,
  facts: null,
} as const;

it.each([
  ['https://loyalty.example', 'ends with /v1'],
  ['https://loyalty.example/api', 'ends with /v1'],
  ['https://loyalty.example/v1', 'the sign-in page'],
  ['https://loyalty.example/v1/', 'the sign-in page'],
])('an address at which another program answers is told what to do: %s, %s', (baseUrl, advice) => {
  const [finding] = connectionFindings(outcome, {
    baseUrl,
    tls: { min_version: '1.2', pins: [] },
    tookMs: 1,
    nowMs: 0,
  });
  expect(finding).toMatchObject({ check: 'address', verdict: 'problem', advice: expect.stringContaining(advice) });
});
