import type { Audit } from '../../audit/audit-events.ts';
import { isDiskError } from '../../machine/files.ts';
import type { Writer } from '../../store/database/writer.ts';
import { Person, type PersonName } from './person.ts';
import {
  erasePerson,
  type HeldOfPerson,
  type PersonalOperation,
  type PersonStores,
  searchPerson,
} from './person-search.ts';

/** What is held of a person, and by which names they are known. */
export interface PersonReport extends HeldOfPerson {
  readonly names: readonly PersonName[];
}

interface PersonErasure extends PersonReport {
  /** Operations that still need their customer. */
  readonly stays: readonly PersonalOperation[];
  /** Another program reads the database: in its log something may be left. */
  readonly isLogLeft: boolean;
  /** The person is erased, but the file could not be rewritten: in its gaps something may be left. */
  readonly isGapLeft: boolean;
}

/** Customers' rights: what the agent's own database holds of one person (docs/security.md "What it promises"). */
export interface PersonData {
  show(name: PersonName): Promise<PersonReport>;
  /** @param about.elsewhere how many operations were erased in other files before; for the audit log */
  erase(name: PersonName, about: { readonly by: string | null; readonly elsewhere: number }): Promise<PersonErasure>;
}

/** @param stores.currency of the settings */
export function personData(
  stores: PersonStores & { readonly writer: Writer; readonly audit: Audit; readonly currency: string },
): PersonData {
  async function show(name: PersonName): Promise<PersonReport> {
    // What knows the numbers of all countries is large, and no sale needs it.
    const { comparePhonesIn } = await import('../requests/international-phone.ts');
    const person = new Person([name], comparePhonesIn(stores.currency));
    const held = await searchPerson(stores, person);
    return { ...held, names: person.names };
  }
  return {
    show,
    async erase(name, { by, elsewhere }) {
      const report = await show(name);
      const stays = await stores.writer.urgent(() => erasePerson(stores, report));
      const count = report.operations.length - stays.length + elsewhere;
      stores.audit.note({ event: 'erased', what: 'customer', count, by });
      return { ...report, stays, ...tidied(stores.retention) };
    },
  };
}

/** What is erased by now stays so, whatever the disk says. */
function tidied(retention: PersonStores['retention']): Pick<PersonErasure, 'isLogLeft' | 'isGapLeft'> {
  try {
    return { isLogLeft: !retention.tidy(), isGapLeft: false };
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return { isLogLeft: false, isGapLeft: true };
  }
}
