import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEvent } from '../../app/audit/audit-events.ts';
import { SealStore } from '../../app/store/tables/seal-store.ts';
import { attentionHandlers } from '../../app/till/attention.ts';
import { Shop, until } from '../support/core-shop.ts';
import { answer } from '../support/scripted-service.ts';

// Whoever reaches the folder of a till with a viewer of databases, while sales wait for the line.

let shop: Shop;
beforeEach(async () => {
  // The line is cut: what is saved stays queued.
  shop = new Shop();
  await shop.service.start();
  await shop.service.stop();
  shop.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await shop.end();
});

const decider = { person: 'Mona', reason: 'looked at the receipt' };
const stateOf = (reference: string) => shop.operation(reference).state;
const toldOf = (event: AuditEvent['event']) => shop.audited.filter((told) => told.event === event);
const bodies = () => [...shop.service.recorded.values()].map((record) => [record.external_ref, record.amount_minor]);

/** Changes the database of the stopped till, and starts it with the line. */
async function restartWith(sql: string, more: { readonly tillKey?: Uint8Array } = {}): Promise<void> {
  await shop.stop();
  const database = new BetterSqlite3(shop.databasePath);
  database.exec(sql);
  database.close();
  await shop.service.start();
  shop.start(more);
}

describe('an operation that was changed on the disk', () => {
  it.each([
    ['the sum', `body = replace(body, '12500', '9912500')`],
    ['the customer', `body = replace(body, 'LC-1', 'LC-9')`],
    ['the path', `path = '/transactions/redeem'`],
    ['the reference', `external_ref = 'R-7'`],
    ['the key', `idempotency_key = 'another'`],
    ['the version', `body_version = 2`],
    ['the name', `operation_id = '00000000-0000-4000-8000-00000000ffff'`],
    ['the seal', `seal = NULL`],
  ])('is not sent and waits for a person; the others go out: %s', async (_, change) => {
    const { rowId } = await shop.saved('R-1', { amount_minor: 12_500, identifier: { loyalty_id: 'LC-1' } });
    await shop.saved('R-2', { amount_minor: 700 });
    await restartWith(`UPDATE operations SET ${change} WHERE external_ref = 'R-1'`);
    await until(() => shop.core.operation(rowId)?.state === 'refused' && bodies().length > 0);
    expect(shop.core.needingAttention({ limit: 10 })).toMatchObject([
      { rowId, state: 'refused', error: { code: 'CHANGED_ON_DISK' } },
    ]);
    expect(bodies()).toEqual([['R-2', 700]]);
    const name = shop.core.operation(rowId)?.operationId;
    expect(toldOf('operation_changed')).toEqual([{ event: 'operation_changed', operation_id: name }]);
  });

  it('is not sent either when it was looked at while an earlier sale of its customer was under way', async () => {
    await shop.saved('R-1', { amount_minor: 12_500, identifier: { loyalty_id: 'LC-1' } });
    await shop.saved('R-2', { amount_minor: 700, identifier: { loyalty_id: 'LC-1' } });
    await restartWith(`UPDATE operations SET body = replace(body, '700', '70000') WHERE external_ref = 'R-2'`);
    // The look may be over before the service has the first sale.
    await until(() => stateOf('R-2') === 'refused' && bodies().length > 0);
    expect(shop.operation('R-2').error).toMatchObject({ code: 'CHANGED_ON_DISK' });
    expect(bodies()).toEqual([['R-1', 12_500]]);
  });

  it('is found while an earlier sale of its customer is under way, so that nobody waits for the look later', async () => {
    await shop.saved('R-1', { amount_minor: 12_500, identifier: { loyalty_id: 'LC-1' } });
    await shop.saved('R-2', { amount_minor: 700, identifier: { loyalty_id: 'LC-1' } });
    const isIntact = vi.spyOn(SealStore.prototype, 'isSealIntact');
    const looksAt = (reference: string) => isIntact.mock.calls.filter(([{ externalRef }]) => externalRef === reference);
    let goOn: () => void = () => undefined;
    const answerLater = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'answer_after', until: answerLater } : answer);
    await restartWith('');
    // The look may be over before the service has the first sale.
    await until(() => looksAt('R-2').length === 1 && bodies().length > 0);
    expect(bodies()).toEqual([['R-1', 12_500]]);
    goOn();
    await until(() => bodies().length === 2);
    expect([looksAt('R-1').length, looksAt('R-2').length]).toEqual([1, 1]);
  });

  it('after an attempt that may have arrived, is unknown, and counts at once among what needs attention', async () => {
    await shop.service.start();
    shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'lose_answer' } : answer);
    await shop.passUntil(() => shop.core.status().connection.state === 'online');
    const { rowId } = await shop.saved('R-1', { amount_minor: 12_500 });
    await shop.passUntil(() => shop.core.operation(rowId)?.maybeSent === true);
    await shop.service.stop();
    expect(shop.core.status().operations).toMatchObject({ changed: 0 });
    await restartWith(`UPDATE operations SET body = replace(body, '12500', '9912500')`);
    shop.service.script = () => answer;
    await shop.passUntil(() => shop.core.operation(rowId)?.error?.code === 'CHANGED_ON_DISK');
    expect(shop.core.operation(rowId)).toMatchObject({ state: 'unknown' });
    expect(shop.core.status().operations).toMatchObject({ changed: 1 });
    expect(shop.core.needingAttention({ limit: 10 })).toMatchObject([{ rowId }]);
  });

  it('is one that was undone and is put back into the queue: it is not sent', async () => {
    const { operationId } = await shop.saved('R-1', { amount_minor: 12_500 });
    expect(await shop.core.cancel(operationId)).toMatchObject({ kind: 'cancelled' });
    await shop.saved('R-2', { amount_minor: 700 });
    await restartWith(
      `UPDATE operations SET state = 'queued' WHERE external_ref = 'R-1';
       UPDATE state_counts SET count = (SELECT count(*) FROM operations WHERE operations.state = state_counts.state)`,
    );
    await until(() => stateOf('R-1') === 'refused' && bodies().length > 0);
    expect(shop.operation('R-1').error).toMatchObject({ code: 'CHANGED_ON_DISK' });
    expect(bodies()).toEqual([['R-2', 700]]);
  });

  it('goes out once a person has released it', async () => {
    const { operationId } = await shop.saved('R-1', { amount_minor: 12_500 });
    await restartWith(`UPDATE operations SET body = replace(body, '12500', '12600') WHERE external_ref = 'R-1'`);
    await until(() => stateOf('R-1') === 'refused');
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'done' });
    await until(() => bodies().length === 1);
    expect(bodies()).toEqual([['R-1', 12_600]]);
    expect(toldOf('operations_sealed')).toEqual([
      { event: 'operations_sealed', why: 'released', count: 1, by: 'Mona' },
    ]);
  });

  it('is not released at the screen without a manager, neither as it stands nor corrected', async () => {
    const { operationId: operation_id } = await shop.saved('R-1', { amount_minor: 12_500 });
    await restartWith(`UPDATE operations SET body = replace(body, '12500', '12600') WHERE external_ref = 'R-1'`);
    await until(() => stateOf('R-1') === 'refused');
    await shop.core.people.addManager('Noura', '4711');
    const attention = attentionHandlers(shop.core);
    const decided = { operation_id, reason: 'looked at the receipt' };
    for (const [command, more] of [
      ['attention.resend', {}],
      ['attention.correct', { points: 3 }],
    ] as const) {
      expect(await attention[command]({ ...decided, ...more })).toMatchObject({ error: { code: 'pin_needed' } });
      const wrong = await attention[command]({ ...decided, ...more, pin: '9999' });
      expect(wrong).toMatchObject({ error: { code: 'pin_wrong' } });
    }
    expect(stateOf('R-1')).toBe('refused');
    expect(await attention['attention.resend']({ ...decided, pin: '4711' })).toMatchObject({ ok: true });
    await until(() => bodies().length === 1);
    expect(toldOf('operations_sealed')).toEqual([
      { event: 'operations_sealed', why: 'released', count: 1, by: 'Noura' },
    ]);
  });

  it('waits as unknown where it may have been sent before', async () => {
    await shop.saved('R-1', { amount_minor: 12_500 });
    await restartWith(
      `UPDATE operations SET state = 'unknown', maybe_sent = 1, sends = 1, version = 2, body = replace(body, '12500', '1') WHERE external_ref = 'R-1';
       UPDATE state_counts SET count = (SELECT count(*) FROM operations WHERE operations.state = state_counts.state)`,
    );
    await shop.saved('R-2', { amount_minor: 700 });
    await until(() => bodies().length === 1 && shop.operation('R-1').error !== null);
    expect(shop.operation('R-1')).toMatchObject({ state: 'unknown', error: { code: 'CHANGED_ON_DISK' } });
    expect(bodies()).toEqual([['R-2', 700]]);
    // It is told once, and not again each time that it comes due.
    const { rowId, operationId } = shop.operation('R-1');
    const told = shop.core.history(rowId).length;
    const endMs = shop.clock.monotonicMs() + 3_600_000;
    await shop.passUntil(() => shop.clock.monotonicMs() > endMs, { limitMs: 4_000_000 });
    expect(shop.core.history(rowId)).toHaveLength(told);
    expect(toldOf('operation_changed')).toHaveLength(1);
    // Released by a person it is looked up, and goes out.
    expect(await shop.core.resend(operationId, decider)).toMatchObject({ kind: 'done' });
    await shop.passUntil(() => bodies().length === 2);
  });
});

