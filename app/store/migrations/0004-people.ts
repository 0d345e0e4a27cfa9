/** Who may decide and who sells. Append-only: a released migration is never changed. */
export const peopleMigration = `
CREATE TABLE people (
  person_id    INTEGER PRIMARY KEY,
  role         TEXT    NOT NULL CHECK (role = 'manager' OR role = 'cashier'),
  name         TEXT    NOT NULL UNIQUE CHECK (length(name) > 0),
  -- Stands on each operation that a cashier takes.
  employee_ref TEXT    CHECK (length(employee_ref) > 0),
  -- A manager's PIN, salted and hashed slowly; never the PIN.
  pin_salt     BLOB,
  pin_hash     BLOB,
  pin_cost     INTEGER,
  -- A cashier's badge, as a keyed hash.
  badge        BLOB    UNIQUE,
  made_at      INTEGER NOT NULL,
  CHECK ((role = 'manager') = (pin_hash IS NOT NULL)),
  CHECK ((role = 'cashier') = (badge IS NOT NULL)),
  CHECK ((pin_hash IS NULL) = (pin_salt IS NULL) AND (pin_hash IS NULL) = (pin_cost IS NULL)),
  CHECK (role = 'manager' OR employee_ref IS NOT NULL)
) STRICT;

-- Wrong PINs in a row: one line, so that a restart does not forgive them.
CREATE TABLE pin_failures (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  count INTEGER NOT NULL CHECK (count >= 0)
) STRICT;
INSERT INTO pin_failures (one, count) VALUES (1, 0);
`;
