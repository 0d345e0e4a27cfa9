/** Which business days were closed, by whom, and what was left open then. Append-only: a released migration is never changed. */
export const dayClosesMigration = `
-- Operations are named by operation_id: it stays theirs when they are carried into another database.
CREATE TABLE day_closes (
  business_date     TEXT    PRIMARY KEY CHECK (business_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  closed_at         INTEGER NOT NULL,
  closed_by         TEXT    NOT NULL CHECK (length(closed_by) > 0),
  -- The operation that was saved last; what comes after it was not counted. Null: there was none.
  last_operation_id TEXT,
  -- The figures as they were counted, as JSON.
  lines             TEXT    NOT NULL CHECK (json_valid(lines)),
  -- How many were open and known to be when it was closed.
  open_count        INTEGER NOT NULL CHECK (open_count >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE day_close_carried (
  business_date TEXT NOT NULL REFERENCES day_closes (business_date),
  operation_id  TEXT NOT NULL,
  -- What it was when the day was closed.
  state         TEXT NOT NULL CHECK (state = 'queued' OR state = 'sending' OR state = 'unknown' OR state = 'accepted'
    OR state = 'refused' OR state = 'failed'),
  PRIMARY KEY (business_date, operation_id)
) STRICT, WITHOUT ROWID;

-- A closed day stays as it was closed.
CREATE TRIGGER day_closes_stay BEFORE UPDATE ON day_closes
BEGIN SELECT RAISE(ABORT, 'a closed day is never changed'); END;
CREATE TRIGGER day_closes_remain BEFORE DELETE ON day_closes
BEGIN SELECT RAISE(ABORT, 'a closed day is never deleted'); END;
CREATE TRIGGER day_close_carried_stay BEFORE UPDATE ON day_close_carried
BEGIN SELECT RAISE(ABORT, 'a closed day is never changed'); END;
CREATE TRIGGER day_close_carried_remain BEFORE DELETE ON day_close_carried
BEGIN SELECT RAISE(ABORT, 'a closed day is never deleted'); END;
`;
