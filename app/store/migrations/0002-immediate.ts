/**
 * What a write needs for which somebody waits, what a reversal undoes, and what people decide. Append-only: a released
 * migration is never changed.
 */
export const immediateMigration = `
-- What the service answered to a write that is no deferred one: a redemption, an enrollment, a reservation, as JSON.
ALTER TABLE operations ADD COLUMN answer TEXT CHECK (json_valid(answer));

-- What was decided while the outcome was not known (design "Unknown outcomes of immediate operations").
ALTER TABLE operations ADD COLUMN decision TEXT CHECK (decision = 'take_full_payment' OR decision = 'give_it');
ALTER TABLE operations ADD COLUMN decided_at INTEGER;

-- A reversal's original, when that is ours.
ALTER TABLE operations ADD COLUMN reverses_row_id INTEGER REFERENCES operations (row_id);
CREATE UNIQUE INDEX operations_reversal ON operations (reverses_row_id)
  WHERE reverses_row_id IS NOT NULL AND state <> 'failed' AND state <> 'cancelled' AND state <> 'written_off';
CREATE INDEX operations_reversals ON operations (reverses_row_id) WHERE reverses_row_id IS NOT NULL;

-- A new operation in the place of one whose reference the service has used up.
ALTER TABLE operations ADD COLUMN replaces_row_id INTEGER REFERENCES operations (row_id);
CREATE UNIQUE INDEX operations_replacement ON operations (replaces_row_id) WHERE replaces_row_id IS NOT NULL;

-- What a person said when deciding: why it was written off, who did it.
ALTER TABLE operation_events ADD COLUMN reason TEXT;
ALTER TABLE operation_events ADD COLUMN person TEXT;

-- Rows that wait for a person, for the screen that lists them.
CREATE INDEX operations_refused ON operations (row_id) WHERE state = 'refused';
CREATE INDEX operations_failed ON operations (row_id) WHERE state = 'failed';
`;
