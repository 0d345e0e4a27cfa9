import type { Audit } from '../audit/audit-events.ts';
import type { PeopleProof } from '../store/people/people-roll.ts';
import type { Store } from '../store/store.ts';

/** What the requests of operations are sealed with (see SealStore). */
export interface SealOptions {
  readonly key: Uint8Array;
  /** False: operations from before there were seals get theirs now. */
  readonly isBegun: boolean;
  /** Told once they have, and how many they were. */
  readonly onBegun: (count: number) => void;
}

/** How people are proven (see people-roll.ts). */
export interface PeopleSealing {
  readonly own: PeopleProof;
  /** Of the other mode, whose managers may answer for the till, too. */
  readonly other: PeopleProof;
  /** Told the version of the list that is on the disk, to be kept outside of it. */
  readonly onVersion: (version: number) => void;
}

/** Who is on the list at the first start with seals is believed: the audit log has their names. */
export function beginPeople(
  store: Pick<Store, 'people' | 'sealPeopleFirst'>,
  { own: { mode }, onVersion }: Pick<PeopleSealing, 'own' | 'onVersion'>,
  audit: Audit,
): void {
  try {
    const names = store.sealPeopleFirst();
    if (names.length > 0) audit.note({ event: 'people_sealed', mode, names });
    const version = store.people.versionSaved();
    if (version !== null) onVersion(version);
  } catch {
    // A disk that takes nothing is told by the first sale. The next start tries again.
  }
}

/** Before anything is sent. Together or not at all: a start that is cut off does it again. */
export function beginSeals(store: Pick<Store, 'sealFirst'>, seal: SealOptions | null): void {
  if (seal === null || seal.isBegun) return;
  try {
    seal.onBegun(store.sealFirst());
  } catch {
    // A disk that takes nothing is told by the first sale. The next start tries again; what has no seal waits meanwhile.
  }
}
