import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { followingClock } from '../../app/service/time/following-clock.ts';
import { createTestClock } from '../../app/service/time/test-clock.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { faces, type TestFace, testStartMs } from '../support/service-faces.ts';

describe.each(faces)('POST /clock, $name', ({ start }) => {
  let face: TestFace;
  beforeEach(async () => {
    face = await start();
  });
  afterEach(() => face.close());

  const clock = (body: object) => face.control('POST', '/clock', body);
  const earn = async (externalRef: string) =>
    (
      await face.post('/transactions/earn', {
        identifier: { loyalty_id: 'LC-1001' },
        external_ref: externalRef,
        points: 1,
      })
    ).body.transaction_id as string;
  const read = async (id: string) => (await face.get(`/transactions/${id}`)).body;

  test('a manual clock stands still, and runs what became due before it answers', async () => {
    expect((await clock({ mode: 'manual' })).body).toEqual({ now: '2026-11-20T18:13:00.000Z', clock: 'manual' });
    const id = await earn('R-1');
    face.host.advance(3_600_000);
    expect((await read(id)).status).toBe('pending');
    const moved = await clock({ advance_ms: 60_000 });
    expect(moved.body).toEqual({ now: '2026-11-20T18:14:00.000Z', clock: 'manual' });
    expect(await read(id)).toMatchObject({ status: 'success', completed_at: '2026-11-20T18:13:01.000Z' });
  });

  test('what became due is done in its order, each at its own time', async () => {
    await clock({ mode: 'manual' });
    await face.control('PATCH', '/settings', { apply_delay_ms: 5000 });
    const late = await earn('R-late');
    await face.control('PATCH', '/settings', { apply_delay_ms: 1000 });
    const early = await earn('R-early');
    await clock({ advance_ms: 10_000 });
    expect(await read(early)).toMatchObject({
      completed_at: '2026-11-20T18:13:01.000Z',
      new_balances: { points: 246.5 },
    });
    expect(await read(late)).toMatchObject({
      completed_at: '2026-11-20T18:13:05.000Z',
      new_balances: { points: 247.5 },
    });
  });

  test('in real mode an advance is an offset, and it goes on by itself', async () => {
    await clock({ advance_ms: 3_600_000 });
    face.host.advance(5000);
    expect((await face.control('GET', '/')).body.now).toBe('2026-11-20T19:13:05.000Z');
    const id = await earn('R-1');
    face.host.advance(1000);
    expect((await read(id)).status).toBe('success');
  });

  test('set goes to an instant; going back is 400 and moves nothing', async () => {
    expect((await clock({ set: '2026-12-01T03:00:00+03:00' })).body.now).toBe('2026-12-01T00:00:00.000Z');
    const back = await clock({ set: '2026-11-30T00:00:00Z' });
    expect(back.status).toBe(400);
    expect(back.body.error.message).toMatch(/^set: is before the service's time/);
    expect((await face.control('GET', '/')).body.now).toBe('2026-12-01T00:00:00.000Z');
  });

  test('what was advanced is kept when a manual clock turns real', async () => {
    await clock({ mode: 'manual' });
    await clock({ advance_ms: 86_400_000 });
    const id = await earn('R-1');
    face.host.advance(2000);
    expect((await clock({ mode: 'real' })).body).toEqual({ now: '2026-11-21T18:13:02.000Z', clock: 'real' });
    expect((await read(id)).status).toBe('success');
    face.host.advance(500);
    expect((await face.control('GET', '/')).body.now).toBe('2026-11-21T18:13:02.500Z');
  });

  test.each([
    [{}, /needs exactly one of advance_ms, set and mode/],
    [{ advance_ms: 1, mode: 'manual' }, /needs exactly one/],
    [{ advance: 1 }, /^advance: is not a known field$/],
    [{ mode: 'fast' }, /^mode: must be "real" or "manual"$/],
    [{ advance_ms: -1 }, /advance_ms: must not be negative/],
    [{ advance_ms: 1.5 }, /advance_ms: must be a whole number/],
    [{ advance_ms: 1e13 }, /advance_ms: must be at most/],
    [{ set: 'tomorrow' }, /set: must be an RFC 3339/],
    [{ set: '9999-12-31T00:00:00Z' }, /set: must not go beyond/],
    [{ mode: 'fast' }, /mode: must be "real" or "manual"/],
    [{ speed: 2 }, /speed: is not a known field/],
  ])('%o is 400', async (body, words) => {
    const answer = await clock(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(words);
  });
});

describe('the test clock itself', () => {
  const create = (host = new ManualClock(testStartMs)) => ({
    host,
    clock: createTestClock({ host, initial: null, keep: () => {} }),
  });

  test('a timer that another sets during a move fires in the same move', () => {
    const { clock } = create();
    clock.setMode('manual');
    const seen: number[] = [];
    clock.setTimer(() => {
      seen.push(clock.now() - testStartMs);
      clock.setTimer(() => seen.push(clock.now() - testStartMs), 10);
    }, 100);
    clock.advance(200);
    expect(seen).toEqual([100, 110]);
    expect(clock.now() - testStartMs).toBe(200);
  });

  test('a timer that was taken back never fires', () => {
    const { clock, host } = create();
    const fired: string[] = [];
    const cancel = clock.setTimer(() => fired.push('first'), 100);
    clock.setTimer(() => fired.push('second'), 200);
    cancel();
    host.advance(300);
    expect(fired).toEqual(['second']);
  });

  test('a wait longer than a Node timer can hold is taken in steps', () => {
    const { clock, host } = create();
    let fired = false;
    clock.setTimer(() => {
      fired = true;
    }, 60 * 86_400_000);
    host.advance(59 * 86_400_000);
    expect(fired).toBe(false);
    host.advance(86_400_000);
    expect(fired).toBe(true);
  });

  test('a timer that throws ends the move, and the clock is where it was', () => {
    const { clock, host } = create();
    let told = 0;
    clock.onChange(() => {
      told += 1;
    });
    const monotonicMs = clock.monotonicMs();
    clock.setTimer(() => {
      throw new Error('no room');
    }, 100);
    expect(() => clock.advance(200)).toThrow('no room');
    expect(clock.now()).toBe(testStartMs);
    expect(clock.monotonicMs()).toBe(monotonicMs);
    expect(told).toBe(0);
    clock.setTimer(() => {
      throw new Error('no room');
    }, 100);
    // By itself it harms nobody.
    host.advance(100);
    expect(clock.now()).toBe(testStartMs + 100);
  });

  test('a move that cannot be kept leaves the clock where it was, whichever move it is', () => {
    const host = new ManualClock(testStartMs);
    let isFull = false;
    const kept: object[] = [];
    const clock = createTestClock({
      host,
      initial: null,
      keep(state) {
        if (isFull) throw new Error('no room');
        kept.push(state);
      },
    });
    clock.setMode('manual');
    clock.advance(5000);
    isFull = true;
    const moves = [
      () => clock.advance(1000),
      () => clock.set(testStartMs + 60_000),
      () => clock.setMode('real'),
      () => clock.reset(),
    ];
    for (const move of moves) {
      expect(move).toThrow('no room');
      expect([clock.mode, clock.now()]).toEqual(['manual', testStartMs + 5000]);
    }
    expect(kept).toHaveLength(2);
  });

  test('a host clock that is set back does not take the sandbox back when it turns real', () => {
    const { clock, host } = create();
    clock.setMode('manual');
    host.jump(-3_600_000);
    clock.setMode('real');
    expect(clock.now()).toBe(testStartMs);
  });
});

describe('the clock that an agent follows', () => {
  test("shows the sandbox's time and fires at whichever comes first", () => {
    const host = new ManualClock(testStartMs);
    const sandbox = createTestClock({ host, initial: null, keep: () => {} });
    const clock = followingClock({ clock: sandbox, onClockChange: (listener) => sandbox.onChange(listener) }, host);
    const fired: string[] = [];
    sandbox.setMode('manual');

    clock.setTimer(() => fired.push('by the host'), 500);
    host.advance(500);
    expect(fired).toEqual(['by the host']);
    expect(clock.now()).toBe(testStartMs);

    clock.setTimer(() => fired.push('later'), 2000);
    clock.setTimer(() => fired.push('sooner'), 1000);
    const before = clock.monotonicMs();
    sandbox.advance(3000);
    expect(fired).toEqual(['by the host', 'sooner', 'later']);
    expect(clock.now()).toBe(testStartMs + 3000);
    expect(clock.monotonicMs() - before).toBe(3000);
    host.advance(10_000);
    expect(fired).toHaveLength(3);
    expect(host.timerCount).toBe(0);
  });

  test('a timer that was taken back fires by neither', () => {
    const host = new ManualClock(testStartMs);
    const sandbox = createTestClock({ host, initial: null, keep: () => {} });
    const clock = followingClock({ clock: sandbox, onClockChange: (listener) => sandbox.onChange(listener) }, host);
    let fired = false;
    const cancel = clock.setTimer(() => {
      fired = true;
    }, 1000);
    cancel();
    sandbox.advance(5000);
    host.advance(5000);
    expect(fired).toBe(false);
  });
});
