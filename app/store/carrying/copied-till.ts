import type { Database } from 'better-sqlite3';
import { prepareAll } from '../../sql/prepare.ts';
import { suspicionStatements } from '../statements/carry-over.ts';
import { suspectWaiting } from './carry-over.ts';

/**
 * Of a database that may be a copy of another machine's: the original has the same operations, with the same references,
 * and may have sent each. What waits is sent as it stands, or looked up, and undone only after that: the service takes a
 * reference once. What was refused waits for a person, who may have entered it again at the original.
 */
export function suspectCopied(opened: Database, nowMs: number): void {
  const { refused } = prepareAll(opened, { refused: suspicionStatements.refused });
  const refusedRowIds = new Set(refused.all().map(({ rowId }) => rowId));
  suspectWaiting(
    opened,
    { atMs: nowMs, reason: 'the till is on another machine, and may be a copy' },
    { refusedRowIds },
  );
}
