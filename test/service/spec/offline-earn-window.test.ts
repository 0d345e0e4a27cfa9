import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faces, type TestFace, testStartMs } from '../../support/service-faces.ts';

const hourMs = 3_600_000;

describe.each(faces)('the offline earn window, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
    await face.control('POST', '/clock', { mode: 'manual' });
  });
  afterEach(() => face.close());

  const earnAt = (occurredAtMs: number) =>
    face.post('/transactions/earn', {
      identifier: { loyalty_id: 'LC-1001' },
      external_ref: 'R-1',
      points: 1,
      occurred_at: new Date(occurredAtMs).toISOString(),
    });

  test.each([
    ['just within 72 hours', -72 * hourMs, 202],
    ['a millisecond past 72 hours', -72 * hourMs - 1, 422],
    ['just within 300 seconds ahead', 300_000, 202],
    ['a millisecond more ahead', 300_001, 422],
  ])('%s', async (_, offsetMs, status) => {
    const answer = await earnAt(testStartMs + offsetMs);
    expect(answer.status).toBe(status);
    if (status === 202) return;
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      retryable: false,
      details: ['occurred_at_outside_window'],
    });
    expect((await face.get('/transactions?external_ref=R-1')).body.data).toEqual([]);
  });

  test('both bounds follow the settings', async () => {
    await face.control('PATCH', '/settings', { offline_window_hours: 1, future_tolerance_seconds: 0 });
    expect((await earnAt(testStartMs - hourMs - 1)).status).toBe(422);
    expect((await earnAt(testStartMs + 1)).status).toBe(422);
    expect((await earnAt(testStartMs - hourMs)).status).toBe(202);
  });

  test("the window moves with the service's clock", async () => {
    expect((await earnAt(testStartMs + hourMs)).status).toBe(422);
    await face.advance(hourMs);
    expect((await earnAt(testStartMs + hourMs)).status).toBe(202);
  });
});
