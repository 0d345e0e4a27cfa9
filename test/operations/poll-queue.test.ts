import { describe, expect, it } from 'vitest';
import { PollQueue } from '../../app/operations/delivery/poll-queue.ts';
import type { AcceptedOperation } from '../../app/store/rows/delivery.ts';

const acceptedAtMs = Date.parse('2026-11-20T10:00:00Z');

function row(rowId: number, part: Partial<AcceptedOperation> = {}): AcceptedOperation {
  return {
    rowId,
    intent: 'earn',
    externalRef: `R-${rowId}`,
    path: '/transactions/earn',
    body: '{}',
    occurredAtMs: acceptedAtMs,
    serviceTransactionId: `txn_${rowId}`,
    send: 1,
    attempts: 0,
    updatedAtMs: acceptedAtMs,
    ...part,
  };
}

/** What is asked about at this moment, in order. */
function takeAt(queue: PollQueue, nowMs: number, count = Number.POSITIVE_INFINITY): number[] {
  queue.ripen(nowMs);
  const rowIds: number[] = [];
  while (rowIds.length < count) {
    const polled = queue.take();
    if (polled === null) break;
    rowIds.push(polled.row.rowId);
  }
  return rowIds;
}

describe('the times of the polls', () => {
  it.each([700, 1_000, 1_900, 2_500, 9_000, 60_000])(
    'tell of what the service applied after %i ms before twice as long has passed',
    (applyMs) => {
      const queue = new PollQueue();
      queue.add(row(1), acceptedAtMs);
      for (;;) {
        const nowMs = queue.nextAtMs();
        queue.ripen(nowMs);
        const polled = queue.take();
        if (polled === null) throw new Error('It is due and cannot be taken');
        if (nowMs - acceptedAtMs >= applyMs) {
          expect(nowMs - acceptedAtMs).toBeLessThanOrEqual(2 * applyMs);
          return;
        }
        queue.again(polled, nowMs);
      }
    },
  );

  it('are a minute apart at the most', () => {
    const queue = new PollQueue();
    queue.add(row(1), acceptedAtMs);
    let nowMs = acceptedAtMs;
    for (let polls = 0; polls < 60; polls += 1) {
      const nextAtMs = queue.nextAtMs();
      expect(nextAtMs - nowMs).toBeLessThanOrEqual(60_000);
      nowMs = nextAtMs;
      queue.ripen(nowMs);
      const polled = queue.take();
      if (polled !== null) queue.again(polled, nowMs);
    }
    expect(nowMs - acceptedAtMs).toBeGreaterThan(40 * 60_000);
  });
});

describe('when more are due than can be asked about', () => {
  it('the newest is asked about first, and then those that have waited longest', () => {
    const queue = new PollQueue();
    for (let rowId = 1; rowId <= 8; rowId += 1) queue.add(row(rowId), acceptedAtMs);
    expect(takeAt(queue, acceptedAtMs + 5_000)).toEqual([8, 1, 2, 3, 7, 4, 5, 6]);
  });

  it('none waits for ever, however many new ones come', () => {
    const queue = new PollQueue();
    for (let rowId = 1; rowId <= 10; rowId += 1) queue.add(row(rowId), acceptedAtMs);
    const taken: number[] = [];
    for (let second = 1; second <= 4; second += 1) {
      const nowMs = acceptedAtMs + second * 10_000;
      for (let more = 0; more < 20; more += 1) queue.add(row(100 * second + more), nowMs - 5_000);
      taken.push(...takeAt(queue, nowMs, 4));
    }
    expect(taken.filter((rowId) => rowId <= 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // The newest of each time, and those that came after the old ones.
    expect(taken.filter((rowId) => rowId > 10)).toEqual([119, 219, 319, 419, 100, 101]);
  });
});

describe('a row that is sent again while it is asked about', () => {
  const sentAnew = row(1, { send: 2 });

  it('stays, whatever the older poll has learned', () => {
    const queue = new PollQueue();
    queue.add(row(1), acceptedAtMs);
    queue.ripen(acceptedAtMs + 1_500);
    const older = queue.take();
    queue.add(sentAnew, acceptedAtMs + 2_000);
    if (older !== null) queue.remove(older);
    expect(queue.size).toBe(1);
    expect(takeAt(queue, acceptedAtMs + 4_000)).toEqual([1]);
  });

  it('is asked about once, though the older one was due', () => {
    const queue = new PollQueue();
    queue.add(row(1), acceptedAtMs);
    queue.ripen(acceptedAtMs + 1_500);
    queue.add(sentAnew, acceptedAtMs + 2_000);
    queue.add(sentAnew, acceptedAtMs + 2_000);
    expect(takeAt(queue, acceptedAtMs + 4_000)).toEqual([1]);
  });
});
