import { errorText } from '../../shared/lib/error-code.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import type { PeopleProof } from '../store/people/people-roll.ts';
import { type Managers, managersOf, type PeopleStore, peopleIn } from '../store/people/people-store.ts';

/** Who answers for the till is told by a database that cannot be read; `cause` is what SQLite says. */
export class ManagersUnreadError extends Error {
  override readonly name = 'ManagersUnreadError';
}

export function otherMode(mode: Mode): Mode {
  return modes.find((each) => each !== mode) ?? mode;
}

/**
 * Who answers for the till itself: its settings, keys, tokens and people, which both modes have in common. Production's
 * managers as soon as it has any, whichever mode the screen is in; else the sandbox's. A mode without managers is no
 * way around those of the other.
 *
 * @param place.otherProof of the other mode's people; null: everybody there is believed
 * @throws ManagersUnreadError: nobody is let in because the other mode's database cannot be read
 */
export function tillManagers(
  place: { readonly dataDir: string; readonly mode: Mode; readonly otherProof: PeopleProof | null },
  own: Pick<PeopleStore, 'read'>,
): () => Managers {
  const { dataDir, mode, otherProof } = place;
  const other = otherMode(mode);
  const managersThere = (): Managers => {
    if (hasDatabase(dataDir, other)) return managersIn(databasePath(dataDir, other), otherProof);
    // A list that this till has written, deleted with its database.
    return { believed: [], isAsked: (otherProof?.knownVersion ?? 0) > 0 };
  };
  return () => {
    const here = managersOf(own.read());
    if (mode === 'production' && here.isAsked) return here;
    const there = managersThere();
    return there.isAsked ? there : here;
  };
}

function managersIn(path: string, proof: PeopleProof | null): Managers {
  try {
    return managersOf(peopleIn(path, proof));
  } catch (cause) {
    const reason = errorText(cause);
    throw new ManagersUnreadError(
      `Nothing was changed: who may confirm it stands in ${path}, too, which cannot be read (${reason}). ` +
        'Restore that database from a backup, then try again.',
      { cause },
    );
  }
}
