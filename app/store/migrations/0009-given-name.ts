/** What a reward or a coupon is called. Append-only: a released migration is never changed. */
export const givenNameMigration = `
-- In the card's own words; null for everything else, and for what was saved before there was this column.
ALTER TABLE operations ADD COLUMN given_name TEXT CHECK (length(given_name) > 0);
`;
