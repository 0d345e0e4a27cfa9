import { describe, expect, it } from 'vitest';
import type { CallOutcome, Unknown } from '../../app/client/outcome.ts';
import { causeRules, rowBackoff } from '../../app/line/causes.ts';
import { Suspects } from '../../app/operations/delivery/suspects.ts';
import { openWindow } from '../../app/operations/delivery/window.ts';
import { cancellation, type EarnAnswer, putBack, recover, settle } from '../../app/operations/settlement/settlement.ts';
import type { SendableOperation } from '../../app/store/rows/delivery.ts';
import { advance } from '../../shared/machines/machine.ts';
import { operationMachine } from '../../shared/machines/operation.ts';
import { causes } from '../../shared/till/views.ts';
import { fakeOperation } from '../support/fake-records.ts';

const row = { rowId: 1, send: 2, attempts: 3, maybeSent: false };
const moment = { nowMs: 1_000_000, random: 0.5, isRowAlone: false };
const facts = { httpStatus: 202, requestId: 'req_1', serviceDateMs: null };

function unknown(cause: Unknown['cause'], recorded: Unknown['recorded']): Unknown {
  return { kind: 'unknown', cause, recorded, message: '', error: null, facts: null, retryAfterMs: null };
}
const accepted: CallOutcome<EarnAnswer> = {
  kind: 'done',
  answer: { transaction_id: 'txn_1', status: 'pending', duplicate: false },
  facts,
};

describe('what an outcome makes of a row', () => {
  it.each([
    ['pending', 'accept'],
    ['processing', 'accept'],
    ['success', 'apply'],
    ['failed', 'fail'],
    ['reversed', 'reverse'],
  ] as const)('%s at the service: %s', (status, event) => {
    const answer = { transaction_id: 'txn_1', status, duplicate: true };
    expect(settle(row, { kind: 'done', answer, facts }, moment)).toMatchObject({
      event,
      serviceTransactionId: 'txn_1',
      attempts: 3,
      cause: null,
      send: 2,
    });
  });

  it('a refusal is proven: nothing is recorded, whatever came before', () => {
    const error = { code: 'CARD_NOT_ELIGIBLE', message: '', retryable: false, request_id: 'req_e' };
    const outcome = { kind: 'refused', error, facts: { ...facts, httpStatus: 422 }, body: {} } as const;
    expect(settle({ ...row, maybeSent: true }, outcome, moment)).toMatchObject({
      event: 'refuse',
      cause: 'refused',
      error,
      httpStatus: 422,
      requestId: 'req_e',
      attempts: 4,
      maybeSent: false,
    });
  });

  it.each([
    ['no', false, 'not_sent', false],
    ['no', true, 'lose', true],
    ['maybe', false, 'lose', true],
    ['maybe', true, 'lose', true],
  ] as const)('no answer, recorded %s, maybe sent before %s: %s', (recorded, maybeSent, event, maybeSentAfter) => {
    for (const cause of causes) {
      if (cause === 'refused') continue;
      const change = settle({ ...row, maybeSent }, unknown(cause, recorded), moment);
      expect(change).toMatchObject({ event, maybeSent: maybeSentAfter, attempts: 3, cause, nextAttemptAtMs: 0 });
      expect(advance(operationMachine, 'sending', change.event)).toBe(event === 'lose' ? 'unknown' : 'queued');
    }
  });

  it('a row that is alone in its trouble pays an attempt and waits, longer each time, up to five minutes', () => {
    const waits = [0, 1, 2, 5, 20].map((attempts) => {
      const change = settle({ ...row, attempts }, unknown('service', 'maybe'), { ...moment, isRowAlone: true });
      expect(change.attempts).toBe(attempts + 1);
      return change.nextAttemptAtMs - moment.nowMs;
    });
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(rowBackoff.capMs);
  });

  it('is never the row’s own trouble when the cause cannot be', () => {
    for (const cause of ['tls', 'throttled', 'unauthenticated', 'suspended'] as const) {
      expect(causeRules[cause].canBeTheRow).toBe(false);
      const change = settle(row, unknown(cause, 'maybe'), { ...moment, isRowAlone: true });
      expect(change).toMatchObject({ attempts: 3, nextAttemptAtMs: 0 });
    }
  });
});

