/** Requests that came to a closed day in a row that was counted with it before. Append-only: a released migration is never changed. */
export const lateRequestsMigration = `
-- By its row such an operation was there when the day was closed; what it asks for came later.
CREATE TABLE day_close_late (
  business_date TEXT NOT NULL REFERENCES day_closes (business_date),
  operation_id  TEXT NOT NULL,
  PRIMARY KEY (business_date, operation_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER day_close_late_stay BEFORE UPDATE ON day_close_late
BEGIN SELECT RAISE(ABORT, 'a closed day is never changed'); END;
CREATE TRIGGER day_close_late_remain BEFORE DELETE ON day_close_late
BEGIN SELECT RAISE(ABORT, 'a closed day is never deleted'); END;
`;
