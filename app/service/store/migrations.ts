/**
 * The schema, step by step: append only, never change one that has shipped. The file's `user_version` says how many
 * have run. All instants are milliseconds since 1970 in UTC; points are thousandths.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE state (
    name TEXT PRIMARY KEY CHECK (name IN ('settings', 'clock', 'starts')),
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE api_keys (
    api_key TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    expires_at_ms INTEGER,
    allowed_addresses TEXT CHECK (allowed_addresses IS NULL OR json_valid(allowed_addresses)),
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE customers (
    customer_id TEXT PRIMARY KEY,
    position INTEGER NOT NULL UNIQUE,
    name TEXT,
    phone TEXT UNIQUE,
    email TEXT UNIQUE,
    verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
    created_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE external_ids (
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),
    PRIMARY KEY (source, external_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX external_ids_by_customer ON external_ids (customer_id);

  CREATE TABLE cards (
    position INTEGER PRIMARY KEY,
    card_id TEXT NOT NULL UNIQUE,
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),
    template_id TEXT NOT NULL,
    loyalty_id TEXT NOT NULL UNIQUE,
    suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1)),
    points INTEGER,
    cashback_minor INTEGER,
    stamps INTEGER,
    visits INTEGER,
    rewards_available INTEGER,
    currency TEXT
  ) STRICT;
  CREATE INDEX cards_by_customer ON cards (customer_id, position);

  -- natural_key holds the intent and the reference (idempotency.ts). deltas is the ledger: what the transaction
  -- changed on its card when it was applied.
  CREATE TABLE transactions (
    position INTEGER PRIMARY KEY,
    transaction_id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    natural_key TEXT NOT NULL,
    intent TEXT NOT NULL CHECK (intent IN ('earn', 'redeem', 'reverse', 'enroll', 'adjust')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'success', 'failed', 'reversed')),
    external_ref TEXT NOT NULL,
    customer_id TEXT REFERENCES customers (customer_id),
    card_id TEXT REFERENCES cards (card_id),
    operation TEXT,
    amount_minor INTEGER,
    currency TEXT,
    points INTEGER,
    stamps INTEGER,
    visits INTEGER,
    reward_id TEXT,
    reverses_transaction_id TEXT,
    request TEXT NOT NULL,
    request_id TEXT NOT NULL,
    occurred_at_ms INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    completed_at_ms INTEGER,
    process_at_ms INTEGER,
    apply_at_ms INTEGER,
    planned_failure TEXT CHECK (planned_failure IS NULL OR json_valid(planned_failure)),
    deltas TEXT,
    new_balances TEXT CHECK (new_balances IS NULL OR json_valid(new_balances)),
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    UNIQUE (source, natural_key),
    CHECK ((apply_at_ms IS NOT NULL) = (status IN ('pending', 'processing')))
  ) STRICT;
  CREATE INDEX transactions_by_customer ON transactions (customer_id, position);
  CREATE INDEX transactions_due ON transactions (apply_at_ms, position) WHERE apply_at_ms IS NOT NULL;
  CREATE UNIQUE INDEX one_reversal_each ON transactions (reverses_transaction_id)
    WHERE reverses_transaction_id IS NOT NULL AND status <> 'failed';

  CREATE TABLE idempotency_keys (
    source TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    natural_key TEXT NOT NULL,
    PRIMARY KEY (source, idempotency_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE enrollments (
    position INTEGER PRIMARY KEY,
    enrollment_id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    external_ref TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('awaiting_otp', 'enrolled')),
    phone TEXT NOT NULL,
    email TEXT,
    name TEXT,
    template_id TEXT NOT NULL,
    channel TEXT,
    request TEXT NOT NULL CHECK (json_valid(request)),
    otp TEXT NOT NULL,
    otp_sent_at_ms INTEGER NOT NULL,
    otp_expires_at_ms INTEGER NOT NULL,
    sends INTEGER NOT NULL CHECK (sends >= 1),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    customer_id TEXT REFERENCES customers (customer_id),
    card_id TEXT REFERENCES cards (card_id),
    UNIQUE (source, external_ref),
    CHECK ((state = 'enrolled') = (customer_id IS NOT NULL AND card_id IS NOT NULL))
  ) STRICT;

  CREATE TABLE reservations (
    position INTEGER PRIMARY KEY,
    reservation_id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    external_ref TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reserved', 'committed', 'released', 'expired')),
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),
    card_id TEXT NOT NULL REFERENCES cards (card_id),
    points INTEGER CHECK (points > 0),
    amount_minor INTEGER CHECK (amount_minor > 0),
    currency TEXT,
    discount_value_minor INTEGER,
    request TEXT NOT NULL CHECK (json_valid(request)),
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    committed_transaction_id TEXT REFERENCES transactions (transaction_id),
    CHECK ((points IS NULL) <> (amount_minor IS NULL)),
    CHECK ((state = 'committed') = (committed_transaction_id IS NOT NULL))
  ) STRICT;
  CREATE UNIQUE INDEX one_live_reservation ON reservations (source, external_ref)
    WHERE state IN ('reserved', 'committed');
  CREATE INDEX holds_by_card ON reservations (card_id) WHERE state = 'reserved';
  `,
  `
  CREATE INDEX reservations_running_out ON reservations (expires_at_ms, position) WHERE state = 'reserved';
  `,
  // No IN in a CHECK: SQLite builds its list again for each row, which costs as much as the rest of the write.
  `
  CREATE TABLE transactions_new (
    position INTEGER PRIMARY KEY,
    transaction_id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    natural_key TEXT NOT NULL,
    intent TEXT NOT NULL CHECK (
      intent = 'earn' OR intent = 'redeem' OR intent = 'reverse' OR intent = 'enroll' OR intent = 'adjust'
    ),
    status TEXT NOT NULL CHECK (
      status = 'pending' OR status = 'processing' OR status = 'success' OR status = 'failed' OR status = 'reversed'
    ),
    external_ref TEXT NOT NULL,
    customer_id TEXT REFERENCES customers (customer_id),
    card_id TEXT REFERENCES cards (card_id),
    operation TEXT,
    amount_minor INTEGER,
    currency TEXT,
    points INTEGER,
    stamps INTEGER,
    visits INTEGER,
    reward_id TEXT,
    reverses_transaction_id TEXT,
    request TEXT NOT NULL,
    request_id TEXT NOT NULL,
    occurred_at_ms INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    completed_at_ms INTEGER,
    process_at_ms INTEGER,
    apply_at_ms INTEGER,
    planned_failure TEXT CHECK (planned_failure IS NULL OR json_valid(planned_failure)),
    deltas TEXT,
    new_balances TEXT CHECK (new_balances IS NULL OR json_valid(new_balances)),
    error TEXT CHECK (error IS NULL OR json_valid(error)),
    UNIQUE (source, natural_key),
    CHECK ((apply_at_ms IS NOT NULL) = (status = 'pending' OR status = 'processing'))
  ) STRICT;
  INSERT INTO transactions_new SELECT * FROM transactions;
  DROP TABLE transactions;
  ALTER TABLE transactions_new RENAME TO transactions;
  CREATE INDEX transactions_by_customer ON transactions (customer_id, position);
  CREATE INDEX transactions_due ON transactions (apply_at_ms, position) WHERE apply_at_ms IS NOT NULL;
  CREATE UNIQUE INDEX one_reversal_each ON transactions (reverses_transaction_id)
    WHERE reverses_transaction_id IS NOT NULL AND status <> 'failed';
  `,
  // A reversal of another partner's transaction is named by that one's id, not by the reference that it shows.
  `
  CREATE INDEX foreign_reversals ON transactions (source, external_ref) WHERE natural_key GLOB 'reverse:id:*';
  `,
  // The codes that somebody waits for, newest first: few, among all who were ever enrolled.
  `
  CREATE INDEX enrollments_waiting ON enrollments (state, position) WHERE state = 'awaiting_otp';
  `,
  // A stamp card keeps one count: its stamps and ten for each reward. What was changed on it counts alike, so that a
  // reversal takes its own. (A count that cannot be told exactly is kept at the largest that can.)
  `
  UPDATE cards SET
    stamps = min(coalesce(stamps, 0) + 10 * coalesce(rewards_available, 0), 9007199254740991),
    rewards_available = NULL
  WHERE template_id = 'tpl_stamp';
  UPDATE transactions SET deltas = json_object('stamps',
    coalesce(json_extract(deltas, '$.stamps'), 0) + 10 * coalesce(json_extract(deltas, '$.rewards_available'), 0))
  WHERE deltas IS NOT NULL AND deltas <> '{}'
    AND card_id IN (SELECT card_id FROM cards WHERE template_id = 'tpl_stamp');
  `,
  // An enrollment's reference is the customer's external_id at that partner, where nothing else was set.
  `
  INSERT OR IGNORE INTO external_ids (source, external_id, customer_id)
    SELECT source, external_ref, customer_id FROM enrollments e
    WHERE state = 'enrolled'
      AND NOT EXISTS (SELECT 1 FROM external_ids x WHERE x.customer_id = e.customer_id AND x.source = e.source)
    ORDER BY position;
  `,
  // The shop's currency, as its owner named it last.
  `
  CREATE TABLE state_new (
    name TEXT PRIMARY KEY CHECK (name IN ('settings', 'clock', 'starts', 'currency')),
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;
  INSERT INTO state_new SELECT * FROM state;
  DROP TABLE state;
  ALTER TABLE state_new RENAME TO state;
  `,
  // A history is a chain from its newest transaction back, and no index by customer.
  `
  ALTER TABLE customers ADD COLUMN last_position INTEGER;
  ALTER TABLE transactions ADD COLUMN previous_position INTEGER;
  UPDATE customers AS c SET last_position = (SELECT max(position) FROM transactions WHERE customer_id = c.customer_id);
  UPDATE transactions AS t SET previous_position =
    (SELECT max(position) FROM transactions WHERE customer_id = t.customer_id AND position < t.position);
  DROP INDEX transactions_by_customer;
  `,
];
