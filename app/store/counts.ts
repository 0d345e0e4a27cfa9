import type { Database } from 'better-sqlite3';
import { type OperationState, operationStates } from '../../shared/machines/operation.ts';
import { prepareAll } from '../sql/prepare.ts';
import { countStatements } from './statements/counts.ts';
import type { CommitCompanion } from './writer.ts';

type Counts = Readonly<Record<OperationState, number>>;

/**
 * How many operations are in each state. The table changes in the commit that changes the rows, once for each state
 * that the commit touches; what is read here is what was committed last.
 */
export class StateCounts implements CommitCompanion {
  readonly #statements;
  readonly #changes = new Map<OperationState, number>();
  #committed: Counts;

  constructor(database: Database) {
    this.#statements = prepareAll(database, countStatements);
    this.#committed = this.#fromTable();
  }

  /** Inside a transaction of the Writer. */
  add(state: OperationState, by: number): void {
    this.#changes.set(state, (this.#changes.get(state) ?? 0) + by);
  }

  /** Inside a transaction of the Writer: with what it has changed so far. */
  inTransaction(state: OperationState): number {
    return this.#committed[state] + (this.#changes.get(state) ?? 0);
  }

  /** The database went on in another file. */
  readAgain(): void {
    this.#committed = this.#fromTable();
  }

  /** As of the last commit. */
  read(): Counts {
    return this.#committed;
  }

  beforeCommit(): void {
    for (const [state, by] of this.#changes) if (by !== 0) this.#statements.add.run({ state, by });
  }

  afterCommit(): void {
    if (this.#changes.size === 0) return;
    const counts = { ...this.#committed };
    for (const [state, by] of this.#changes) counts[state] += by;
    this.#committed = counts;
    this.#changes.clear();
  }

  afterRollback(): void {
    this.#changes.clear();
    // A commit that failed may have reached the disk after all.
    this.#committed = this.#fromTable();
  }

  #fromTable(): Counts {
    const counts = Object.fromEntries(operationStates.map((state) => [state, 0])) as Record<OperationState, number>;
    for (const { state, count } of this.#statements.list.all()) counts[state] = count;
    return counts;
  }
}

/** How many operations are in each state, in a database that another agent may have open. */
export function countsIn(database: Database): readonly { readonly state: OperationState; readonly count: number }[] {
  return prepareAll(database, { list: countStatements.list }).list.all();
}

/** How many operations there are, counted one by one. */
export function countOperations(database: Database): number {
  return prepareAll(database, { total: countStatements.total }).total.get()?.count ?? 0;
}
