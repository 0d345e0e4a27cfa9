import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop, signal } from '../support/core-shop.ts';
import { answer, refusal, type SeenRequest } from '../support/scripted-service.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.end());

describe('an earn on its way', () => {
  it('is on the disk when it is answered, also with nobody to send it to', async () => {
    await shop.service.stop();
    const outcome = await shop.saveEarn('R-1');
    expect(outcome).toMatchObject({
      kind: 'saved',
      duplicate: false,
      operation: { state: 'queued', externalRef: 'R-1' },
    });
    const rows = shop.inspect((database) =>
      database.prepare('SELECT external_ref, state, amount_minor FROM operations').all(),
    );
    expect(rows).toEqual([{ external_ref: 'R-1', state: 'queued', amount_minor: 12_500 }]);
  });

  it('goes queued, sending, accepted, applied and brings the new balances', async () => {
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const operation = shop.operation('R-1');
    expect(operation).toMatchObject({
      attempts: 0,
      cause: null,
      error: null,
      serviceTransactionId: 'txn_000001',
      newBalances: { points: 7 },
    });
    expect(operation.completedAtMs).toBeGreaterThan(operation.savedAtMs);
    expect(shop.core.history(operation.rowId).map(({ to }) => to)).toEqual([
      'queued',
      'sending',
      'accepted',
      'applied',
    ]);
    expect(shop.service.earnsOf('R-1')).toHaveLength(1);
  });

  it('is marked on the disk, for any other program to see, before its first byte arrives', async () => {
    const seen: unknown[] = [];
    shop.service.onEarn = ({ externalRef }) => {
      seen.push(
        shop.inspect((database) =>
          database
            .prepare(
              `SELECT state, sends, (SELECT count(*) FROM operation_history e WHERE e.row_id = o.row_id AND to_state = 'sending') AS marks
               FROM operations o WHERE external_ref = ?`,
            )
            .get(externalRef),
        ),
      );
    };
    shop.service.script = ({ call, attempt }) => (call === 'earn' && attempt === 1 ? { kind: 'lose_answer' } : answer);
    for (let index = 0; index < 20; index += 1) await shop.saved(`R-${index}`);
    await shop.passUntil(() => shop.core.status().operations.accepted === 20 || shop.service.earns.length >= 40);
    expect(seen.length).toBeGreaterThanOrEqual(40);
    for (const row of seen) expect(row).toMatchObject({ state: 'sending' });
    for (const row of seen as { sends: number; marks: number }[]) expect(row.marks).toBe(row.sends);
  });

  it('is sent with the very same bytes, key and headers at every attempt', async () => {
    const losses: Record<number, Parameters<typeof refusal> | 'lose_answer' | 'half_answer' | 'lose_request'> = {
      1: 'lose_answer',
      2: 'half_answer',
      3: [500, 'INTERNAL'],
      4: [401, 'UNAUTHENTICATED'],
      5: 'lose_request',
      6: [429, 'RATE_LIMITED', { headers: { 'retry-after': '2' } }],
    };
    shop.service.script = ({ call, attempt }) => {
      const loss = call === 'earn' ? losses[attempt] : undefined;
      if (loss === undefined) return answer;
      return typeof loss === 'string' ? { kind: loss } : refusal(...loss);
    };
    const earn = shop.newEarn({
      idempotencyKey: 'key-of-the-pos',
      request: {
        external_ref: 'R-1',
        points: 2.5,
        metadata: { note: 'قهوة ☕', nested: { deep: [1, 2, 3] } },
        employee_ref: 'e-7',
      },
    });
    await shop.core.saveEarn(earn);
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const attempts = shop.service.earnsOf('R-1');
    expect(attempts).toHaveLength(7);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['key-of-the-pos']));
    expect(JSON.parse(attempts[0]?.body ?? '')).toEqual({
      ...earn.request,
      currency: 'KWD',
      branch_ref: 'main',
      device_ref: 'till1',
      occurred_at: '2026-11-20T18:13:00.000Z',
    });
    expect(shop.service.recorded.size).toBe(1);
  });

  it('is unknown after its answer was lost, and resent, and then known to have been taken once', async () => {
    const mayAnswer = signal();
    shop.service.script = ({ call, attempt }) => {
      if (call !== 'earn') return answer;
      return attempt === 1 ? { kind: 'lose_answer' } : { kind: 'answer_after', until: mayAnswer.promise };
    };
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'unknown');
    expect(shop.operation('R-1')).toMatchObject({ maybeSent: true, cause: 'offline' });
    await shop.passUntil(() => shop.service.earnsOf('R-1').length === 2);
    mayAnswer.give();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(shop.service.recorded.size).toBe(1);
    expect(shop.service.earnsOf('R-1')).toHaveLength(2);
  });

  it('is applied at once when a replay tells that it had been completed long ago', async () => {
    shop.service.script = ({ call, attempt }) => (call === 'earn' && attempt === 1 ? { kind: 'lose_answer' } : answer);
    shop.service.applyDelayMs = 0;
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(shop.operation('R-1')).toMatchObject({ newBalances: { points: 7 }, maybeSent: true });
    expect(shop.core.history(shop.operation('R-1').rowId).map(({ to }) => to)).toEqual([
      'queued',
      'sending',
      'unknown',
      'sending',
      'applied',
    ]);
  });

  it('stays queued when no connection was made: no byte of it can have left', async () => {
    await shop.passUntil(() => shop.core.status().connection.state === 'online');
    await shop.service.stop();
    await shop.saved('R-1');
    await shop.until(() => shop.core.history(shop.operation('R-1').rowId).length === 3);
    expect(shop.operation('R-1')).toMatchObject({ state: 'queued', maybeSent: false, attempts: 0, cause: 'offline' });
    expect(shop.core.status().connection).toMatchObject({ state: 'offline', cause: 'offline' });
    await shop.service.start();
    await shop.passUntil(() => shop.state('R-1') === 'applied');
  });

  it('that the service refuses keeps the reason and is not sent again', async () => {
    shop.service.script = ({ call }) =>
      call === 'earn' ? refusal(422, 'CARD_NOT_ELIGIBLE', { details: ['card_id_required'] }) : answer;
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'refused');
    await shop.pass(120_000, 5_000);
    expect(shop.operation('R-1')).toMatchObject({
      state: 'refused',
      cause: 'refused',
      maybeSent: false,
      attempts: 1,
      error: { code: 'CARD_NOT_ELIGIBLE', details: ['card_id_required'], request_id: 'req_scripted' },
    });
    expect(shop.service.earns).toHaveLength(1);
    expect(shop.core.history(shop.operation('R-1').rowId).at(-1)).toMatchObject({
      from: 'sending',
      to: 'refused',
      cause: 'refused',
      httpStatus: 422,
      code: 'CARD_NOT_ELIGIBLE',
      requestId: 'req_scripted',
    });
  });

  it('that the service recorded as failed keeps the error', async () => {
    shop.service.failing.add('R-1');
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'failed');
    expect(shop.operation('R-1')).toMatchObject({
      serviceTransactionId: 'txn_000001',
      error: { code: 'CARD_NOT_ELIGIBLE', request_id: 'req_failed' },
    });
    await shop.pass(60_000, 5_000);
    expect(shop.service.earns).toHaveLength(1);
  });

  it('that the service accepted and then no longer knows is unknown, and sent again identical', async () => {
    await shop.saved('R-1');
    await shop.until(() => shop.state('R-1') === 'accepted');
    shop.service.forget('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const states = shop.core.history(shop.operation('R-1').rowId).map(({ to }) => to);
    expect(states).toEqual(['queued', 'sending', 'accepted', 'unknown', 'sending', 'accepted', 'applied']);
    const attempts = shop.service.earnsOf('R-1');
    expect(attempts).toHaveLength(2);
    expect(attempts[0]?.body).toBe(attempts[1]?.body);
    expect(shop.operation('R-1').serviceTransactionId).toBe('txn_000002');
  });

  it('keeps being asked for while the service still processes it, and is not sent again', async () => {
    shop.service.applyDelayMs = 300_000;
    await shop.saved('R-1');
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    const polls = shop.service.requests.filter(({ call }) => call === 'transaction');
    expect(polls.length).toBeGreaterThan(3);
    expect(polls.length).toBeLessThan(40);
    expect(shop.service.earns).toHaveLength(1);
  });
});

