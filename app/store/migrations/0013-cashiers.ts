/** So many of the newest rows are looked at: more than a busy till takes in a month, and done in a fraction of a second. */
const newestRows = 20_000;

/** Who took each operation, and what each cashier took on a day that was closed. Append-only: a released migration is never changed. */
export const cashiersMigration = `
-- The reference of who took it; null: nobody had signed in, or it is older than this column.
ALTER TABLE operations ADD COLUMN employee_ref TEXT CHECK (length(employee_ref) > 0);
UPDATE operations SET employee_ref = nullif(json_extract(body, '$.employee_ref'), '')
WHERE row_id > (SELECT coalesce(max(row_id), 0) - ${newestRows} FROM operations)
  AND json_valid(body) AND json_type(body, '$.employee_ref') = 'text';

-- The figures of each cashier as they were counted, as JSON; null: closed before this column.
ALTER TABLE day_closes ADD COLUMN cashiers TEXT CHECK (json_valid(cashiers));
`;
