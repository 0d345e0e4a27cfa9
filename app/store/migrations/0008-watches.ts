/** What is looked up again because its bytes may still arrive. Append-only: a released migration is never changed. */
export const watchesMigration = `
-- One line for each operation that is to be looked up in the service's books, though it counts as not recorded there.
CREATE TABLE watches (
  row_id     INTEGER PRIMARY KEY REFERENCES operations (row_id) ON DELETE CASCADE,
  why        TEXT    NOT NULL CHECK (why = 'refused' OR why = 'absent' OR why = 'cancelled' OR why = 'written_off'
    OR why = 'late_success' OR why = 'put_back'),
  schedule   TEXT    NOT NULL CHECK (schedule = 'whole' OR schedule = 'once' OR schedule = 'at_once'),
  -- Looks that are done.
  looks      INTEGER NOT NULL CHECK (looks >= 0),
  since      INTEGER NOT NULL,
  -- When the next look was planned: later than now means that the wall clock was set back meanwhile.
  planned_at INTEGER NOT NULL,
  due_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX watches_due ON watches (due_at);
CREATE INDEX watches_planned ON watches (planned_at);

-- What the books showed of it, against what the till had said: a person decides. Null: there is nothing to decide.
ALTER TABLE operations ADD COLUMN found TEXT CHECK (found = 'stands' OR found = 'earlier_version');
CREATE INDEX operations_found ON operations (row_id) WHERE found IS NOT NULL;

-- What an operation was sent as before it was changed: those bytes may still arrive, and win.
CREATE TABLE earlier_versions (
  row_id       INTEGER NOT NULL REFERENCES operations (row_id) ON DELETE CASCADE,
  body_version INTEGER NOT NULL CHECK (body_version > 0),
  path         TEXT    NOT NULL,
  body         TEXT    NOT NULL,
  card_id      TEXT,
  amount_minor INTEGER,
  currency     TEXT,
  points       REAL,
  stamps       INTEGER,
  visits       INTEGER,
  identifier_kind  TEXT,
  identifier_value TEXT,
  PRIMARY KEY (row_id, body_version)
) STRICT, WITHOUT ROWID;
-- Whoever changes a body, an older program too.
CREATE TRIGGER operations_earlier_version BEFORE UPDATE OF body ON operations
WHEN old.sends > 0 AND old.body IS NOT NULL AND new.body_version > old.body_version
BEGIN
  INSERT OR REPLACE INTO earlier_versions VALUES (old.row_id, old.body_version, old.path, old.body, old.card_id,
    old.amount_minor, old.currency, old.points, old.stamps, old.visits, old.identifier_kind, old.identifier_value);
END;
-- Who the customer was is erased from all versions at once.
CREATE TRIGGER operations_erased AFTER UPDATE OF body ON operations
WHEN new.body IS NULL
BEGIN
  DELETE FROM earlier_versions WHERE row_id = new.row_id;
END;
`;
