import type { NewOperation } from '../operations/new-operation.ts';
import { operationColumns } from './rows.ts';

export const sendableColumns = `row_id, intent, occurred_at, identifier_kind, identifier_value, external_ref, path, body, idempotency_key,
  attempts, maybe_sent, sends, key_fingerprint`;

/** Bound by place: to look up twenty-odd names takes a quarter of the insert. */
export const insertedColumns = [
  'row_id',
  'operation_id',
  'intent',
  'delivery',
  'origin',
  'pos_name',
  'state',
  'external_ref',
  'identifier_kind',
  'identifier_value',
  'customer_name',
  'given_name',
  'card_id',
  'amount_minor',
  'currency',
  'points',
  'stamps',
  'visits',
  'occurred_at',
  'occurred_at_from',
  'business_date',
  'till_time',
  'monotonic_ms',
  'clock_skew_ms',
  'path',
  'body',
  'idempotency_key',
  'saved_at',
  'reverses_row_id',
  'replaces_row_id',
] as const satisfies readonly (keyof NewOperation)[];

const acceptedColumns =
  'row_id, intent, occurred_at, external_ref, path, body, service_transaction_id, sends, attempts, updated_at';

const select = `SELECT ${operationColumns} FROM operations`;

/** Every statement on the operations. */
export const sql = {
  insert: `
      INSERT INTO operations (${insertedColumns.join(', ')}, updated_at, version, body_version)
      VALUES (${insertedColumns.map(() => '?').join(', ')}, ?, 1, 1)
      ON CONFLICT DO NOTHING`,
  insertFirstEvent: 'INSERT INTO operation_events (row_id, version, to_state, at, send) VALUES (?, 1, ?, ?, 0)',
  insertMarkEvents: `
      INSERT INTO operation_events (row_id, version, from_state, to_state, at, send, key_fingerprint)
      SELECT row_id, version + 1, state, 'sending', @at, sends + 1, iif(maybe_sent, key_fingerprint, @key)
      FROM operations WHERE row_id IN (SELECT value FROM json_each(@ids)) AND state = @from`,
  // Of what may be at the service the key stays on record that it may be there under.
  mark: `
      UPDATE operations SET state = 'sending', version = version + 1, sends = sends + 1, updated_at = @at,
        key_fingerprint = iif(maybe_sent, key_fingerprint, @key)
      WHERE row_id IN (SELECT value FROM json_each(@ids)) AND state = @from`,
  current:
    'SELECT intent, state, version, sends, maybe_sent, body_version, key_fingerprint, reverses_row_id FROM operations WHERE row_id = ?',
  change: `
      UPDATE operations SET state = ?, version = ?, updated_at = ?, cause = ?, error = ?, attempts = ?, maybe_sent = ?,
        next_attempt_at = ?, service_transaction_id = coalesce(?, service_transaction_id),
        service_customer_id = coalesce(?, service_customer_id), service_card_id = coalesce(?, service_card_id),
        new_balances = coalesce(?, new_balances), completed_at = coalesce(?, completed_at)
      WHERE row_id = ?`,
  // What the service told under an id that it does not have for this row was about another.
  forgetRecord: `
      UPDATE operations SET service_transaction_id = NULL, service_customer_id = NULL, service_card_id = NULL,
        new_balances = NULL, completed_at = NULL
      WHERE row_id = ?`,
  insertEvent: `
      INSERT INTO operation_events (row_id, version, from_state, to_state, at, send, cause, http_status, code, request_id,
        key_fingerprint)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  // A reversal goes after its original: the service refuses it before that one is applied.
  queued: `SELECT ${sendableColumns} FROM operations
       WHERE state = 'queued' AND (occurred_at, row_id) > (?, ?) AND delivery = 'deferred'
         AND (reverses_row_id IS NULL
           OR (SELECT state FROM operations AS original WHERE original.row_id = operations.reverses_row_id) = 'applied')
       ORDER BY occurred_at, row_id LIMIT ?`,
  dueUnknown: `SELECT ${sendableColumns} FROM operations
       WHERE state = 'unknown' AND (next_attempt_at <= ? OR next_attempt_at > ?) AND delivery = 'deferred'
       ORDER BY occurred_at, row_id LIMIT ?`,
  // No state changes: only the wait ends that another key had made.
  releaseHeld: `UPDATE operations SET next_attempt_at = 0 WHERE state = 'unknown' AND key_fingerprint = ?`,
  nextUnknown: `SELECT min(next_attempt_at) AS at FROM operations WHERE state = 'unknown' AND delivery = 'deferred'`,
  sending: `SELECT ${sendableColumns} FROM operations WHERE state = 'sending' ORDER BY occurred_at, row_id`,
  accepted: `SELECT ${acceptedColumns} FROM operations
       WHERE state = 'accepted' AND (occurred_at, row_id) > (?, ?) ORDER BY occurred_at, row_id LIMIT ?`,
  acceptedRow: `SELECT ${acceptedColumns} FROM operations WHERE state = 'accepted' AND row_id = ?`,
  // One index step for each waiting state.
  oldestWaiting: `
      SELECT min(at) AS at FROM (
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'queued' ORDER BY occurred_at, row_id LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'sending' ORDER BY occurred_at, row_id LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'unknown' ORDER BY occurred_at, row_id LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT occurred_at AS at FROM operations WHERE state = 'accepted' ORDER BY occurred_at, row_id LIMIT 1))`,
  byRowId: `${select} WHERE row_id = ?`,
  byOperationId: `${select} WHERE operation_id = ?`,
  byNaturalKey: `${select} WHERE external_ref = ? AND intent = ?`,
  byReference: `${select} WHERE external_ref = ? ORDER BY row_id`,
  byServiceTransactionId: `${select} WHERE service_transaction_id = ? ORDER BY row_id LIMIT 16`,
  // Of one that is only accepted the id is not proven: its poll will say whose it is.
  provenOriginalId: `SELECT original.service_transaction_id AS id FROM operations AS reversal
       JOIN operations AS original ON original.row_id = reversal.reverses_row_id
       WHERE reversal.row_id = ? AND original.state IN ('applied', 'reversed')`,
  recent: `${select} WHERE row_id < ? ORDER BY row_id DESC LIMIT ?`,
  earnsOfCustomer: `${select} WHERE row_id > (SELECT max(row_id) FROM operations) - 2000
       AND identifier_value = ? AND saved_at >= ? AND intent = 'earn' ORDER BY row_id DESC LIMIT 50`,
  history: `SELECT from_state, to_state, at, send, cause, http_status, code, request_id, key_fingerprint, reason, person
       FROM operation_events WHERE row_id = ? ORDER BY version`,
} as const;
