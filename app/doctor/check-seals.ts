import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Mode } from '../../shared/till/modes.ts';
import { databasePath } from '../machine/data-files.ts';
import { fileSecretStore, SecretsError } from '../machine/secrets.ts';
import { areSealsBegun, knownPeopleVersion, readTillKey } from '../machine/till-key.ts';
import { connect } from '../store/database/connect.ts';
import { areDoubted, type PeopleProof } from '../store/people/people-roll.ts';
import { peopleIn } from '../store/people/people-store.ts';
import { changedRows } from '../store/tables/changed-rows.ts';
import { type Finding, problem, well } from './finding.ts';
import { peopleAgain, peopleDoubtsInWords } from './notice-words.ts';

/** So many references are named. */
const mostNamed = 5;

/** Whether what waits is as this till saved it. What cannot be read is a finding of the database itself. */
export async function checkSeals(dataDir: string, mode: Mode): Promise<readonly Finding[]> {
  const path = databasePath(dataDir, mode);
  try {
    const secrets = fileSecretStore(dataDir);
    const key = await readTillKey(secrets);
    // To open a pipe would wait for somebody who writes to it.
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    if (key === null || !isFile) return [];
    return [
      ...((await areSealsBegun(secrets, mode)) ? [operationsFinding(path, key)] : []),
      ...peopleFindings(path, { key, mode, knownVersion: await knownPeopleVersion(secrets, mode) }),
    ];
  } catch (error) {
    if (error instanceof SecretsError || isOfDatabase(error)) return [];
    throw error;
  }
}

function operationsFinding(path: string, key: Uint8Array): Finding {
  const database = connect(path, { readonly: true, fileMustExist: true });
  try {
    return findingOf(basename(path), changedRows(database, key));
  } finally {
    database.close();
  }
}

/** Whether managers and cashiers are those that this till has added. */
function peopleFindings(path: string, proof: PeopleProof): readonly Finding[] {
  if (proof.knownVersion === null) return [];
  const { believed, doubts } = peopleIn(path, proof);
  const name = basename(path);
  if (!areDoubted(doubts)) {
    return believed.length === 0 ? [] : [well('people', `the list in ${name} is as this till wrote it`)];
  }
  const { changed, missing, isRollWhole } = doubts;
  const says = `in ${name}: ${peopleDoubtsInWords({ changed, missing, is_list_whole: isRollWhole })}`;
  return [problem('people', says, peopleAgain())];
}

function findingOf(name: string, changed: readonly string[]): Finding {
  if (changed.length === 0) return well('seals', `what waits in ${name} is as it was saved`);
  const more = changed.length > mostNamed ? ` and ${changed.length - mostNamed} more` : '';
  const says = `${changed.length} ${changed.length === 1 ? 'operation that waits in' : 'operations that wait in'} ${name} ${changed.length === 1 ? 'was' : 'were'} changed on the disk: ${changed.slice(0, mostNamed).join(', ')}${more}`;
  return problem(
    'seals',
    says,
    'They are not sent: compare each with its receipt (docs/recovery.md, "Changed on the disk")',
  );
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && error.name === 'SqliteError';
}
