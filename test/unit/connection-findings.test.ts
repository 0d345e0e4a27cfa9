import { expect, it } from 'vitest';
import { connectionFindings } from '../../app/doctor/connection-findings.ts';
import { connectionLines } from '../../app/doctor/connection-lines.ts';
import { doneOutcome, fakeNowMs } from '../support/fake-records.ts';

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
  const lines = connectionLines(outcome, { baseUrl, tookMs: 1, nowMs: 0 });
  const [finding] = connectionFindings(lines, { baseUrl, tls: { min_version: '1.2', pins: [] } });
  expect(finding).toMatchObject({ check: 'address', verdict: 'problem', advice: expect.stringContaining(advice) });
});

it.each([
  [60_000, 'well', 'agrees'],
  [60_001, 'problem', 'is 60 s behind'],
  [60_499, 'problem', 'is 60 s behind'],
  [-60_001, 'problem', 'is 60 s ahead of'],
])('a clock %i ms off is one on the screen and to the doctor alike: %s', (serviceIsAheadMs, verdict, says) => {
  const facts = { baseUrl: 'https://loyalty.example/v1', tookMs: 12, nowMs: fakeNowMs - serviceIsAheadMs };
  const lines = connectionLines(doneOutcome({}), facts);
  const findings = connectionFindings(lines, { ...facts, tls: { min_version: '1.2', pins: [] } });
  expect(lines.find(({ check }) => check === 'clock')?.tone).toBe(verdict);
  expect(findings).toMatchObject([
    { check: 'address', verdict: 'well', says: 'https://loyalty.example/v1 answered in 12 ms' },
    { check: 'key', verdict: 'well' },
    { check: 'clock', verdict, says: expect.stringContaining(says) },
  ]);
});
