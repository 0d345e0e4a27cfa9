import type { ServiceDatabase } from './open.ts';

export interface Customer {
  readonly customerId: string;
  readonly name: string | null;
  /** E.164. */
  readonly phone: string | null;
  /** Lower case. */
  readonly email: string | null;
  readonly verified: boolean;
}

export interface NewCustomer extends Customer {
  readonly createdAtMs: number;
}

interface CustomerRow {
  readonly customer_id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly verified: number;
}

export interface CustomerStore {
  insert(customer: NewCustomer): void;
  /** In the place of the one that the customer had at this partner. */
  setExternalId(source: string, externalId: string, customerId: string): void;
  byId(customerId: string): Customer | null;
  byPhone(phone: string): Customer | null;
  byEmail(email: string): Customer | null;
  byExternalId(source: string, externalId: string): Customer | null;
  /** The id that a partner gave the customer, if any. */
  externalId(source: string, customerId: string): string | null;
  /** In the order they were made. */
  list(limit: number): readonly Customer[];
}

const columns = 'customer_id, name, phone, email, verified';

export function createCustomerStore(database: ServiceDatabase): CustomerStore {
  const insert = database.prepare<[string, string | null, string | null, string | null, number, number]>(
    `INSERT INTO customers (customer_id, position, name, phone, email, verified, created_at_ms)
     VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM customers), ?, ?, ?, ?, ?)`,
  );
  const insertExternalId = database.prepare<[string, string, string]>(
    'INSERT INTO external_ids (source, external_id, customer_id) VALUES (?, ?, ?)',
  );
  const deleteExternalId = database.prepare<[string, string]>(
    'DELETE FROM external_ids WHERE customer_id = ? AND source = ?',
  );
  const byId = database.prepare<[string], CustomerRow>(`SELECT ${columns} FROM customers WHERE customer_id = ?`);
  const byPhone = database.prepare<[string], CustomerRow>(`SELECT ${columns} FROM customers WHERE phone = ?`);
  const byEmail = database.prepare<[string], CustomerRow>(`SELECT ${columns} FROM customers WHERE email = ?`);
  const byExternalId = database.prepare<[string, string], CustomerRow>(
    `SELECT ${columns} FROM customers
     WHERE customer_id = (SELECT customer_id FROM external_ids WHERE source = ? AND external_id = ?)`,
  );
  const externalId = database.prepare<[string, string], { external_id: string }>(
    'SELECT external_id FROM external_ids WHERE customer_id = ? AND source = ?',
  );
  const list = database.prepare<[number], CustomerRow>(`SELECT ${columns} FROM customers ORDER BY position LIMIT +?`);
  return {
    insert(customer) {
      const { customerId, name, phone, email, verified, createdAtMs } = customer;
      insert.run(customerId, name, phone, email, Number(verified), createdAtMs);
    },
    setExternalId(source, id, customerId) {
      deleteExternalId.run(customerId, source);
      insertExternalId.run(source, id, customerId);
    },
    byId: (customerId) => fromRow(byId.get(customerId)),
    byPhone: (phone) => fromRow(byPhone.get(phone)),
    byEmail: (email) => fromRow(byEmail.get(email)),
    byExternalId: (source, id) => fromRow(byExternalId.get(source, id)),
    externalId: (source, customerId) => externalId.get(customerId, source)?.external_id ?? null,
    list: (limit) => list.all(limit).map(toCustomer),
  };
}

function fromRow(row: CustomerRow | undefined): Customer | null {
  return row === undefined ? null : toCustomer(row);
}

function toCustomer(row: CustomerRow): Customer {
  const { customer_id: customerId, name, phone, email, verified } = row;
  return { customerId, name, phone, email, verified: verified === 1 };
}
