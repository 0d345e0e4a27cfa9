import type { Database } from 'better-sqlite3';
import { isOver, type OperationState } from '../../../shared/machines/operation.ts';
import { prepareAll } from '../../sql/prepare.ts';
import type { SendableOperation } from '../rows/delivery.ts';
import { RowSeal, type SealedRequest, type SealKind } from '../rows/row-seal.ts';
import type { NewOperation } from '../schema/new-operation.ts';
import { sealStatements } from '../statements/seals.ts';

/** Cancelled, or written off: what is sent of it again goes by the agent's own steps alone. */
export function sealKindOf(state: OperationState): SealKind {
  return isOver(state) ? 'ended' : 'open';
}

/**
 * The seals of the operations: what was changed on the disk after it was saved is not sent. Methods that write run inside
 * a transaction of the Writer.
 */
export class SealStore {
  readonly #seal: RowSeal | null;
  readonly #statements;

  /** @param key of the till; null: nothing is sealed, and nothing is looked at */
  constructor(database: Database, key: Uint8Array | null) {
    this.#seal = key === null ? null : new RowSeal(key);
    this.#statements = prepareAll(database, sealStatements);
  }

  /** For a row that is about to be saved. */
  ofNew(row: NewOperation): Buffer | null {
    if (this.#seal === null) return null;
    const { operationId, intent, externalRef, path, body, idempotencyKey } = row;
    return this.#seal.of({ operationId, intent, externalRef, path, body, bodyVersion: 1, idempotencyKey });
  }

  /** Whether what is about to be sent is what this till has saved. */
  isSealIntact(row: SealedRequest & Pick<SendableOperation, 'seal'>): boolean {
    return this.#seal === null || this.#seal.isOf(row, row.seal);
  }

  /** Whether a row is what this till has saved, also one that has ended. */
  isSealIntactOrEnded(row: SealedRequest & Pick<SendableOperation, 'seal'>): boolean {
    return this.isSealIntact(row) || this.#seal?.isOf(row, row.seal, 'ended') === true;
  }

  /** Seals a row as it stands: after the agent has changed it, or a person has released it. */
  sealAgain(rowId: number): void {
    const kept = this.#statements.sealed.get({ rowId });
    if (this.#seal !== null && kept !== null) this.#statements.setSeal.run({ rowId, seal: this.#seal.of(kept) });
  }

  /**
   * A row has ended, or an ended one is open again: its seal tells which. One that is not intact keeps the seal that it has,
   * and so is not sent.
   */
  moved(rowId: number, { from, to }: { readonly from: SealKind; readonly to: SealKind }): void {
    const kept = this.#statements.sealed.get({ rowId });
    if (this.#seal === null || kept === null || !this.#seal.isOf(kept, kept.seal, from)) return;
    this.#statements.setSeal.run({ rowId, seal: this.#seal.of(kept, to) });
  }

  /** Of another till that has this one's key: a person releases what waits, as with any other key. */
  breakAll(): void {
    this.#statements.breakAll.run();
  }

  /**
   * Once, at the first start with seals: what may still be sent and has none.
   *
   * @returns how many there were
   */
  sealFirst(): number {
    if (this.#seal === null) return 0;
    const rows = this.#statements.unsealed.all();
    for (const { rowId, state } of rows) {
      this.sealAgain(rowId);
      if (sealKindOf(state) === 'ended') this.moved(rowId, { from: 'open', to: 'ended' });
    }
    return rows.length;
  }
}
