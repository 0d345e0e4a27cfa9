import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reservationStates } from '../../../shared/contract/reservation.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { openTill, type Till } from './till.ts';

type State = (typeof reservationStates)[number];
const triggers = [
  'reserve (same cart)',
  'commit',
  'commit (same order)',
  'commit (another order)',
  'release',
  'ttl elapses',
] as const;
type Trigger = (typeof triggers)[number];

interface Cell {
  readonly from: State;
  readonly trigger: Trigger;
  readonly next: State;
  /** Status and, of a refusal, code and details; null for time, which answers nobody. */
  readonly answer: readonly [status: number, code?: string, detail?: string] | null;
}

/** Every cell of the table "Reservation state"; what it leaves open is from "gap: Reservations". */
const cells: readonly Cell[] = [
  { from: 'reserved', trigger: 'reserve (same cart)', next: 'reserved', answer: [200] },
  { from: 'reserved', trigger: 'commit', next: 'committed', answer: [200] },
  { from: 'reserved', trigger: 'release', next: 'released', answer: [200] },
  { from: 'reserved', trigger: 'ttl elapses', next: 'expired', answer: null },
  { from: 'committed', trigger: 'reserve (same cart)', next: 'committed', answer: [200] },
  { from: 'committed', trigger: 'commit (same order)', next: 'committed', answer: [200] },
  {
    from: 'committed',
    trigger: 'commit (another order)',
    next: 'committed',
    answer: [409, 'DUPLICATE_TRANSACTION'],
  },
  {
    from: 'committed',
    trigger: 'release',
    next: 'committed',
    answer: [409, 'VALIDATION_ERROR', 'reservation_committed'],
  },
  { from: 'committed', trigger: 'ttl elapses', next: 'committed', answer: null },
  { from: 'released', trigger: 'reserve (same cart)', next: 'released', answer: [201] },
  {
    from: 'released',
    trigger: 'commit',
    next: 'released',
    answer: [409, 'VALIDATION_ERROR', 'reservation_released'],
  },
  { from: 'released', trigger: 'release', next: 'released', answer: [200] },
  { from: 'released', trigger: 'ttl elapses', next: 'released', answer: null },
  { from: 'expired', trigger: 'reserve (same cart)', next: 'expired', answer: [201] },
  { from: 'expired', trigger: 'commit', next: 'expired', answer: [410, 'RESERVATION_EXPIRED'] },
  { from: 'expired', trigger: 'release', next: 'expired', answer: [200] },
  { from: 'expired', trigger: 'ttl elapses', next: 'expired', answer: null },
];

const ttlMs = 15 * 60_000;
const heldPoints = 40;

describe.each(faces)('States and transitions | Reservation state, $name', ({ start }) => {
  let face: TestFace;
  let till: Till;
  beforeEach(async () => {
    face = await start();
    till = await openTill(face, [{ template_id: 'tpl_reward', balances: { points: 100 } }]);
  });
  afterEach(() => face.close());

  async function bring(reservationId: string, state: State): Promise<void> {
    switch (state) {
      case 'reserved':
        return;
      case 'committed':
        expect((await till.commit(reservationId, 'ORDER-1')).status).toBe(200);
        return;
      case 'released':
        expect((await till.release(reservationId)).status).toBe(200);
        return;
      case 'expired':
        return face.advance(ttlMs);
    }
  }

  async function pull(reservationId: string, trigger: Trigger) {
    switch (trigger) {
      case 'reserve (same cart)':
        return till.reserve('CART-1', { points: heldPoints });
      case 'commit':
      case 'commit (same order)':
        return till.commit(reservationId, 'ORDER-1');
      case 'commit (another order)':
        return till.commit(reservationId, 'ORDER-2');
      case 'release':
        return till.release(reservationId);
      case 'ttl elapses':
        await face.advance(ttlMs);
        return null;
    }
  }

  /** There is no call that reads a reservation: a commit for another order tells its state, for each has its own answer. */
  async function stateOf(reservationId: string): Promise<State> {
    const { status, body } = await till.commit(reservationId, 'ORDER-TO-TELL-THE-STATE');
    if (status === 200) return 'reserved';
    if (status === 410) return 'expired';
    return body.error.code === 'DUPLICATE_TRANSACTION' ? 'committed' : 'released';
  }

  test('(none) | reserve | 201, reserved: points held, no balance moves', async () => {
    const answer = await till.reserve('CART-1', { points: heldPoints });
    expect([answer.status, answer.body.state]).toEqual([201, 'reserved']);
    expect((await till.balances()).points).toBe(100);
    expect((await till.redeem('R-1', { points: 61 })).status).toBe(422);
    expect(await stateOf(answer.body.reservation_id)).toBe('reserved');
  });

  test.each(cells)('$from | $trigger | $next', async ({ from, trigger, next, answer }) => {
    const reservationId = await till.reserved('CART-1', { points: heldPoints });
    await bring(reservationId, from);
    const given = await pull(reservationId, trigger);
    if (answer !== null) {
      const [status, code, detail] = answer;
      expect([given?.status, given?.body.error?.code]).toEqual([status, code]);
      if (detail !== undefined) expect(given?.body.error.details).toEqual([detail]);
      const anew = status === 201;
      if (trigger === 'release' && status === 200) expect(given?.body.state).toBe(next);
      if (trigger === 'reserve (same cart)') {
        expect(given?.body.state).toBe(anew ? 'reserved' : next);
        expect(given?.body.reservation_id === reservationId).toBe(!anew);
        if (anew) await till.release(given?.body.reservation_id);
      }
    }
    // What is spent, what is held, and the state itself.
    const spent = next === 'committed' ? heldPoints : 0;
    const held = next === 'reserved' ? heldPoints : 0;
    expect((await till.balances()).points).toBe(100 - spent);
    expect((await till.redeem('R-1', { points: 100 - spent - held + 0.001 })).body.error.code).toBe(
      'INSUFFICIENT_BALANCE',
    );
    expect(await stateOf(reservationId)).toBe(next);
  });

  test('every state meets every trigger that it can meet', () => {
    const met = reservationStates.map((state) => [state, cells.filter(({ from }) => from === state).length]);
    // A commit of a committed one knows two kinds of order; of any other there is one.
    expect(met).toEqual([
      ['reserved', 4],
      ['committed', 5],
      ['released', 4],
      ['expired', 4],
    ]);
    expect(new Set(cells.map(({ trigger }) => trigger))).toEqual(new Set(triggers));
  });
});
