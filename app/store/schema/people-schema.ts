import { sql } from 'drizzle-orm';
import { blob, check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

// The tables of people, as those of schema.ts: who may decide, who sells, and which customers were seen.

/** Profiles of customers seen: nothing here can be read without the key, which is not in this database. */
export const keptProfiles = sqliteTable(
  'kept_profiles',
  {
    /** Keyed hash of the customer's id. */
    customer: blob({ mode: 'buffer' }).primaryKey(),
    /** Never used twice with a key. */
    nonce: blob({ mode: 'buffer' }).notNull(),
    sealed: blob({ mode: 'buffer' }).notNull(),
    seenAtMs: integer('seen_at').notNull(),
    /** What the customer did last, sealed by itself: nonce and content. */
    history: blob({ mode: 'buffer' }),
  },
  (t) => [
    check('customer_is_hash', sql`length(${t.customer}) = 32`),
    check('nonce_is_whole', sql`length(${t.nonce}) = 12`),
    index('kept_profiles_seen').on(t.seenAtMs),
  ],
);

/** Card numbers and external ids, as keyed hashes, under which a customer was found. */
export const keptProfileNames = sqliteTable(
  'kept_profile_names',
  {
    name: blob({ mode: 'buffer' }).primaryKey(),
    customer: blob({ mode: 'buffer' })
      .notNull()
      .references(() => keptProfiles.customer, { onDelete: 'cascade' }),
  },
  (t) => [check('name_is_hash', sql`length(${t.name}) = 32`), index('kept_profile_names_customer').on(t.customer)],
);

/** Who may decide and who sells. */
export const people = sqliteTable(
  'people',
  {
    personId: integer('person_id').primaryKey(),
    role: text({ enum: ['manager', 'cashier'] }).notNull(),
    name: text().notNull().unique(),
    /** Stands on each operation that a cashier takes. */
    employeeRef: text('employee_ref'),
    // A manager's PIN, salted and hashed by scrypt with N = pinCost; never the PIN.
    pinSalt: blob('pin_salt', { mode: 'buffer' }),
    pinHash: blob('pin_hash', { mode: 'buffer' }),
    pinCost: integer('pin_cost'),
    /** A cashier's, as a keyed hash. */
    badge: blob({ mode: 'buffer' }).unique(),
    madeAtMs: integer('made_at').notNull(),
  },
  (t) => [
    check('name_is_some', sql`length(${t.name}) > 0`),
    check('employee_ref_is_some', sql`length(${t.employeeRef}) > 0`),
    check('managers_have_pin', sql`(${t.role} = 'manager') = (${t.pinHash} IS NOT NULL)`),
    check('cashiers_have_badge', sql`(${t.role} = 'cashier') = (${t.badge} IS NOT NULL)`),
    check(
      'pin_is_whole',
      sql`(${t.pinHash} IS NULL) = (${t.pinSalt} IS NULL) AND (${t.pinHash} IS NULL) = (${t.pinCost} IS NULL)`,
    ),
    check('cashiers_have_employee_ref', sql`${t.role} = 'manager' OR ${t.employeeRef} IS NOT NULL`),
  ],
);

/** Wrong PINs in a row: one line, so that a restart does not forgive them. */
export const pinFailures = sqliteTable(
  'pin_failures',
  {
    one: integer().primaryKey(),
    count: integer().notNull(),
  },
  (t) => [check('one_line', sql`${t.one} = 1`), check('failures_are_counted', sql`${t.count} >= 0`)],
);
