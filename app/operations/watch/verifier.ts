import type { Transaction } from '../../../shared/contract/transaction.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { cameToNothing } from '../../../shared/machines/operation.ts';
import { intentInBooks } from '../../../shared/machines/operation-intents.ts';
import type { Difference } from '../../../shared/till/verify-names.ts';
import type { Line } from '../../line/line.ts';
import type { Writer } from '../../store/database/writer.ts';
import type { Operation } from '../../store/schema/operation.ts';
import type { OperationStores } from '../../store/tables/operation-stores.ts';
import type { VerifyStore } from '../../store/tables/verify-store.ts';
import type { Desk } from '../immediate/desk.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { learnedFrom, stepWithoutSend } from '../settlement/settlement.ts';
import { lookUpBooks } from './look-up-books.ts';

interface VerifierOptions extends OperationStores {
  readonly verify: VerifyStore;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly line: Line;
  readonly ownership: Ownership;
  /** Knows which rows were sent under the key of this run. */
  readonly desk: Pick<Desk, 'isUnderThisKey'>;
  /** Told after the commit; what is to be sent again goes out. */
  readonly onChanged: (rowIds: readonly number[]) => void;
}

/** Which operations are compared: those that were applied or taken back in that time. */
export interface VerifyRequest {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Where the last part ended; 0 at first. */
  readonly afterRowId: number;
  /** Whether what is missing is sent again, as it was. */
  readonly resend: boolean;
}

export type VerifyPart =
  | {
      readonly kind: 'part';
      readonly checked: number;
      /** Operations whose request was erased after the retention time: there is nothing left to compare. */
      readonly erased: number;
      /** Operations that were sent under another key, and that the books of this key do not show: nothing is known of them. */
      readonly ofAnotherKey: number;
      readonly differences: readonly {
        readonly operation: Operation;
        readonly difference: Difference;
        readonly resent: boolean;
      }[];
      /** Null: all were compared. */
      readonly afterRowId: number | null;
    }
  | { readonly kind: 'out_of_reach' };

const rowsPerPart = 20;
/** A service that answers slowly is asked for fewer: whoever waits for a part hears in time. */
const partWithinMs = 10_000;

/** Compares what the till shows with the service's books: a service that was restored has lost what came after. */
export class Verifier {
  readonly #options: VerifierOptions;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** Compares one part. @throws what the database says */
  async compare(request: VerifyRequest): Promise<VerifyPart> {
    const { operations, verify, clock, line, ownership, desk, writer, onChanged } = this.#options;
    const { operations: toCompare, afterRowId } = verify.part(request, rowsPerPart);
    const endMs = clock.monotonicMs() + partWithinMs;
    const differences: { operation: Operation; difference: Difference; resent: boolean }[] = [];
    let seen = 0;
    let erased = 0;
    let ofAnotherKey = 0;
    for (const operation of toCompare) {
      if (clock.monotonicMs() >= endMs) break;
      const books = await lookUpBooks({ operations, line }, operation, (row, record) =>
        ownership.differing(row, record, line.serviceNowMs()),
      );
      if (books === null) return { kind: 'out_of_reach' };
      seen += 1;
      if (books.versions.length === 0) {
        erased += 1;
        continue;
      }
      const found = books.candidates.find(
        ({ isEarlier, record: { customer_id } }) =>
          !isEarlier && (operation.serviceCustomerId ?? customer_id) === customer_id,
      );
      const record = found?.record ?? null;
      if (!desk.isUnderThisKey(operation.rowId) && !isTheVeryRecord(operation, record)) {
        ofAnotherKey += 1;
        continue;
      }
      const difference = differenceOf(operation, record, books.list);
      if (difference === null) continue;
      const changed = request.resend ? await writer.urgent(() => this.#sendAgain(operation, difference, record)) : [];
      if (changed.length > 0) onChanged(changed);
      differences.push({ operation, difference, resent: changed.length > 0 });
    }
    const next = toCompare[seen] === undefined ? afterRowId : (toCompare[seen - 1]?.rowId ?? request.afterRowId);
    const checked = seen - erased - ofAnotherKey;
    return { kind: 'part', checked, erased, ofAnotherKey, differences, afterRowId: next };
  }

  /** @returns the rows that go out again; none when it is not for the till to do that */
  #sendAgain(operation: Operation, difference: Difference, record: Transaction | null): readonly number[] {
    if (difference === 'stands_again' && record !== null) return this.#takeBackAgain(operation, record);
    if (difference !== 'missing') return [];
    switch (operation.intent) {
      case 'earn':
      case 'redeem':
        return this.#lose(operation);
      case 'reverse':
        return this.#reverseAgain(operation);
      // A commit's reservation is most likely gone, too: a person decides what the customer still owes.
      case 'commit':
      case 'enroll':
      case 'verify':
      case 'reserve':
      case 'release':
        return [];
    }
  }

