/**
 * Profiles of customers seen, for the time without a line. Append-only: a released migration is never changed.
 */
export const keptProfilesMigration = `
-- Nothing here can be read without the key, which is not in this file: keyed hashes, and sealed profiles.
CREATE TABLE kept_profiles (
  customer BLOB    PRIMARY KEY CHECK (length(customer) = 32),
  nonce    BLOB    NOT NULL CHECK (length(nonce) = 12),
  sealed   BLOB    NOT NULL,
  seen_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_profiles_seen ON kept_profiles (seen_at);

-- A card number or an external id, hashed, under which that customer was found.
CREATE TABLE kept_profile_names (
  name     BLOB PRIMARY KEY CHECK (length(name) = 32),
  customer BLOB NOT NULL REFERENCES kept_profiles (customer) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_profile_names_customer ON kept_profile_names (customer);
`;
