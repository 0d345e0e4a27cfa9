/**
 * Whether a line of the history has been written out as an event: then that is the line.
 *
 * @param version of the line
 */
const isWrittenOut = (version: number) =>
  `EXISTS (SELECT 1 FROM operation_events AS event WHERE event.row_id = operation.row_id AND event.version = ${version})`;

/**
 * The key of the first send. Only a send changes a row's key, and the next line that is written out is never a send: so
 * that line has the key, or else the row itself.
 */
const firstKey = `coalesce((SELECT event.key_fingerprint FROM operation_events AS event
    WHERE event.row_id = operation.row_id AND event.version > 2 ORDER BY event.version LIMIT 1), key_fingerprint)`;

/** The state after the first answer: the row's own, or once there is a line behind it, the state that line came from. */
const answeredState = `iif(version = 3, state, coalesce((SELECT event.from_state FROM operation_events AS event
    WHERE event.row_id = operation.row_id AND event.version = 4), 'accepted'))`;

/** The normal life of an operation as columns, the history with it, and counters that follow. Append-only: a released migration is never changed. */
export const normalLifeMigration = `
-- The steps of a normal life: queued, then sending, then accepted or applied by the first answer, then applied by a poll.
-- Null: it has not come, or is a line of operation_events.
ALTER TABLE operations ADD COLUMN first_sent_at INTEGER;
ALTER TABLE operations ADD COLUMN answered_at INTEGER;
ALTER TABLE operations ADD COLUMN answer_status INTEGER;
ALTER TABLE operations ADD COLUMN answer_request_id TEXT;
ALTER TABLE operations ADD COLUMN polled_at INTEGER;
ALTER TABLE operations ADD COLUMN poll_status INTEGER;
ALTER TABLE operations ADD COLUMN poll_request_id TEXT;

-- All lines of the history: those that are written out, and those that the row itself tells.
CREATE VIEW operation_history AS
SELECT row_id, version, from_state, to_state, at, send, cause, http_status, code, request_id, key_fingerprint, reason, person
FROM operation_events
UNION ALL
SELECT row_id, 1, NULL, 'queued', saved_at, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM operations AS operation
WHERE NOT ${isWrittenOut(1)}
UNION ALL
SELECT row_id, 2, 'queued', 'sending', first_sent_at, 1, NULL, NULL, NULL, NULL, ${firstKey}, NULL, NULL
FROM operations AS operation
WHERE first_sent_at IS NOT NULL AND NOT ${isWrittenOut(2)}
UNION ALL
SELECT row_id, 3, 'sending', ${answeredState}, answered_at, 1, NULL, answer_status, NULL, answer_request_id, ${firstKey}, NULL, NULL
FROM operations AS operation
WHERE answered_at IS NOT NULL AND NOT ${isWrittenOut(3)}
UNION ALL
SELECT row_id, 4, 'accepted', 'applied', polled_at, 1, NULL, poll_status, NULL, poll_request_id, ${firstKey}, NULL, NULL
FROM operations AS operation
WHERE polled_at IS NOT NULL AND NOT ${isWrittenOut(4)};

-- state_counts tells of the rows up to this one; those behind it are counted by looking at them.
INSERT INTO meta (key, value) SELECT 'counted_through', coalesce(max(row_id), 0) FROM operations;
`;
