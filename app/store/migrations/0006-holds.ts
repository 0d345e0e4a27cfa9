/** Finds the till's holds among a million sales. Append-only: a released migration is never changed. */
export const holdsMigration = `
CREATE INDEX operations_holds ON operations (saved_at)
WHERE intent IN ('reserve', 'commit', 'release') AND origin = 'till';
`;
