import { describe, expect, it } from 'vitest';
import { reservationStates } from '../../shared/contract/reservation.ts';
import { transactionStatuses } from '../../shared/contract/transaction.ts';
import { enrollmentMachine, enrollmentStates } from '../../shared/machines/enrollment.ts';
import { advance, type Machine } from '../../shared/machines/machine.ts';
import {
  attentionStates,
  operationEvents,
  operationMachine,
  operationStates,
  waitingStates,
} from '../../shared/machines/operation.ts';
import { reservationMachine } from '../../shared/machines/reservation.ts';
import { transactionMachine } from '../../shared/machines/transaction.ts';
import { stepsOf } from '../support/machine-steps.ts';

/** What is expected, written out a second time: a state's line, then event and next state; a pair that is missing is not allowed. */
function check<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  states: readonly State[],
  events: readonly Event[],
  expected: readonly string[],
): void {
  const allowed = new Set<string>();
  for (const line of expected) {
    const [from = '', steps = ''] = line.split(':').map((part) => part.trim());
    for (const step of steps
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean))
      allowed.add(`${from} ${step}`);
  }
  for (const state of states) {
    for (const event of events) {
      const next = advance(machine, state, event);
      const found = [...allowed].find((step) => step.startsWith(`${state} ${event} > `));
      expect(next === null ? undefined : `${state} ${event} > ${next}`, `${state} ${event}`).toBe(found);
    }
  }
  expect(stepsOf(machine)).toHaveLength(allowed.size);
  expect(Object.keys(machine).sort()).toEqual([...states].sort());
}

describe('an operation', () => {
  it('goes its ways and no other', () => {
    check(operationMachine, operationStates, operationEvents, [
      'queued: mark > sending, cancel > cancelled, accept > accepted, apply > applied',
      'sending: not_sent > queued, lose > unknown, accept > accepted, apply > applied, refuse > refused, fail > failed, reverse > reversed',
      'unknown: mark > sending, prove_absent > queued, accept > accepted, apply > applied, fail > failed, reverse > reversed, write_off > written_off',
      'accepted: apply > applied, fail > failed, miss > unknown, reverse > reversed',
      'applied: reverse > reversed, miss > unknown',
      'refused: resend > queued, dismiss > cancelled, write_off > written_off, accept > accepted, apply > applied',
      'failed: dismiss > cancelled, write_off > written_off, accept > accepted, apply > applied, reverse > reversed',
      'cancelled: resend > queued, accept > accepted, apply > applied',
      'reversed: miss > unknown',
      'written_off: accept > accepted, apply > applied',
    ]);
  });

  it('is cancelled only while no byte of it was sent', () => {
    const from = stepsOf(operationMachine)
      .filter(({ event }) => event === 'cancel')
      .map(({ from }) => from);
    expect(from).toEqual(['queued']);
  });

  it('is never ended by itself without the service’s word: only a person or the service gets it out of waiting', () => {
    const final = stepsOf(operationMachine).filter(
      ({ from, to }) =>
        (waitingStates as readonly string[]).includes(from) && !(waitingStates as readonly string[]).includes(to),
    );
    expect(new Set(final.map(({ event }) => event))).toEqual(
      new Set(['cancel', 'apply', 'refuse', 'fail', 'reverse', 'write_off']),
    );
  });

  it('has every state in exactly one of: waiting, for a person, final', () => {
    const final = ['applied', 'cancelled', 'reversed', 'written_off'];
    expect([...waitingStates, ...attentionStates, ...final].sort()).toEqual([...operationStates].sort());
  });
});

describe('a transaction, an enrollment and a reservation', () => {
  it('go their ways and no other', () => {
    check(
      transactionMachine,
      transactionStatuses,
      ['process', 'succeed', 'fail', 'reverse'],
      [
        'pending: process > processing, succeed > success, fail > failed',
        'processing: succeed > success, fail > failed',
        'success: reverse > reversed',
        'failed:',
        'reversed:',
      ],
    );
    check(
      enrollmentMachine,
      enrollmentStates,
      ['repeat', 'refuse_code', 'verify'],
      [
        'awaiting_otp: repeat > awaiting_otp, refuse_code > awaiting_otp, verify > enrolled',
        'enrolled: repeat > enrolled, verify > enrolled',
      ],
    );
    check(
      reservationMachine,
      reservationStates,
      ['commit', 'release', 'expire'],
      [
        'reserved: commit > committed, release > released, expire > expired',
        'committed: commit > committed',
        'released: release > released',
        'expired: release > expired',
      ],
    );
  });
});
