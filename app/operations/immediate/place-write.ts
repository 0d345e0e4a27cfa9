import { fieldOf } from '../../../shared/contract/differing-fields.ts';
import type { NewOperation } from '../../store/schema/new-operation.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { BusinessCalendar } from '../requests/business-date.ts';
import { requestOf } from '../requests/row-request.ts';
import { type Differences, differencesOf, same } from '../requests/same-request.ts';
import { isReferenceFree, takeFreedReference } from '../settlement/freed-reference.ts';

export interface PlacingOptions extends OperationStores {
  readonly calendar: BusinessCalendar;
  /** Whether the POS program that asked for a row has not heard yet what became of it. */
  readonly isUnanswered: (rowId: number) => boolean;
}

/** What stands in the way of a write for which somebody waits. */
export type InTheWay =
  | { readonly kind: 'nothing' }
  /** The operation under the reference came to nothing: the write may take its row. */
  | { readonly kind: 'freed'; readonly operation: Operation }
  /** An operation has the same press or the same reference; without differences it is the same write. */
  | { readonly kind: 'taken'; readonly operation: Operation; readonly differences: Differences }
  /** The write is a reversal, and its original is being reversed, or was, under another reference. */
  | { readonly kind: 'reversed'; readonly reversal: Operation };

export function inTheWayOf(options: PlacingOptions, row: NewOperation): InTheWay {
  const { operations, rows, calendar, isUnanswered } = options;
  const own = operations.existing(row);
  const taken = (operation: Operation): Extract<InTheWay, { kind: 'taken' }> => {
    const kept = rows.keptRequest(operation.rowId);
    if (kept === null) throw new Error(`Row ${operation.rowId} is gone`);
    const isAskedFor = row.origin === 'bridge' && isUnanswered(operation.rowId);
    const differences = isPressedAgain(operation, row) ? same : differencesOf(kept, row, calendar, { isAskedFor });
    return { kind: 'taken', operation, differences };
  };
  if (own !== null && (own.intent !== row.intent || !isReferenceFree(operations, own))) return taken(own);
  const neighbour = sharingReference(options, row);
  if (neighbour !== null) return taken(neighbour);
  const [enrollment] = row.intent === 'enroll' ? rows.enrollmentsUnder(referenceIn(row)) : [];
  if (enrollment !== undefined) {
    const earlier = taken(enrollment);
    // A repeat of the same enrollment becomes an operation of its own, because only the service knows its answer.
    if (earlier.differences.differingFields.length > 0) return earlier;
  }
  const reversal = row.reversesRowId === null ? null : rows.reversalOf(row.reversesRowId);
  if (reversal !== null && reversal.rowId !== own?.rowId) return { kind: 'reversed', reversal };
  return own === null ? { kind: 'nothing' } : { kind: 'freed', operation: own };
}

/**
 * Whether the same press spends or holds once more. It may come with other values now, because its first answer was lost.
 * Whoever pressed must see what was saved: a second operation would be spent beside the first.
 */
function isPressedAgain(earlier: Operation, { operationId, intent }: NewOperation): boolean {
  return (
    earlier.operationId === operationId && earlier.intent === intent && (intent === 'redeem' || intent === 'reserve')
  );
}

/**
 * Saves a write and marks it as being sent, unless something stands in its way: it never waits in the queue. Inside a
 * transaction of the Writer.
 *
 * @returns its row, or what stands in its way
 */
export function placeWrite(
  options: PlacingOptions,
  row: NewOperation,
  facts: { readonly atMs: number; readonly keyFingerprint: string },
): { readonly kind: 'placed'; readonly rowId: number } | Extract<InTheWay, { kind: 'taken' | 'reversed' }> {
  const { operations } = options;
  const inTheWay = inTheWayOf(options, row);
  if (inTheWay.kind === 'taken' || inTheWay.kind === 'reversed') return inTheWay;
  const rowId = inTheWay.kind === 'freed' ? inTheWay.operation.rowId : row.rowId;
  const isPlaced =
    inTheWay.kind === 'freed' ? takeFreedReference(options, inTheWay.operation, row) : operations.insert(row) === null;
  if (!isPlaced) throw new Error(`Row ${rowId} could not be taken for ${row.externalRef}`);
  operations.mark([rowId], facts);
  return { kind: 'placed', rowId };
}

/** The caller's own reference. The row's may be longer: for some intents the agent adds an id of its own. */
export function referenceIn(row: NewOperation): string {
  const reference = fieldOf(requestOf(row), 'external_ref');
  return typeof reference === 'string' ? reference : row.externalRef;
}

/** A redemption and a commit are the same kind of transaction at the service: only one of the two may have a reference. */
const sharers = { redeem: 'commit', commit: 'redeem' } as const;

function sharingReference(options: PlacingOptions, row: NewOperation): Operation | null {
  if (row.intent !== 'redeem' && row.intent !== 'commit') return null;
  const other = sharers[row.intent];
  const operation = options.operations.operationsByReference(row.externalRef).find(({ intent }) => intent === other);
  if (operation === undefined || operation.state === 'written_off' || isReferenceFree(options.operations, operation))
    return null;
  return operation;
}