describe('a till', () => {
  it('seals once what it saved before there were seals, and sends it', async () => {
    await shop.saved('R-1', { amount_minor: 12_500 });
    shop.areSealsBegun = false;
    await restartWith('UPDATE operations SET seal = NULL');
    await until(() => bodies().length === 1);
    expect(shop.areSealsBegun).toBe(true);
  });

  it('seals what was undone before there were seals as undone', async () => {
    const { operationId } = await shop.saved('R-1', { amount_minor: 12_500 });
    await shop.core.cancel(operationId);
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    database.exec('UPDATE operations SET seal = NULL');
    database.close();
    shop.areSealsBegun = false;
    shop.start();
    expect(shop.areSealsBegun).toBe(true);
    await restartWith(`UPDATE operations SET state = 'queued' WHERE external_ref = 'R-1'`);
    await until(() => stateOf('R-1') === 'refused');
    expect(bodies()).toEqual([]);
  });

  it('that has lost its key holds what waited for a person, and sells on', async () => {
    const { operationId } = await shop.saved('R-1', { amount_minor: 12_500 });
    await restartWith('SELECT 1', { tillKey: Buffer.alloc(32, 3) });
    await until(() => stateOf('R-1') === 'refused');
    await shop.saved('R-2', { amount_minor: 700 });
    await until(() => bodies().length === 1);
    await shop.core.resend(operationId, decider);
    await until(() => bodies().length === 2);
  });
});
