import { randomUUID } from 'node:crypto';
import { systemClock } from '../../app/machine/clock.ts';
import { createTimeOrderedUuids } from '../../app/machine/ids.ts';
import { openServiceDatabase, type ServiceData } from '../../app/service/store/open.ts';
import type { EarnRequest } from '../../shared/contract/transaction.ts';

/** The least of a service that takes earns. */
interface ServiceFloor {
  /** Keeps them in one commit, after what has become due was applied. Returns their ids. @throws when a reference came twice */
  keep(group: readonly EarnRequest[]): readonly string[];
}

/** From an earn until its points are on the card. */
export const applyDelayMs = 1_000;
const minorPerPoint = 1_000;
const source = 'bench';

/**
 * Opens the service's own tables and counts the start, as the service does. Each earn is kept so that every question of
 * the specification finds it: by its id, by its reference, and in its customer's history. When it is applied, its balance is told
 * and the card has it. There is no other kind of call, no log of calls, no fault, and one card.
 */
export function openServiceFloor(data: ServiceData, loyaltyId: string): ServiceFloor {
  const database = openServiceDatabase(data);
  const countStart = database.prepare<[], { starts: number }>(`
    INSERT INTO state VALUES ('starts', '1') ON CONFLICT DO UPDATE SET value = value + 1
    RETURNING CAST(value AS INTEGER) AS starts`);
  database.transaction(() => {
    const { starts } = countStart.get() ?? { starts: 0 };
    if (starts > 1) return;
    database.exec("INSERT INTO customers VALUES ('cus_1', 1, NULL, NULL, NULL, 0, 0, NULL)");
    database
      .prepare(`INSERT INTO cards VALUES (1, 'card_1', 'cus_1', 'tpl_reward', ?, 0, 0, NULL, NULL, NULL, NULL, NULL)`)
      .run(loyaltyId);
  })();
  // `+?` as in the product's own statements (app/sql/compile.ts): SQLite would plan some of them again for each value.
  const known = database.prepare<[string, string], { status: string }>(
    'SELECT transaction_id, status FROM transactions WHERE source = +? AND natural_key = +?',
  );
  const cardOf = database.prepare<[string], { cardId: string; customerId: string }>(
    'SELECT card_id AS cardId, customer_id AS customerId FROM cards WHERE loyalty_id = +?',
  );
  const insert = database.prepare(`
    INSERT INTO transactions (transaction_id, source, natural_key, intent, status, external_ref, customer_id, card_id,
      operation, amount_minor, currency, request, request_id, occurred_at_ms, created_at_ms, process_at_ms, apply_at_ms,
      previous_position)
    VALUES (?, ?, ?, 'earn', 'pending', ?, ?, ?, 'earn_amount', ?, ?, ?, ?, ?, ?, ?, ?,
      (SELECT last_position FROM customers WHERE customer_id = ?))`);
  const link = database.prepare('UPDATE customers SET last_position = last_insert_rowid() WHERE customer_id = ?');
  const apply = database.prepare(`
    UPDATE transactions SET status = 'success', completed_at_ms = ?, process_at_ms = NULL, apply_at_ms = NULL, deltas = ?,
      new_balances = ?
    WHERE position = ?`);
  const due = database.prepare<[number], { position: number; cardId: string; amountMinor: number }>(`
    SELECT position, card_id AS cardId, amount_minor AS amountMinor FROM transactions WHERE apply_at_ms <= +?
    ORDER BY apply_at_ms, position LIMIT 250`);
  const pointsOf = database.prepare<[string], { points: number }>('SELECT points FROM cards WHERE card_id = +?');
  const setPoints = database.prepare('UPDATE cards SET points = ? WHERE card_id = ?');

  const newId = createTimeOrderedUuids(systemClock(), () => randomUUID());

  function keep(request: EarnRequest): string {
    const naturalKey = `earn:${request.external_ref}`;
    if (known.get(source, naturalKey) !== undefined) throw new Error('A reference came twice');
    const { identifier } = request;
    const card = 'loyalty_id' in identifier ? cardOf.get(identifier.loyalty_id ?? '') : undefined;
    if (card === undefined) throw new Error('Nobody has this card');
    const transactionId = `txn_${newId()}`;
    const nowMs = Date.now();
    const whose = [transactionId, source, naturalKey, request.external_ref, card.customerId, card.cardId];
    const what = [request.amount_minor, request.currency, JSON.stringify(request), `req_${newId()}`];
    insert.run(...whose, ...what, nowMs, nowMs, nowMs + 0.8 * applyDelayMs, nowMs + applyDelayMs, card.customerId);
    link.run(card.customerId);
    return transactionId;
  }

  /** Of one card, whose balance is read and written once for all of them. */
  function applyDue(): void {
    const nowMs = Date.now();
    const batch = due.all(nowMs);
    const [first] = batch;
    if (first === undefined) return;
    let points = pointsOf.get(first.cardId)?.points ?? 0;
    for (const { position, amountMinor } of batch) {
      const given = 1_000 * Math.floor(amountMinor / minorPerPoint);
      points += given;
      const shown = { points: points / 1_000, cashback_minor: null, stamps: null, visits: null };
      apply.run(nowMs, JSON.stringify({ points: given }), JSON.stringify({ ...shown, rewards_available: 0 }), position);
    }
    setPoints.run(points, first.cardId);
  }

  const commit = database.transaction((group: readonly EarnRequest[]) => {
    applyDue();
    return group.map(keep);
  });
  return { keep: (group) => commit(group) };
}
