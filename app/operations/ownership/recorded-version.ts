import type { Transaction } from '../../../shared/contract/transaction.ts';
import { intentInBooks } from '../../../shared/machines/operation-intents.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { SentVersion } from '../../store/tables/watch-store.ts';
import type { ToldRecord } from './same-record.ts';
import type { OwnedRow } from './verdict.ts';

/** A transaction of the service's books that has the values of a request of ours. */
export interface RecordedVersion {
  readonly record: Transaction;
  readonly version: SentVersion;
  /** It was changed since: this is not what the operation is now. */
  readonly isEarlier: boolean;
  /** The request as it was sent in that version. */
  readonly row: OwnedRow;
}

/**
 * What of the service's list may be an operation of ours, as it is now or as it was sent before. Whose customer it is of,
 * and of a reversal or a commit what it is about, is still to be found out (app/operations/ownership/ownership.ts).
 *
 * @param versions the newest first
 * @param differing in which fields a record cannot be the row's
 */
export function recordedVersions(
  operation: Pick<Operation, 'rowId' | 'intent' | 'externalRef' | 'serviceCustomerId'>,
  versions: readonly SentVersion[],
  list: readonly Transaction[],
  differing: (row: OwnedRow, record: ToldRecord) => readonly string[],
): readonly RecordedVersion[] {
  const { rowId, intent, externalRef, serviceCustomerId } = operation;
  const candidates = list.filter((record) => record.intent === intentInBooks[intent]);
  return versions.flatMap((version, age): readonly RecordedVersion[] => {
    const isEarlier = age > 0;
    const { path, body } = version;
    const known = isEarlier ? {} : { serviceCustomerId };
    const row = { rowId, intent, externalRef, path, body, maybeSent: true, ...known };
    return candidates
      .filter((record) => differing(row, record).length === 0)
      .map((record) => ({ record, version, isEarlier, row }));
  });
}