describe('rows that were marked and not sent', () => {
  it('go back to where they were', () => {
    expect(putBack(row, 1).event).toBe('not_sent');
    expect(putBack({ ...row, maybeSent: true }, 1)).toMatchObject({ event: 'lose', maybeSent: true });
  });

  it('are unknown after a crash', () => {
    expect(recover(row, 1)).toMatchObject({ event: 'lose', maybeSent: true, send: 2 });
  });

  it('are cancelled only by the table', () => {
    const change = cancellation(fakeOperation({ state: 'queued' }), 1);
    expect(advance(operationMachine, 'queued', change.event)).toBe('cancelled');
    for (const state of ['sending', 'unknown', 'accepted', 'applied', 'refused', 'failed'] as const) {
      expect(advance(operationMachine, state, change.event)).toBeNull();
    }
  });
});

describe('a suspect', () => {
  it('is not alone the first time, nor when nothing was sent', () => {
    const suspects = new Suspects();
    expect(suspects.observe(1, unknown('service', 'maybe'))).toBe(false);
    expect(suspects.observe(2, unknown('offline', 'no'))).toBe(false);
    expect(suspects.observe(2, unknown('offline', 'no'))).toBe(false);
  });

  it('is alone when it fails again, and innocent once it passed', () => {
    const suspects = new Suspects();
    suspects.observe(1, unknown('service', 'maybe'));
    suspects.observe(2, accepted);
    expect(suspects.observe(1, unknown('service', 'maybe'))).toBe(true);
    suspects.observe(1, accepted);
    expect(suspects.observe(1, unknown('service', 'maybe'))).toBe(false);
  });

  it('that goes out though no read has passed is alone only when another row has passed since it failed last', () => {
    const suspects = new Suspects();
    const tries = () => suspects.observe(1, unknown('service', 'maybe'), { isTry: true });
    expect([tries(), tries()]).toEqual([false, false]);
    suspects.observe(2, accepted);
    expect([tries(), tries()]).toEqual([true, false]);
  });
});

describe('a window', () => {
  const sendable = (rowId: number, lane: string): SendableOperation => ({
    rowId,
    occurredAtMs: rowId,
    lane,
    intent: 'earn',
    externalRef: `R-${rowId}`,
    lastKeyFingerprint: null,
    path: '/transactions/earn',
    body: '{}',
    idempotencyKey: null,
    attempts: 0,
    maybeSent: false,
    send: 1,
    operationId: `operation-${rowId}`,
    bodyVersion: 1,
    seal: null,
  });
  const hot = Array.from({ length: 100 }, (_, index) => sendable(index, 'hot'));

  it('takes rows in order, at most eight of one customer, counting those that stand ready', () => {
    const window = openWindow(20, ['hot', 'hot', 'cool']);
    window.add([...hot, sendable(100, 'cool'), sendable(101, 'new')]);
    expect(window.rows.map(({ rowId }) => rowId)).toEqual([0, 1, 2, 3, 4, 5, 100, 101]);
    expect(window.isFull).toBe(false);
  });

  it('takes more of one customer when there are no others, and leaves half of the room to those who come', () => {
    const window = openWindow(30, ['hot', 'hot']);
    expect(window.add(hot)).toBe(true);
    expect(window.add(hot.slice(-1))).toBe(false);
    window.fillUp();
    expect(window.rows.map(({ rowId }) => rowId)).toEqual(Array.from({ length: 14 }, (_, index) => index));
  });

  it('tells how many more rows fit of those whom it has', () => {
    const window = openWindow(1_024, ['hot', 'hot']);
    expect(window.roomForSameCustomers).toBe(126);
    window.add([...hot, sendable(100, 'cool')]);
    expect(window.roomForSameCustomers).toBe(26 + 127);
    expect(openWindow(40, []).roomForSameCustomers).toBe(40);
    expect(
      openWindow(
        20,
        Array.from({ length: 200 }, (_, index) => `lane-${index}`),
      ).roomForSameCustomers,
    ).toBe(20);
  });

  it('takes no more of one customer into a large window than a small one holds: the line may become slow', () => {
    const backlog = Array.from({ length: 1_000 }, (_, index) => sendable(index, 'hot'));
    const window = openWindow(1_024, []);
    window.add(backlog);
    const share = window.rows.length;
    window.fillUp();
    expect([share, window.rows.length]).toEqual([128, 128]);
    const medium = openWindow(256, []);
    medium.add(backlog);
    medium.fillUp();
    expect(medium.rows.length).toBe(64);
  });

  it('holds no more than it has room for', () => {
    const window = openWindow(2, []);
    window.add([sendable(1, 'a'), sendable(2, 'b'), sendable(3, 'c')]);
    window.add([sendable(4, 'd')]);
    expect(window.rows.map(({ rowId }) => rowId)).toEqual([1, 2]);
    expect(window.isFull).toBe(true);
  });
});
