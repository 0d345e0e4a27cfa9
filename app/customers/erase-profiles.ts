import type { Audit } from '../audit/audit-events.ts';
import { eraseProfilesBeside } from '../store/copies/other-databases.ts';
import type { ErasedProfiles } from '../store/tables/kept-profile-store.ts';

/**
 * Erases the saved customers also from the databases beside the one that is open, and notes how many there were.
 *
 * @param here what was erased from the open one
 * @param about.path of the open one
 */
export function eraseBesideToo(
  here: ErasedProfiles,
  { path, audit, by }: { readonly path: string; readonly audit: Audit; readonly by: string | null },
): ErasedProfiles {
  const beside = eraseProfilesBeside(path);
  const erased = here.erased + beside.erased;
  audit.note({ event: 'erased', what: 'kept_profiles', count: erased, by });
  return { erased, notReached: [...here.notReached, ...beside.notReached] };
}
