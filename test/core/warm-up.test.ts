import { afterEach, expect, it, vi } from 'vitest';
import { warmUp } from '../../app/core/warm-up.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';

const log = { error: vi.fn() };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function spies() {
  const dateOf = vi.fn(() => '2026-11-20');
  const clock = { now: () => 17, monotonicMs: () => 0, setTimer: () => () => undefined };
  const read = vi.fn();
  const parses = [
    vi.spyOn(endpoints.earn.body, 'parse'),
    vi.spyOn(endpoints.earn.answers[202], 'parse'),
    vi.spyOn(endpoints.transaction.answers[200], 'parse'),
  ];
  return {
    core: { calendar: { dateOf }, clock, firstUses: [read] },
    made: () => [dateOf, ...parses, read].filter(({ mock }) => mock.calls.length > 0),
  };
}

/** However long a turn takes here, the time of the first sales is not over. */
const standStill = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('makes what a sale needs to be saved at once, one piece in each turn, and each sample is what it stands for', async () => {
  standStill();
  const { core, made } = spies();
  const end = warmUp(core, { onCalm: () => undefined, log });
  expect(made()).toHaveLength(0);
  for (let pieces = 1; pieces <= 3; pieces += 1) {
    await nextTurn();
    expect(made()).toHaveLength(pieces);
  }
  await nextTurn();
  expect(made()).toHaveLength(3);
  expect(core.calendar.dateOf).toHaveBeenCalledWith(17);
  end();
});

it('leaves what is needed to send it, and all else that is loaded late, until the first sales are over', async () => {
  vi.useFakeTimers();
  const { core, made } = spies();
  const onCalm = vi.fn();
  const end = warmUp(core, { onCalm, log });
  await vi.advanceTimersByTimeAsync(49);
  expect(onCalm).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onCalm).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(5);
  expect(made()).toHaveLength(5);
  end();
});

it('stops between two pieces when the agent goes down', async () => {
  const { core, made } = spies();
  const onCalm = vi.fn();
  const end = warmUp(core, { onCalm, log });
  await nextTurn();
  end();
  await new Promise((resolve) => setTimeout(resolve, 70));
  expect(made()).toHaveLength(1);
  expect(onCalm).not.toHaveBeenCalled();
});

it('goes on behind a piece that throws, and logs it: the agent lives', async () => {
  standStill();
  const { core, made } = spies();
  const error = new Error('integer overflow');
  core.calendar.dateOf.mockImplementation(() => {
    throw error;
  });
  const end = warmUp(core, { onCalm: () => undefined, log });
  for (let piece = 1; piece <= 3; piece += 1) await nextTurn();
  expect(made()).toHaveLength(3);
  expect(log.error.mock.calls).toEqual([[{ error }, expect.any(String)]]);
  end();
});
