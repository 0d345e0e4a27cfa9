/** Which POS program an operation came from. Append-only: a released migration is never changed. */
export const posNameMigration = `
-- The name of its token; null for the till's own screen, and for what was saved before there was this column.
ALTER TABLE operations ADD COLUMN pos_name TEXT CHECK (length(pos_name) > 0);
`;
