import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallOutcome, Unknown } from '../../app/client/outcome.ts';
import { Connectivity } from '../../app/line/connectivity.ts';
import { seededRandom } from '../../app/machine/random.ts';
import { ManualClock } from '../support/manual-clock.ts';

// A single sale tries a line whose looks the service answers with an error. What one outcome leaves for the next.

const error = { code: 'INTERNAL', message: 'no', retryable: true, request_id: 'req_1' };
const said = { kind: 'unknown', recorded: 'maybe', message: 'no', error, facts: null, retryAfterMs: null } as const;
const broken: Unknown = { ...said, cause: 'service' };
const throttled: Unknown = { ...said, cause: 'throttled' };
const facts = { httpStatus: 200, requestId: null, serviceDateMs: null };
const passed: CallOutcome<unknown> = { kind: 'done', answer: null, facts };

let clock: ManualClock;
let line: Connectivity;
let answerOfLook: CallOutcome<unknown>;

beforeEach(async () => {
  clock = new ManualClock();
  answerOfLook = broken;
  line = new Connectivity({
    clock,
    random: seededRandom(1),
    reconnectSpreadMs: 15_000,
    idleProbeMs: 15_000,
    flapSettleMs: 5_000,
    probe: () => Promise.resolve(answerOfLook),
  });
  line.start();
  await turn();
});
afterEach(() => line.stop());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
async function pass(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += 100) {
    clock.advance(100);
    await turn();
  }
}
/** @returns how long it took until a sale may try, in milliseconds */
async function untilTry(): Promise<number> {
  const startMs = clock.monotonicMs();
  while (line.saleGate !== 'trial') await pass(100);
  return clock.monotonicMs() - startMs;
}
async function failTries(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await untilTry();
    line.saleTries();
    line.failed('service', null);
    line.saleTried();
  }
}

it('a sale that tried and failed is under way no more: what fails late changes nothing', async () => {
  await failTries(1);
  line.failed('offline', null);
  expect(line.connection.cause).toBe('service');
});

it('a sale that fails after one has passed is no try any more: the next one waits for longer than the look', async () => {
  line.saleTries();
  line.writePassed();
  line.saleTried();
  line.failed('service', null);
  expect(await untilTry()).toBeGreaterThan(1_000);
});

it('no sale tries while the till waits its turn after an outage', async () => {
  await failTries(3);
  await untilTry();
  answerOfLook = throttled;
  await line.tryNow();
  expect([line.gate, line.saleGate]).toEqual(['closed', 'closed']);
  await pass(15_000);
  expect(line.gate).toBe('trial');
});

it('a sale that passes ends no wait that a look was told meanwhile', async () => {
  line.saleTries();
  answerOfLook = { ...broken, retryAfterMs: 600_000 };
  await pass(5_000);
  expect(line.connection.waits_until).toBeDefined();
  line.writePassed();
  expect([line.gate, line.saleGate]).toEqual(['closed', 'closed']);
  expect(line.connection).toMatchObject({ state: 'offline', waits_until: expect.any(String) });
});

describe('after many tries that failed', () => {
  beforeEach(() => failTries(8));

  it('the next one waits minutes', async () => {
    expect(await untilTry()).toBeGreaterThan(60_000);
  });

  it.each([
    ['a sale that passed', async () => line.writePassed()],
    [
      'a look that passed',
      async () => {
        answerOfLook = passed;
        await pass(60_000);
        answerOfLook = broken;
      },
    ],
  ])('%s lets the next ones wait seconds again', async (_, end) => {
    await untilTry();
    line.saleTries();
    await end();
    await pass(20_000);
    line.failed('service', null);
    expect(line.saleGate).toBe('closed');
    expect(await untilTry()).toBeLessThan(30_000);
  });
});

it('a look-up that fails beside a sale makes look-ups wait no longer than they do', async () => {
  line.saleTries();
  line.writePassed();
  const { leftMs } = line.lookUps;
  expect(leftMs).toBeGreaterThan(0);
  line.failed('service', 3_000_000, { isLookUp: true });
  expect(line.lookUps.leftMs).toBe(leftMs);
});