describe('a sale while the line is good', () => {
  /** SQLite's index of the log counts the commits ("WAL-Index Header" in sqlite.org/walformat). */
  const commits = () => readFileSync(`${shop.databasePath}-shm`).readUInt32LE(8);
  const statesOf = (externalRef: string) => shop.core.history(shop.operation(externalRef).rowId).map(({ to }) => to);
  const online = () => shop.until(() => shop.core.status().connection.state === 'online');

  it('is saved and marked in one commit', async () => {
    await online();
    const before = commits();
    await shop.saved('R-1');
    expect(commits() - before).toBe(1);
    await shop.until(() => shop.state('R-1') === 'accepted');
    expect(commits() - before).toBe(2);
    expect(statesOf('R-1')).toEqual(['queued', 'sending', 'accepted']);
  });

  it('is marked with all that is saved beside it', async () => {
    await online();
    const before = commits();
    await Promise.all(Array.from({ length: 12 }, (_, index) => shop.saved(`R-${index}`)));
    expect(commits() - before).toBe(1);
    await shop.passUntil(() => shop.service.recorded.size === 12);
  });

  it('is not marked when it was there already, or when nothing can be sent', async () => {
    await online();
    const earn = shop.newEarn({ request: { external_ref: 'R-1' } });
    await shop.core.saveEarn(earn);
    await shop.passUntil(() => shop.state('R-1') === 'applied');
    expect(await shop.core.saveEarn(earn)).toMatchObject({ kind: 'saved', duplicate: true });
    await shop.quiet();
    expect(statesOf('R-1')).toEqual(['queued', 'sending', 'accepted', 'applied']);
    await shop.service.stop();
    await shop.passUntil(() => shop.core.status().connection.state === 'offline');
    await shop.saved('R-2');
    expect(statesOf('R-2')).toEqual(['queued']);
  });
});

