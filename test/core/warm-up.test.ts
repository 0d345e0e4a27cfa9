import { expect, it, vi } from 'vitest';
import { warmUp } from '../../app/warm-up.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function spies() {
  const businessDateOf = vi.fn(() => '2026-11-20');
  const clock = { now: () => 17, monotonicMs: () => 0, setTimer: () => () => undefined };
  const parses = [
    vi.spyOn(endpoints.earn.body, 'parse'),
    vi.spyOn(endpoints.earn.answers[202], 'parse'),
    vi.spyOn(endpoints.transaction.answers[200], 'parse'),
  ];
  return {
    core: { businessDateOf, clock },
    made: () => [businessDateOf, ...parses].filter(({ mock }) => mock.calls.length > 0),
  };
}

it('makes what a sale needs first, one piece in each turn, and each sample is what it stands for', async () => {
  const { core, made } = spies();
  warmUp(core);
  expect(made()).toHaveLength(0);
  for (let pieces = 1; pieces <= 4; pieces += 1) {
    await nextTurn();
    expect(made()).toHaveLength(pieces);
  }
  expect(core.businessDateOf).toHaveBeenCalledWith(17);
  vi.restoreAllMocks();
});

it('stops between two pieces when the agent goes down', async () => {
  const { core, made } = spies();
  const end = warmUp(core);
  await nextTurn();
  end();
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  expect(made()).toHaveLength(1);
  vi.restoreAllMocks();
});
