import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { errorText } from '../../../shared/lib/error-code.ts';
import { type Mode, modes } from '../../../shared/till/modes.ts';
import { ownDrafts } from '../../backups/left-drafts.ts';
import { foldersOf, madeBackups } from '../../backups/made-backups.ts';
import type { ProfileSeal } from '../../customers/profile-seal.ts';
import { databasePath, hasDatabase } from '../../machine/data-files.ts';
import { rmSync } from '../../machine/held-files.ts';
import { personalOperationView } from '../../office/customer-calls.ts';
import { Person, type PersonName } from '../../operations/personal-data/person.ts';
import { erasePerson, type HeldOfPerson, searchPerson } from '../../operations/personal-data/person-search.ts';
import { comparePhonesIn } from '../../operations/requests/international-phone.ts';
import type { BackupDraft } from '../../store/copies/backup-draft.ts';
import { changeBackup, changeFileStores, readFileStores } from '../../store/copies/file-stores.ts';
import { databasesAside, logsAlone } from '../../store/copies/other-databases.ts';

/** What one file holds of a person, or why it could not be looked at. */
export interface FileReport {
  readonly file: string;
  readonly kind: File['kind'];
  readonly operations: readonly ReturnType<typeof personalOperationView>[];
  readonly profiles: number;
  /** References of operations whose request nobody can read. */
  readonly unreadable: readonly string[];
  /** Operations that were not erased. */
  readonly stays: readonly ReturnType<typeof personalOperationView>[];
  /** Null when it was looked at, and erased where that was asked for. */
  readonly problem: string | null;
}

export interface PersonFiles {
  readonly dataDir: string;
  /** Of the settings. */
  readonly backupFolder: string | null;
  /** Whose database the office has open. */
  readonly mode: Mode;
  /** While an agent runs, it may send from the other mode's database. */
  readonly isRunning: boolean;
  readonly seal: ProfileSeal;
  readonly tillKey: Uint8Array | null;
  /** Of the settings: in which country a number without one is. */
  readonly currency: string;
}

type File = { readonly path: string; readonly kind: 'other_mode' | 'aside' | 'backup' };

/** Looks for a person in every database that the office has not open. @param act what to do with what is found */
export async function personInFiles(
  files: PersonFiles,
  names: readonly PersonName[],
  act: 'show' | 'erase',
): Promise<readonly FileReport[]> {
  const drafts = ownDrafts(files.dataDir, foldersOf(files.dataDir, files.backupFolder)).flatMap((draft) =>
    draftReport(draft, act),
  );
  const reports: FileReport[] = [...drafts];
  const backups = madeBackups(files.dataDir, files.backupFolder);
  for (const file of filesOf(files, backups.files)) reports.push(await reportOf(files, file, { names, act }));
  const problem = 'it is a log without its database: nothing can be looked for or erased in it';
  return [
    ...reports,
    ...logsAlone(files.dataDir).map((file) => ({ ...nothingIn({ path: file, kind: 'aside' }), problem })),
    ...backups.leftOut.map(({ path, why }) => ({ ...nothingIn({ path, kind: 'backup' }), problem: why })),
  ];
}

function draftReport({ path, isWritten }: BackupDraft, act: 'show' | 'erase'): readonly FileReport[] {
  const nothing = nothingIn({ path, kind: 'backup' });
  // It holds what the database held when it was begun, and gets its name after this.
  if (isWritten) return [{ ...nothing, problem: `a backup is being made: ${act} again when it is done` }];
  if (act === 'show') return [{ ...nothing, problem: 'it is half a copy: customer erase removes it' }];
  try {
    rmSync(path, { force: true });
    return [];
  } catch (error) {
    return [{ ...nothing, problem: errorText(error) }];
  }
}

function filesOf({ dataDir, mode }: PersonFiles, backups: readonly string[]): readonly File[] {
  const others = modes.filter((other) => other !== mode && hasDatabase(dataDir, other));
  return [
    ...others.map((other): File => ({ path: databasePath(dataDir, other), kind: 'other_mode' })),
    ...databasesAside(dataDir).map((path): File => ({ path, kind: 'aside' })),
    ...backups.map((path): File => ({ path, kind: 'backup' })),
  ];
}

async function reportOf(
  files: PersonFiles,
  { path, kind }: File,
  { names, act }: { readonly names: readonly PersonName[]; readonly act: 'show' | 'erase' },
): Promise<FileReport> {
  const nothing = nothingIn({ path, kind });
  try {
    const { seal } = files;
    const held = await readFileStores(path, (stores) =>
      searchPerson({ ...stores, seal, pause: () => nextTurn() }, new Person(names, comparePhonesIn(files.currency))),
    );
    const operations = held.operations.map(personalOperationView);
    const report = { ...nothing, operations, profiles: held.profiles.length, unreadable: held.unreadable };
    if (act === 'show' || operations.length + held.profiles.length === 0) return report;
    if (kind === 'other_mode' && files.isRunning) {
      return { ...report, stays: operations, problem: 'the agent may use it: stop the agent, and erase again' };
    }
    const stays = await eraseIn({ path, kind }, held, files.tillKey);
    return { ...report, stays: stays.map(personalOperationView) };
  } catch (error) {
    return { ...nothing, problem: z.instanceof(Error).safeParse(error).data?.message ?? String(error) };
  }
}

function nothingIn({ path, kind }: File): FileReport {
  const file = kind === 'backup' ? path : basename(path);
  return { file, kind, operations: [], profiles: 0, unreadable: [], stays: [], problem: null };
}

function eraseIn({ path, kind }: File, held: HeldOfPerson, key: Uint8Array | null) {
  return kind === 'backup'
    ? changeBackup(path, { key, change: (stores) => erasePerson(stores, held) })
    : changeFileStores(path, (stores) => erasePerson(stores, held));
}
