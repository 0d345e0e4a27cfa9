import type { OperationState } from '../../../shared/machines/operation.ts';
import type { OperationIntent } from '../../../shared/machines/operation-intents.ts';
import type { ProfileSeal } from '../../customers/profile-seal.ts';
import type { KeptProfileStore, SealedProfile } from '../../store/tables/kept-profile-store.ts';
import type { PersonalRow, PersonStore } from '../../store/tables/person-store.ts';
import type { RetentionStore } from '../../store/tables/retention-store.ts';
import { isUnreadable } from '../requests/row-request.ts';
import { namesInProfile, namesTiedBy, type Person, type PersonName } from './person.ts';

/** An operation that holds something of a person. */
export interface PersonalOperation {
  readonly rowId: number;
  readonly externalRef: string;
  readonly intent: OperationIntent;
  readonly state: OperationState;
  readonly savedAtMs: number;
  /** Which of what it holds tells who it was. */
  readonly holds: readonly PersonalPart[];
  /** Stands in it: what ties it to the person's other names may be erased before it is. */
  readonly foundBy: PersonName;
}

/** What of an operation tells who its customer was. */
export const personalParts = ['identifier', 'name', 'card', 'request', 'answer'] as const;
type PersonalPart = (typeof personalParts)[number];

/** What one database holds of a person. */
export interface HeldOfPerson {
  readonly operations: readonly PersonalOperation[];
  readonly profiles: readonly SealedProfile[];
  /** References of operations whose request nobody can read: it may name this person or another. */
  readonly unreadable: readonly string[];
}

export interface PersonStores {
  readonly person: PersonStore;
  readonly retention: RetentionStore;
  /** Null in a backup, which has none. */
  readonly keptProfiles: KeptProfileStore | null;
  readonly seal: ProfileSeal;
  /** Lets sales in between two parts. */
  readonly pause: () => Promise<void>;
}

/** A few milliseconds. */
const rowsPerPart = 1_000;
/** A name leads to a card, and the card to another name. */
const mostLooks = 4;

/** Looks for all that a database holds of a person, and learns their other names on the way. */
export async function searchPerson(stores: PersonStores, person: Person): Promise<HeldOfPerson> {
  for (let look = 1; ; look += 1) {
    const profiles = profilesOf(stores, person);
    const operations = new Map<number, PersonalOperation>();
    const unreadable: string[] = [];
    let hasLearned = false;
    for (let from = 0; from <= stores.person.lastRowId; from += rowsPerPart) {
      for (const row of stores.person.rows({ from, to: from + rowsPerPart })) {
        const foundBy = person.nameIn(row);
        if (foundBy === null) {
          if (isUnreadable(row.body)) unreadable.push(row.externalRef);
          continue;
        }
        operations.set(row.rowId, personalOperation(row, foundBy));
        hasLearned = person.learn(namesTiedBy(row)) || hasLearned;
      }
      await stores.pause();
    }
    if (!hasLearned || look === mostLooks) {
      return { operations: [...operations.values()], profiles, unreadable };
    }
  }
}

/**
 * Erases what may go: of operations that are over, as after the retention time. Inside a transaction.
 *
 * @returns what stays: its state says why, or it is still looked up at the service
 */
export function erasePerson(
  { retention, keptProfiles }: Pick<PersonStores, 'retention' | 'keptProfiles'>,
  { operations, profiles }: Pick<HeldOfPerson, 'operations' | 'profiles'>,
): readonly PersonalOperation[] {
  for (const { customer } of profiles) keptProfiles?.remove(customer);
  return operations.filter(
    ({ rowId }) => retention.erase({ from: rowId, to: rowId + 1 }, Number.MAX_SAFE_INTEGER, 'request') === 0,
  );
}

function profilesOf({ keptProfiles, seal }: PersonStores, person: Person): readonly SealedProfile[] {
  if (keptProfiles === null) return [];
  const byName = new Set(
    person.names.flatMap(({ kind, value }) => {
      const found = keptProfiles.find(seal.hashOf(kind, value));
      return found === null ? [] : [found.customer.toString('hex')];
    }),
  );
  return keptProfiles.all().filter((sealed) => {
    const profile = seal.open(sealed);
    const names = profile === null ? [] : namesInProfile(profile);
    const isTheirs = byName.has(sealed.customer.toString('hex')) || names.some((name) => person.has(name));
    if (isTheirs) person.learn(names);
    return isTheirs;
  });
}

function personalOperation(row: PersonalRow, foundBy: PersonName): PersonalOperation {
  const { rowId, externalRef, intent, state, savedAtMs } = row;
  const held: Readonly<Record<PersonalPart, boolean>> = {
    identifier: row.identifierValue !== null,
    name: row.customerName !== null,
    card: row.cardId !== null || row.serviceCardId !== null,
    request: row.body !== null && row.body !== '',
    answer: row.answer !== null,
  };
  return { rowId, externalRef, intent, state, savedAtMs, holds: personalParts.filter((name) => held[name]), foundBy };
}