describe('order', () => {
  it('has two under way while sales are taken, to a service that answers at once; and eight again a second later', async () => {
    await shop.saved('R-0');
    await shop.until(() => shop.core.counts().accepted + shop.core.counts().applied === 1);
    const mayAnswer = signal();
    shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'answer_after', until: mayAnswer.promise } : answer);
    for (let index = 1; index <= 20; index += 1) {
      await shop.saved(`R-${index}`, { identifier: { loyalty_id: `LC-${index}` } });
    }
    await shop.quiet();
    expect(shop.service.inFlight).toBe(2);
    await shop.pass(2_000);
    mayAnswer.give();
    await shop.until(() => shop.service.recorded.size === 21);
    expect(shop.service.mostInFlight).toBe(8);
  });

  it('is oldest first by when the sale took place, at most eight at a time, one for each customer', async () => {
    const mayAnswer = signal();
    shop.service.script = ({ call }) => (call === 'earn' ? { kind: 'answer_after', until: mayAnswer.promise } : answer);
    await shop.service.stop();
    await shop.until(() => shop.core.status().connection.state === 'offline');
    for (let index = 29; index >= 0; index -= 1) {
      await shop.saved(`R-${index}`, {
        occurred_at: new Date(shop.clock.now() - 3_600_000 + index * 1_000).toISOString(),
        identifier: { loyalty_id: `LC-${index % 12}` },
      });
    }
    await shop.service.start();
    await shop.passUntil(() => shop.service.inFlight === 8);
    await shop.pass(5_000);
    const first = shop.service.earns.map(({ externalRef }) => externalRef);
    expect(first).toEqual(['R-0', 'R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6', 'R-7']);
    mayAnswer.give();
    await shop.passUntil(() => shop.core.status().operations.accepted === 0 && shop.service.recorded.size === 30);
    expect(shop.service.mostInFlight).toBe(8);
    expect([...shop.service.crowdedCustomers]).toEqual([]);
    for (let customer = 0; customer < 12; customer += 1) {
      const own = shop.service.earns
        .filter(({ body }) => body.includes(`"LC-${customer}"`))
        .map(({ externalRef }) => Number(externalRef?.slice(2)));
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  });

  it.each([
    { when: 'nobody has sold for a while', quietMs: 2_000, isSmall: false },
    { when: 'a sale was taken just now', quietMs: 0, isSmall: true },
  ])('marks a backlog in windows whose size depends on the tills: $when', async ({ quietMs, isSmall }) => {
    await shop.service.stop();
    await shop.until(() => shop.core.status().connection.state === 'offline');
    await Promise.all(Array.from({ length: 600 }, (_, index) => shop.saved(`R-${index}`)));
    await shop.stop();
    await shop.service.start();
    shop.start();
    await shop.saved('R-NOW');
    shop.clock.advance(quietMs);
    const { core } = shop;
    let mostSending = 0;
    core.onChange(() => {
      mostSending = Math.max(mostSending, core.counts().sending);
    });
    await shop.until(() => shop.core.counts().queued === 0);
    // A window, what is on its way, and a batch of answers that is not written yet.
    if (isSmall) expect(mostSending).toBeLessThanOrEqual(64 + 16 + 64);
    else expect(mostSending).toBeGreaterThan(200);
  });

  it.each([1, 8])('marks the backlog of few customers in windows too: of %i', async (customers) => {
    await shop.service.stop();
    await shop.until(() => shop.core.status().connection.state === 'offline');
    const count = 400;
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        shop.saved(`R-${index}`, { identifier: { loyalty_id: `LC-${index % customers}` } }),
      ),
    );
    await shop.stop();
    await shop.service.start();
    shop.start();
    shop.clock.advance(2_000);
    const { core } = shop;
    let marks = 0;
    let queued = count;
    let mostReady = 0;
    core.onChange(() => {
      if (core.counts().queued < queued) marks += 1;
      queued = core.counts().queued;
      mostReady = Math.max(mostReady, count - queued - shop.service.earns.length);
    });
    await shop.until(() => queued === 0);
    expect([...shop.service.crowdedCustomers]).toEqual([]);
    expect(marks).toBeLessThan(count / 8);
    // An eighth of the largest window for each: no mark begins before the one before it is taken in.
    expect(mostReady).toBeLessThanOrEqual(128 * customers);
  });

  it('lets others pass a customer with hundreds of earns whose first one hangs', async () => {
    const mayAnswer = signal();
    const hangs = ({ call, body }: SeenRequest) => call === 'earn' && body.includes('"LC-hot"');
    shop.service.script = (request) => (hangs(request) ? { kind: 'answer_after', until: mayAnswer.promise } : answer);
    await shop.service.stop();
    await shop.until(() => shop.core.status().connection.state === 'offline');
    await Promise.all(
      Array.from({ length: 400 }, (_, index) => shop.saved(`H-${index}`, { identifier: { loyalty_id: 'LC-hot' } })),
    );
    shop.clock.advance(1_000);
    await Promise.all(Array.from({ length: 20 }, (_, index) => shop.saved(`R-${index}`)));
    await shop.stop();
    await shop.service.start();
    shop.start();
    await shop.passUntil(() => shop.service.recorded.size >= 21, { limitMs: 120_000 });
    expect(shop.service.earns.filter(hangs)).toHaveLength(1);
    mayAnswer.give();
    await shop.passUntil(
      () => shop.core.status().operations.queued === 0 && shop.core.status().operations.accepted === 0,
    );
    expect(shop.service.recorded.size).toBe(420);
    expect([...shop.service.crowdedCustomers]).toEqual([]);
  });

  it('polls a whole backlog to its end', async () => {
    await shop.service.stop();
    await Promise.all(Array.from({ length: 1_500 }, (_, index) => shop.saved(`R-${index}`)));
    await shop.service.start();
    await shop.passUntil(() => shop.service.recorded.size === 1_500);
    await shop.passUntil(() => shop.core.status().oldestWaitingAtMs === null);
    const applied = shop.inspect((database) =>
      database.prepare(`SELECT count(*) AS n FROM operations WHERE state = 'applied'`).get(),
    );
    expect(applied).toEqual({ n: 1_500 });
    expect(shop.service.earns).toHaveLength(1_500);
  });
});
