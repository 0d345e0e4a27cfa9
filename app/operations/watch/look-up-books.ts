import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { Line } from '../../line/line.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStore } from '../../store/tables/operation-store.ts';
import type { SentVersion } from '../../store/tables/watch-store.ts';
import { type RecordedVersion, recordedVersions } from '../ownership/recorded-version.ts';
import type { ToldRecord } from '../ownership/same-record.ts';
import type { OwnedRow } from '../ownership/verdict.ts';
import { originalOf } from '../requests/named-original.ts';

/** What the service's books show under the references of an operation. */
interface BooksOfOperation {
  readonly versions: readonly SentVersion[];
  readonly list: readonly Transaction[];
  /** The records that may be the operation's, those of its newest version first. */
  readonly candidates: readonly RecordedVersion[];
}

/** @returns null when the books could not be read */
export async function lookUpBooks(
  { operations, line }: { readonly operations: OperationStore; readonly line: Line },
  operation: Operation,
  differing: (row: OwnedRow, record: ToldRecord) => readonly string[],
): Promise<BooksOfOperation | null> {
  const versions = operations.watches.versions(operation.rowId);
  const list: Transaction[] = [];
  for (const reference of referencesOf(operation, versions[0]?.body ?? '')) {
    const outcome = await line.judged.lookUp(reference);
    if (outcome.kind === 'unknown') return null;
    if (outcome.kind === 'done') list.push(...outcome.answer.data);
  }
  const candidates = recordedVersions(operation, versions, list, differing);
  return { versions, list, candidates };
}

/** The service may file a reversal under its original's reference. */
function referencesOf(operation: Operation, body: string): readonly string[] {
  const original = operation.intent === 'reverse' ? originalOf(body) : null;
  return original === null ? [operation.externalRef] : [operation.externalRef, original.external_ref];
}