  /** Makes an operation unknown again: the same bytes go out, and the service says what it holds. */
  #lose({ rowId, attempts, delivery }: Operation): readonly number[] {
    const { operations, rows, clock } = this.#options;
    const step = stepWithoutSend({ rowId, attempts, maybeSent: true }, clock.now());
    if (operations.change({ ...step, event: 'miss' }) === null) return [];
    // The write was done once, and nobody waits for it now: the resolver finishes it, however long that takes.
    if (delivery === 'immediate') rows.decide(rowId, 'give_it', clock.now());
    return [rowId];
  }

  /**
   * Reverses an operation once more that the service holds as applied. It is shown as applied until its reversal has passed.
   * A reversal that was applied is compared itself. One that ended because another till's was said to have come first goes
   * out again.
   */
  #takeBackAgain({ rowId, attempts }: Operation, record: Transaction): readonly number[] {
    const { operations, rows, clock } = this.#options;
    const dropped = operations.watches.droppedReversalOf(rowId);
    if (dropped === null || rows.reversalOf(rowId) !== null || rows.sent(dropped) === null) return [];
    const step = stepWithoutSend({ rowId, attempts, maybeSent: true }, clock.now());
    if (operations.change({ ...step, event: 'miss' }) === null) return [];
    operations.change({ ...step, ...learnedFrom(record) });
    operations.change({
      ...stepWithoutSend({ rowId: dropped, attempts: 0, maybeSent: false }, clock.now()),
      event: 'resend',
    });
    operations.watches.defer(dropped);
    return [rowId, dropped];
  }

  /**
   * Sends a reversal again after its original, which has to be applied first. Where the original came to nothing, there is
   * nothing to take back. Where this till knows no original, the reference may be another store's under another key. So the
   * reversal goes on as one that may be at the service, which is sent under no other key.
   */
  #reverseAgain(reversal: Operation): readonly number[] {
    const { operations, clock } = this.#options;
    const { rowId, attempts, reversesRowId } = reversal;
    const original = reversesRowId === null ? null : operations.operation(reversesRowId);
    if (original !== null && cameToNothing.has(original.state)) return [];
    const step = stepWithoutSend({ rowId, attempts, maybeSent: original === null }, clock.now());
    if (operations.change({ ...step, event: 'miss' }) === null) return [];
    if (original !== null) operations.change({ ...step, event: 'prove_absent' });
    operations.watches.defer(rowId);
    return original?.state === 'reversed' ? [rowId, ...this.#lose(original)] : [rowId];
  }
}

/** Another source may have a record with the same reference and values, but not with the id that the till was told. */
function isTheVeryRecord({ serviceTransactionId }: Operation, record: Transaction | null): boolean {
  return record !== null && record.transaction_id === serviceTransactionId;
}

function differenceOf(
  { intent, state }: Operation,
  record: Transaction | null,
  list: readonly Transaction[],
): Difference | null {
  if (record === null) return list.some((entry) => entry.intent === intentInBooks[intent]) ? 'anothers' : 'missing';
  if (record.status === 'failed') return 'failed_there';
  if (state === 'reversed') return record.status === 'reversed' ? null : 'stands_again';
  return record.status === 'reversed' ? 'reversed_there' : null;
}
