import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transactionStatuses } from '../../../shared/contract/transaction.ts';
import { faces, type TestFace } from '../../support/service-faces.ts';
import { openTill, type Till } from './till.ts';

type Status = (typeof transactionStatuses)[number];
const triggers = [
  'the same request',
  'the service applies it',
  'it is made to fail',
  'reverse',
  'time passes',
] as const;
type Trigger = (typeof triggers)[number];

interface Cell {
  readonly from: Status;
  readonly trigger: Trigger;
  readonly next: Status;
  /** Status and, of a refusal, code and detail; null for time, which answers nobody. */
  readonly answer: readonly [status: number, code?: string, detail?: string] | null;
}

const notSucceeded = [400, 'VALIDATION_ERROR', 'transaction_not_succeeded'] as const;
const notPending = [409, 'VALIDATION_ERROR', 'transaction_not_pending'] as const;

/** Every cell of the table "Transaction status", for an earn; what it leaves open is from "gap: Transactions". */
const cells: readonly Cell[] = [
  { from: 'pending', trigger: 'the same request', next: 'pending', answer: [202] },
  { from: 'pending', trigger: 'the service applies it', next: 'success', answer: null },
  { from: 'pending', trigger: 'it is made to fail', next: 'failed', answer: [200] },
  { from: 'pending', trigger: 'reverse', next: 'pending', answer: notSucceeded },
  { from: 'processing', trigger: 'the same request', next: 'processing', answer: [202] },
  { from: 'processing', trigger: 'the service applies it', next: 'success', answer: null },
  { from: 'processing', trigger: 'it is made to fail', next: 'failed', answer: [200] },
  { from: 'processing', trigger: 'reverse', next: 'processing', answer: notSucceeded },
  { from: 'success', trigger: 'the same request', next: 'success', answer: [200] },
  { from: 'success', trigger: 'it is made to fail', next: 'success', answer: notPending },
  { from: 'success', trigger: 'reverse', next: 'reversed', answer: [202] },
  { from: 'success', trigger: 'time passes', next: 'success', answer: null },
  { from: 'failed', trigger: 'the same request', next: 'failed', answer: [200] },
  { from: 'failed', trigger: 'it is made to fail', next: 'failed', answer: notPending },
  { from: 'failed', trigger: 'reverse', next: 'failed', answer: notSucceeded },
  { from: 'failed', trigger: 'time passes', next: 'failed', answer: null },
  { from: 'reversed', trigger: 'the same request', next: 'reversed', answer: [200] },
  { from: 'reversed', trigger: 'it is made to fail', next: 'reversed', answer: notPending },
  { from: 'reversed', trigger: 'reverse', next: 'reversed', answer: [409, 'ALREADY_REVERSED'] },
  { from: 'reversed', trigger: 'time passes', next: 'reversed', answer: null },
];

const applyDelayMs = 1000;
const dayMs = 86_400_000;

describe.each(faces)('States and transitions | Transaction status, $name', ({ start }) => {
  let face: TestFace;
  let till: Till;
  beforeEach(async () => {
    face = await start();
    await face.control('POST', '/clock', { mode: 'manual' });
    till = await openTill(face, [{ template_id: 'tpl_reward' }]);
  });
  afterEach(() => face.close());

  const earn = () => till.earn('R-1', { points: 5 });
  const makeFail = (id: string) => face.control('POST', `/transactions/${id}/fail`, { code: 'CARD_NOT_ELIGIBLE' });

  async function bring(id: string, status: Status): Promise<void> {
    switch (status) {
      case 'pending':
        return;
      case 'processing':
        return face.advance(applyDelayMs - 1);
      case 'success':
        return face.advance(applyDelayMs);
      case 'failed':
        await makeFail(id);
        return face.advance(applyDelayMs);
      case 'reversed':
        await face.advance(applyDelayMs);
        await till.reverse('R-1', 'earn', { reversal_ref: 'V-0' });
        return face.advance(applyDelayMs);
    }
  }

  async function pull(id: string, trigger: Trigger) {
    switch (trigger) {
      case 'the same request':
        return earn();
      case 'the service applies it':
        await face.advance(applyDelayMs);
        return null;
      case 'it is made to fail': {
        const answer = await makeFail(id);
        await face.advance(applyDelayMs);
        return answer;
      }
      case 'reverse': {
        const answer = await till.reverse('R-1', 'earn', { reversal_ref: 'V-1' });
        if (answer.status === 202) await face.advance(applyDelayMs);
        return answer;
      }
      case 'time passes':
        await face.advance(dayMs);
        return null;
    }
  }

  test('(none) | POST /transactions/earn | request accepted | pending | answer 202 with transaction_id', async () => {
    const answer = await earn();
    expect([answer.status, answer.body.status]).toEqual([202, 'pending']);
    expect(await till.read(answer.body.transaction_id)).toMatchObject({ status: 'pending', completed_at: null });
    expect((await till.balances()).points).toBe(0);
  });

  test('(none) | POST reverse | original succeeded | pending (the new reversal) | 202 with reverses_transaction_id', async () => {
    const id = await till.earned('R-1', { points: 5 });
    const answer = await till.reverse('R-1', 'earn');
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'pending', reverses_transaction_id: id });
    expect((await till.read(answer.body.transaction_id)).status).toBe('pending');
    expect((await till.read(id)).status).toBe('success');
    await face.advance(applyDelayMs);
    expect((await till.read(answer.body.transaction_id)).status).toBe('success');
    expect((await till.read(id)).status).toBe('reversed');
  });

  test('a reversal that fails leaves its original as it was', async () => {
    const id = await till.earned('R-1', { points: 5 });
    await makeFail((await till.reverse('R-1', 'earn')).body.transaction_id);
    await face.advance(applyDelayMs);
    expect((await till.read(id)).status).toBe('success');
    expect((await till.balances()).points).toBe(5);
  });

  test.each(cells)('$from | $trigger | $next', async ({ from, trigger, next, answer }) => {
    const { transaction_id: id } = (await earn()).body;
    await bring(id, from);
    expect((await till.read(id)).status).toBe(from);
    const given = await pull(id, trigger);
    if (answer !== null) {
      const [status, code, detail] = answer;
      expect(given?.status).toBe(status);
      if (code !== undefined) expect(given?.body.error.code).toBe(code);
      if (detail !== undefined) expect(given?.body.error.details).toEqual([detail]);
      if (trigger === 'the same request') expect(given?.body).toMatchObject({ transaction_id: id, duplicate: true });
    }
    const isFinal = next !== 'pending' && next !== 'processing';
    expect(await till.read(id)).toMatchObject({
      status: next,
      completed_at: isFinal ? expect.any(String) : null,
      error: next === 'failed' ? { code: 'CARD_NOT_ELIGIBLE' } : null,
    });
    expect((await till.balances()).points).toBe(next === 'success' ? 5 : 0);
  });

  test('every status meets every trigger that it can meet', () => {
    for (const status of transactionStatuses) {
      const met = cells.filter(({ from }) => from === status).map(({ trigger }) => trigger);
      const isFinal = status !== 'pending' && status !== 'processing';
      const meets = triggers.filter((trigger) => trigger !== (isFinal ? 'the service applies it' : 'time passes'));
      expect(new Set(met)).toEqual(new Set(meets));
    }
  });
});
