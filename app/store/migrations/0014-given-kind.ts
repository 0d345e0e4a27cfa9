/** So many of the newest rows are looked at: more than a busy till takes in a month, and done in a fraction of a second. */
const newestRows = 20_000;

/** Whether a redemption gave a reward or used up a coupon. Append-only: a released migration is never changed. */
export const givenKindMigration = `
-- Null: it has a value of its own, or it is older than this column.
ALTER TABLE operations ADD COLUMN given_kind TEXT CHECK (given_kind IN ('reward', 'coupon'));
UPDATE operations SET given_kind = CASE
  WHEN json_type(body, '$.coupon_code') = 'text' THEN 'coupon'
  WHEN json_type(body, '$.reward') = 'true' THEN 'reward' END
WHERE row_id > (SELECT coalesce(max(row_id), 0) - ${newestRows} FROM operations)
  AND intent = 'redeem' AND json_valid(body);
`;
