import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../app/machine/random.ts';
import { backUp, restoreBackup } from '../../app/store/copies/backup.ts';
import { callService } from '../support/call-service.ts';
import { CounterShop } from '../support/counter-shop.ts';
import { answerInstead } from '../support/meddling.ts';

let shop: CounterShop;
beforeEach(async () => {
  shop = new CounterShop();
  await shop.stop();
  shop.machine = 'the first machine';
  shop.start();
  await shop.pass(1_000);
});
afterEach(async () => {
  expect(shop.errors).toEqual([]);
  await shop.end();
});

const pointsAtFirst = 245.5;

/** A till takes three sales without a line; its disk is copied; then it sends them. */
async function originalAndCopy(): Promise<string> {
  shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
  for (const ref of ['R-1', 'R-2', 'R-3']) await shop.saved(ref);
  const copy = shop.image();
  shop.meddle = (call, carry) => carry(call);
  await shop.pass(180_000);
  expect(shop.operation('R-3').state).toBe('applied');
  expect(await shop.points()).toBe(pointsAtFirst + 30);
  await shop.stop();
  return copy;
}

async function startCopy(copy: string): Promise<void> {
  shop.dataDir = copy;
  shop.machine = 'another machine';
  shop.start();
}

describe('a till whose disk was copied onto another machine, with sales waiting', () => {
  it('sends what waits under the references that the original used, and the service has each sale once', async () => {
    const copy = await originalAndCopy();
    await startCopy(copy);
    expect(shop.operation('R-1').state).toBe('unknown');
    await shop.pass(180_000);
    for (const ref of ['R-1', 'R-2', 'R-3']) {
      expect(shop.operation(ref).state).toBe('applied');
      expect(await shop.held(ref)).toHaveLength(1);
    }
    expect(await shop.points()).toBe(pointsAtFirst + 30);
  });

  it('knows a sale again of which the service has noted the time of arrival', async () => {
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    // It is known that there is no line, so that nothing is tried.
    await shop.pass(60_000);
    await shop.saved('R-1');
    const copy = shop.image();
    await shop.pass(6 * 60_000, 5_000);
    const arrivedAt = new Date(shop.clock.now()).toISOString();
    shop.meddle = (call, carry) => carry(call);
    answerInstead(
      shop,
      ({ target }) => target.startsWith('/v1/transactions'),
      (own) => {
        if (own?.kind !== 'response') return expect.fail();
        const body = own.response.body.replace(/"occurred_at":"[^"]*"/, `"occurred_at":"${arrivedAt}"`);
        return { ...own, response: { ...own.response, body } };
      },
    );
    await shop.pass(180_000);
    expect(shop.operation('R-1').state).toBe('applied');
    await shop.pass(10 * 60_000, 5_000);
    await shop.stop();
    await startCopy(copy);
    await shop.pass(180_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(await shop.points()).toBe(pointsAtFirst + 10);
  });

  it.each([
    ['also where its clock is behind', { aheadMs: 0, behindMs: 400 * 86_400_000 }],
    ['also where its clock was once ahead', { aheadMs: 30 * 86_400_000, behindMs: 0 }],
  ])('looks up what may have been taken back since, %s', async (_when, { aheadMs, behindMs }) => {
    shop.setTillClock(aheadMs);
    if (aheadMs > 0) await shop.saved('R-0');
    await shop.pass(10_000);
    shop.setTillClock(-aheadMs);
    await shop.saved('R-1');
    await shop.pass(10_000);
    const copy = shop.image();
    const reversal = { origin: 'till', operationId: shop.newId(), reversalRef: null, reason: null } as const;
    await shop.core.reverse(shop.operation('R-1').rowId, { ...reversal, idempotencyKey: null });
    await shop.pass(20_000);
    expect(shop.operation('R-1').state).toBe('reversed');
    await shop.stop();
    shop.setTillClock(-behindMs);
    await startCopy(copy);
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1').state).toBe('reversed');
  });

  it('does not undo a sale as one that was never sent', async () => {
    const copy = await originalAndCopy();
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    await startCopy(copy);
    const { operationId } = shop.operation('R-2');
    const outcome = await shop.core.cancel(operationId);
    expect(outcome.kind).not.toBe('cancelled');
    expect(shop.operation('R-2').state).toBe('unknown');
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(180_000);
    expect(await shop.points()).toBe(pointsAtFirst + 30);
  });

  it('tells the audit log once that its references begin anew', async () => {
    const copy = await originalAndCopy();
    shop.audited.length = 0;
    await startCopy(copy);
    expect(shop.audited).toContainEqual({ event: 'epoch_begun', mode: 'sandbox', why: 'machine' });
    await shop.stop();
    shop.audited.length = 0;
    await startCopy(copy);
    expect(shop.audited).not.toContainEqual(expect.objectContaining({ event: 'epoch_begun' }));
  });
});

describe('a till whose waiting sale may have been sent without it standing there, and which gets another store’s key', () => {
  const databasePath = () => join(shop.dataDir, 'sandbox.sqlite');
  const backUpTill = () => backUp(databasePath(), backup(), { mode: 'sandbox', nowMs: shop.clock.now() });
  const backup = () => join(shop.dataDir, 'own.backup');
  let otherKey: string;
  beforeEach(async () => {
    otherKey = (await shop.call('POST', '/_sandbox/keys', { source: 'another' })).key;
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    // It is known that there is no line, so that nothing is tried.
    await shop.pass(60_000);
  });
  afterEach(() => {
    // That a database took another's place.
    shop.errors.length = 0;
  });

  async function goesOnline(durationMs: number): Promise<void> {
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(durationMs, 1_000);
  }

  function restore(): void {
    const about = { random: systemRandom(), nowMs: shop.clock.now() };
    restoreBackup(backup(), databasePath(), { mode: 'sandbox', trust: { kind: 'from_elsewhere' }, ...about });
  }

  async function isSentUnderFirstKeyAlone(): Promise<void> {
    shop.start(otherKey);
    await goesOnline(400_000);
    expect(shop.operation('R-1')).toMatchObject({ state: 'unknown', maybeSent: true });
    expect(shop.core.status().notices).toContainEqual({ code: 'key_changed', waiting: 1 });
    const elsewhere = { handle: shop.service.handle.bind(shop.service), apiKey: otherKey };
    const path = '/v1/transactions?external_ref=R-1';
    expect((await callService(elsewhere, { method: 'GET', path, body: undefined })).data).toEqual([]);
    await shop.stop();
    shop.start();
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(await shop.held('R-1')).toHaveLength(1);
  }

  it('does not send it under that one, as a copy on another machine', async () => {
    await shop.saved('R-1');
    const copy = shop.image();
    await goesOnline(180_000);
    await shop.stop();
    shop.dataDir = copy;
    shop.machine = 'another machine';
    await isSentUnderFirstKeyAlone();
  });

  it('sends it once, when a person resends it under a new key of the same store', async () => {
    await shop.saved('R-1');
    const newKey = (await shop.call('POST', '/_sandbox/keys', {})).key;
    const copy = shop.image();
    await shop.stop();
    shop.dataDir = copy;
    shop.machine = 'another machine';
    shop.start(newKey);
    await goesOnline(400_000);
    const { operationId, state } = shop.operation('R-1');
    expect(state).toBe('unknown');
    const decider = { person: null, reason: 'A new key of the same store' };
    const resend = () => shop.passUntil(shop.core.resend(operationId, decider));
    shop.meddle = () => Promise.resolve({ kind: 'no_connection' });
    expect(await resend()).toMatchObject({ kind: 'books_unread' });
    shop.meddle = (call, carry) => carry(call);
    await shop.pass(60_000, 1_000);
    expect(await resend()).toMatchObject({ kind: 'done' });
    await shop.pass(180_000, 1_000);
    expect(shop.operation('R-1').state).toBe('applied');
    expect(await shop.held('R-1')).toHaveLength(1);
  });

  it('does not send it under that one, where a backup takes the place of a database that is gone', async () => {
    await shop.saved('R-1');
    await backUpTill();
    await goesOnline(180_000);
    await shop.stop();
    for (const part of ['', '-wal', '-shm', '-open']) rmSync(databasePath() + part, { force: true });
    restore();
    await isSentUnderFirstKeyAlone();
  });

  it('does not send it under that one, where what a damaged database holds is carried over', async () => {
    await shop.saved('R-1');
    await shop.stop();
    const file = openSync(databasePath(), 'r+');
    writeSync(file, Buffer.alloc(16));
    closeSync(file);
    await isSentUnderFirstKeyAlone();
  });

  it('sends it where it was saved under that one, and a backup of before is restored', async () => {
    await backUpTill();
    await shop.stop();
    shop.start(otherKey);
    await shop.saved('R-1');
    await shop.stop();
    restore();
    shop.start(otherKey);
    expect(shop.operation('R-1').state).toBe('unknown');
    await goesOnline(180_000);
    expect(shop.operation('R-1').state).toBe('applied');
  });
});
