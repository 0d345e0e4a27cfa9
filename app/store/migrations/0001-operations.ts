/**
 * A CHECK's closed set. Not with IN: SQLite builds a list again for each row that it checks, which costs as much as
 * the rest of the insert.
 */
function oneOf(column: string, names: readonly string[]): string {
  return names.map((name) => `${column} = '${name}'`).join(' OR ');
}

const intents = ['earn', 'redeem', 'reverse', 'enroll', 'verify', 'reserve', 'commit', 'release'];
const states = [
  'queued',
  'sending',
  'unknown',
  'accepted',
  'applied',
  'refused',
  'failed',
  'cancelled',
  'reversed',
  'written_off',
];
const identifierKinds = ['loyalty_id', 'phone', 'email', 'external_id', 'customer_id'];
const causes = [
  'offline',
  'tls',
  'timeout',
  'not_the_service',
  'service',
  'throttled',
  'unauthenticated',
  'suspended',
  'refused',
];

/** The operation, its history and the counts. Append-only: a released migration is never changed. */
export const operationsMigration = `
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operations (
  -- The number is part of generated references and is never used twice: see operations_last_row_id.
  row_id                 INTEGER PRIMARY KEY,
  operation_id           TEXT    NOT NULL UNIQUE,
  intent                 TEXT    NOT NULL CHECK (${oneOf('intent', intents)}),
  delivery               TEXT    NOT NULL CHECK (${oneOf('delivery', ['deferred', 'immediate'])}),
  origin                 TEXT    NOT NULL CHECK (${oneOf('origin', ['till', 'bridge'])}),
  state                  TEXT    NOT NULL CHECK (${oneOf('state', states)}),
  -- Grows by one with each change; a line of operation_events has the version that it made.
  version                INTEGER NOT NULL CHECK (version > 0),
  external_ref           TEXT    NOT NULL CHECK (length(external_ref) > 0),
  identifier_kind        TEXT    CHECK (${oneOf('identifier_kind', identifierKinds)}),
  identifier_value       TEXT,
  customer_name          TEXT,
  card_id                TEXT,
  amount_minor           INTEGER CHECK (amount_minor > 0),
  currency               TEXT    CHECK (length(currency) = 3),
  points                 REAL    CHECK (points > 0),
  stamps                 INTEGER CHECK (stamps > 0),
  visits                 INTEGER CHECK (visits > 0),
  -- Instants are milliseconds since 1970, UTC.
  occurred_at            INTEGER NOT NULL,
  occurred_at_from       TEXT    NOT NULL CHECK (${oneOf('occurred_at_from', ['caller', 'till'])}),
  business_date          TEXT    NOT NULL CHECK (length(business_date) = 10),
  till_time              INTEGER NOT NULL,
  monotonic_ms           REAL    NOT NULL,
  clock_skew_ms          INTEGER,
  -- The frozen request: every attempt sends these bytes to this path.
  path                   TEXT    NOT NULL,
  body                   TEXT,
  body_version           INTEGER NOT NULL CHECK (body_version > 0),
  idempotency_key        TEXT    CHECK (length(idempotency_key) <= 128),
  sends                  INTEGER NOT NULL DEFAULT 0 CHECK (sends >= 0),
  attempts               INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  maybe_sent             INTEGER NOT NULL DEFAULT 0 CHECK (maybe_sent IN (0, 1)),
  key_fingerprint        TEXT,
  next_attempt_at        INTEGER NOT NULL DEFAULT 0,
  cause                  TEXT    CHECK (${oneOf('cause', causes)}),
  error                  TEXT    CHECK (json_valid(error)),
  service_transaction_id TEXT,
  service_customer_id    TEXT,
  service_card_id        TEXT,
  new_balances           TEXT    CHECK (json_valid(new_balances)),
  completed_at           INTEGER,
  saved_at               INTEGER NOT NULL,
  updated_at             INTEGER NOT NULL,
  CHECK ((identifier_kind IS NULL) = (identifier_value IS NULL)),
  -- What was never sent cannot be known to the service.
  CHECK (state <> 'queued' OR maybe_sent = 0),
  CHECK (state NOT IN ('accepted','applied') OR service_transaction_id IS NOT NULL)
) STRICT;

-- What AUTOINCREMENT promises, paid for when a row is deleted and not with a page of the log for each sale.
INSERT INTO meta (key, value) VALUES ('last_deleted_row_id', '0');
CREATE TRIGGER operations_last_row_id AFTER DELETE ON operations
WHEN old.row_id > (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_deleted_row_id')
BEGIN
  UPDATE meta SET value = old.row_id WHERE key = 'last_deleted_row_id';
END;

CREATE UNIQUE INDEX operations_natural_key ON operations (external_ref, intent);
CREATE INDEX operations_service_id ON operations (service_transaction_id) WHERE service_transaction_id IS NOT NULL;

-- Claimed by key, never counted or skipped: one partial index for each state in which a row waits.
CREATE INDEX operations_queued   ON operations (occurred_at, row_id) WHERE state = 'queued';
CREATE INDEX operations_sending  ON operations (occurred_at, row_id) WHERE state = 'sending';
CREATE INDEX operations_unknown  ON operations (occurred_at, row_id) WHERE state = 'unknown';
CREATE INDEX operations_accepted ON operations (occurred_at, row_id) WHERE state = 'accepted';

CREATE TABLE operation_events (
  row_id          INTEGER NOT NULL REFERENCES operations (row_id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,
  from_state      TEXT,
  to_state        TEXT    NOT NULL,
  at              INTEGER NOT NULL,
  send            INTEGER NOT NULL,
  cause           TEXT,
  http_status     INTEGER,
  code            TEXT,
  request_id      TEXT,
  key_fingerprint TEXT,
  PRIMARY KEY (row_id, version)
) STRICT, WITHOUT ROWID;

-- Kept in the same commit as the rows that it counts: counting a million rows takes 18 ms, reading this 3 us.
CREATE TABLE state_counts (
  state TEXT    PRIMARY KEY,
  count INTEGER NOT NULL CHECK (count >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO state_counts (state, count) VALUES
  ('queued',0),('sending',0),('unknown',0),('accepted',0),('applied',0),
  ('refused',0),('failed',0),('cancelled',0),('reversed',0),('written_off',0);
`;
