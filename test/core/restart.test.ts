import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemSchedule } from '../../app/store/database/writer.ts';
import { Shop, signal } from '../support/core-shop.ts';
import { answer, refusal } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
  await shop.until(() => shop.core.status().connection.state === 'online');
});
afterEach(() => shop.end());

const statesOnDisk = () =>
  shop.inspect((database) => {
    const rows = database.prepare('SELECT external_ref, state FROM operations').all();
    return Object.fromEntries(
      (rows as { external_ref: string; state: string }[]).map((row) => [row.external_ref, row.state]),
    );
  });

/** Starts on a disk that takes nothing of the recovery. Its trigger comes after the start has looked at the tables. */
function startOnFullDisk() {
  shop.start();
  const other = new BetterSqlite3(shop.databasePath);
  other.exec(`CREATE TRIGGER full BEFORE UPDATE OF state ON operations WHEN new.state = 'unknown'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  return other;
}

describe('after a crash', () => {
  it('what was marked as being sent is unknown, is sent again identical, and is recorded once', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? { kind: 'answer_after', until: new Promise(() => undefined) } : answer;
    const refs = Array.from({ length: 12 }, (_, index) => `R-${index}`);
    for (const ref of refs) await shop.saved(ref);
    await shop.until(() => shop.service.inFlight === 8);
    shop.crash();
    const marked = Object.entries(statesOnDisk()).flatMap(([ref, state]) => (state === 'sending' ? [ref] : []));
    expect(marked.length).toBeGreaterThanOrEqual(8);
    shop.service.script = () => answer;
    shop.start();
    const wasUnknown = (ref: string) => shop.core.history(shop.operation(ref).rowId).some(({ to }) => to === 'unknown');
    await shop.until(() => marked.every(wasUnknown));
    for (const ref of marked) expect(shop.operation(ref).maybeSent).toBe(true);
    await shop.passUntil(() => refs.every((ref) => shop.state(ref) === 'applied'));
    expect(shop.service.recorded.size).toBe(12);
    for (const ref of refs) expect(new Set(shop.service.earnsOf(ref).map(({ body }) => body)).size).toBe(1);
  });

  it('nothing that was answered as saved is missing, whatever moment it came at', async () => {
    await shop.service.stop();
    for (let index = 0; index < 25; index += 1) {
      const saving = Array.from({ length: 4 }, (_, copy) => shop.saved(`R-${index}-${copy}`));
      await Promise.all(saving);
      // Some that nobody was answered for yet: they may be there or not.
      const late = shop.saveEarn(`LATE-${index}`).catch(() => undefined);
      shop.crash();
      shop.start();
      void late;
    }
    const onDisk = statesOnDisk();
    for (let index = 0; index < 25; index += 1) {
      for (let copy = 0; copy < 4; copy += 1) {
        // Saved while the line was thought good, it was marked in the same commit.
        expect(['queued', 'unknown']).toContain(onDisk[`R-${index}-${copy}`]);
      }
    }
    await shop.service.start();
    await shop.passUntil(() => Object.values(statesOnDisk()).every((state) => state === 'applied'));
    expect(shop.service.recorded.size).toBe(Object.keys(statesOnDisk()).length);
    expect(shop.service.recorded.size).toBeGreaterThanOrEqual(100);
  });

  it('accepted rows are asked for again, refused and cancelled ones stay what they are', async () => {
    shop.service.applyDelayMs = 60_000;
    shop.service.script = ({ externalRef }) =>
      externalRef === 'REFUSED'
        ? refusal(422, 'CARD_NOT_ELIGIBLE')
        : externalRef === 'HELD'
          ? refusal(401, 'UNAUTHENTICATED')
          : answer;
    await shop.saved('REFUSED');
    await shop.saved('ACCEPTED');
    await shop.until(() => shop.state('ACCEPTED') === 'accepted' && shop.state('REFUSED') === 'refused');
    await shop.service.stop();
    const { operationId } = await shop.saved('CANCELLED');
    // The line is found cut by the first that is sent.
    await shop.saved('FINDS-OUT');
    await shop.until(() => shop.state('CANCELLED') === 'queued' && shop.core.status().connection.state === 'offline');
    expect(await shop.core.cancel(operationId)).toMatchObject({ kind: 'cancelled' });
    shop.crash();
    await shop.service.start();
    shop.start();
    await shop.passUntil(() => shop.state('ACCEPTED') === 'applied' && shop.state('FINDS-OUT') === 'applied');
    expect(shop.state('REFUSED')).toBe('refused');
    expect(shop.operation('REFUSED').error).toMatchObject({ code: 'CARD_NOT_ELIGIBLE' });
    expect(shop.state('CANCELLED')).toBe('cancelled');
    expect(shop.service.recorded.has('CANCELLED')).toBe(false);
  });

  it('what the full disk of a start keeps as being sent goes on once there is room, and others do not wait', async () => {
    const holdsEarns = ({ call }: { readonly call: string }) =>
      call === 'earn' ? ({ kind: 'answer_after', until: new Promise(() => undefined) } as const) : answer;
    shop.service.script = holdsEarns;
    await shop.saved('LEFT');
    await shop.until(() => shop.service.inFlight === 1);
    shop.crash();
    shop.service.script = () => answer;
    const other = startOnFullDisk();
    await shop.saved('OTHER');
    await shop.passUntil(() => shop.state('OTHER') === 'applied');
    expect(shop.state('LEFT')).toBe('sending');
    expect(shop.service.earnsOf('LEFT')).toHaveLength(1);
    other.exec('DROP TRIGGER full');
    other.close();
    await shop.passUntil(() => shop.state('LEFT') === 'applied');
    expect(shop.core.history(shop.operation('LEFT').rowId).map(({ to }) => to)).toContain('unknown');
    expect(shop.service.recorded.size).toBe(2);
  });

  it('an agent whose disk stays full ends in good order', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? { kind: 'answer_after', until: new Promise(() => undefined) } : answer;
    await shop.saved('LEFT');
    await shop.until(() => shop.service.inFlight === 1);
    shop.crash();
    const other = startOnFullDisk();
    await shop.until(() => shop.core.status().connection.state === 'online');
    await shop.stop();
    expect(statesOnDisk()).toEqual({ LEFT: 'sending' });
    other.exec('DROP TRIGGER full');
    other.close();
  });

  it('more rows than one page of recovery are all recovered before anything is sent', async () => {
    await shop.service.stop();
    await Promise.all(Array.from({ length: 2_300 }, (_, index) => shop.saved(`R-${index}`)));
    await shop.stop();
    const database = new BetterSqlite3(shop.databasePath);
    database.exec(`UPDATE operations SET state = 'sending', sends = 1, version = version + 1`);
    database.exec(`UPDATE state_counts SET count = CASE state WHEN 'sending' THEN 2300 ELSE 0 END`);
    database.close();
    shop.start();
    await shop.until(() => shop.core.status().operations.unknown === 2_300);
    expect(shop.core.status().operations.sending).toBe(0);
  });
});

describe('an orderly end', () => {
  it('leaves nothing marked: what was not sent is queued again, cancellable, and known as never sent', async () => {
    const mayAnswer = signal();
    shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'answer_after', until: mayAnswer.promise } : answer);
    const refs = Array.from({ length: 60 }, (_, index) => `R-${index}`);
    await Promise.all(refs.map((ref) => shop.saved(ref)));
    await shop.until(() => shop.service.inFlight === 8);
    expect(shop.core.status().operations.sending).toBeGreaterThan(8);
    const ending = shop.stop();
    mayAnswer.give();
    await ending;
    const states = Object.values(statesOnDisk());
    expect(states.filter((state) => state === 'accepted')).toHaveLength(8);
    expect(states.filter((state) => state === 'queued')).toHaveLength(52);
    shop.start();
    await shop.passUntil(() => refs.every((ref) => shop.state(ref) === 'applied'));
    expect(shop.service.earns).toHaveLength(60);
  });

  it.each(Array.from({ length: 6 }, (_, turns) => turns))(
    'leaves nothing marked when it comes %i turns after a save',
    async (turns) => {
      await shop.saved('R-1');
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await shop.stop();
      expect(['queued', 'accepted']).toContain(statesOnDisk()['R-1']);
    },
  );

  it('takes no longer than a few seconds with a service that never answers', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? { kind: 'answer_after', until: new Promise(() => undefined) } : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.service.inFlight === 1);
    const ending = shop.stop();
    await shop.quiet();
    shop.clock.advance(4_000);
    await ending;
    expect(statesOnDisk()['R-1']).toBe('sending');
    shop.service.script = () => answer;
    shop.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
  });

  it('comes also while the disk takes nothing and the clock stands still', async () => {
    const mayAnswer = signal();
    shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'answer_after', until: mayAnswer.promise } : answer);
    await shop.saved('R-1');
    await shop.until(() => shop.service.inFlight === 1);
    const holder = new BetterSqlite3(shop.databasePath);
    holder.exec('BEGIN IMMEDIATE');
    mayAnswer.give();
    await shop.until(() => shop.errors.some((line) => line.includes('locked')));
    await shop.stop();
    holder.exec('ROLLBACK');
    holder.close();
    // The answer could not be kept: the row is asked about again, and the service knows it.
    expect(statesOnDisk()).toEqual({ 'R-1': 'sending' });
    shop.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(shop.service.recorded.size).toBe(1);
  });

  it('keeps every save that was asked for before it', async () => {
    await shop.service.stop();
    const saving = Array.from({ length: 20 }, (_, index) => shop.saveEarn(`R-${index}`));
    await shop.stop();
    expect(await Promise.all(saving)).toEqual(saving.map(() => expect.objectContaining({ kind: 'saved' })));
    expect(Object.keys(statesOnDisk())).toHaveLength(20);
  });

  it('answers a save after it with a loud failure', async () => {
    const core = shop.core;
    const earn = shop.newEarn({ request: { external_ref: 'R-1' } });
    await shop.stop();
    expect(await core.saveEarn(earn)).toMatchObject({ kind: 'not_saved' });
  });

  it('works with the schedule of the system, too', async () => {
    await shop.stop();
    shop.start({ schedule: systemSchedule });
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    await shop.stop();
    expect(statesOnDisk()).toEqual({ 'R-1': 'accepted' });
  });
});
