/** The seal over a frozen request. Append-only: a released migration is never changed. */
export const sealsMigration = `
-- A MAC under a key that is not in this file; null for what was saved before there were seals.
ALTER TABLE operations ADD COLUMN seal BLOB;
`;
