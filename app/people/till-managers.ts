import type { Mode } from '../../shared/till/views.ts';
import { databasePath, hasDatabase } from '../machine/data-files.ts';
import { type ManagerRow, managersIn, type PeopleStore } from '../store/people-store.ts';

/**
 * Who answers for the till itself: its settings, keys, tokens and people, which both modes have in common. Production's
 * managers as soon as it has any, whichever mode the screen is in; else the sandbox's. A mode without managers is no
 * way around those of the other.
 *
 * @throws what the other mode's database says: nobody is let in because it cannot be read
 */
export function tillManagers(
  place: { readonly dataDir: string; readonly mode: Mode },
  own: Pick<PeopleStore, 'managers'>,
): () => readonly ManagerRow[] {
  const { dataDir, mode } = place;
  const otherMode: Mode = mode === 'production' ? 'sandbox' : 'production';
  return () => {
    const here = own.managers();
    if (mode === 'production' && here.length > 0) return here;
    const there = hasDatabase(dataDir, otherMode) ? managersIn(databasePath(dataDir, otherMode)) : [];
    return there.length > 0 ? there : here;
  };
}
