import { prepareAll } from '../../sql/prepare.ts';
import type { RowOf } from '../../sql/statement.ts';
import type { ServiceDatabase } from './open.ts';
import { customerStatements } from './statements/customers.ts';

export type Customer = RowOf<typeof customerStatements.byId>;

type NewCustomer = Customer & { readonly createdAtMs: number };

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

export function createCustomerStore(database: ServiceDatabase): CustomerStore {
  const { insert, addExternalId, removeExternalId, ...reads } = prepareAll(database, customerStatements);
  return {
    insert: (customer) => void insert.run(customer),
    setExternalId(source, externalId, customerId) {
      removeExternalId.run({ source, customerId });
      addExternalId.run({ source, externalId, customerId });
    },
    byId: (customerId) => reads.byId.get({ customerId }),
    byPhone: (phone) => reads.byPhone.get({ phone }),
    byEmail: (email) => reads.byEmail.get({ email }),
    byExternalId: (source, externalId) => reads.byExternalId.get({ source, externalId }),
    externalId: (source, customerId) => reads.externalId.get({ source, customerId })?.externalId ?? null,
    list: (limit) => reads.list.all({ limit }),
  };
}
