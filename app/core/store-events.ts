import type { Recovery } from '../store/carrying/carrying.ts';
import type { Health } from './health.ts';

/**
 * What the open store tells of its files and commits. The health that hears it watches the store, and so comes later, in
 * the same turn. Until then there is nothing to tell: the store looks at its files only before a commit of its Writer,
 * which comes in a later turn, or when health asks it to.
 */
export class StoreEvents {
  #health: Pick<Health, 'moved' | 'indexMadeAnew' | 'saving'> | null = null;

  connect(health: Pick<Health, 'moved' | 'indexMadeAnew' | 'saving'>): void {
    this.#health = health;
  }

  readonly moved = (recovery: Recovery): void => this.#health?.moved(recovery);

  readonly indexMadeAnew = (): void => this.#health?.indexMadeAnew();

  readonly saving = {
    saved: (): void => this.#health?.saving.saved(),
    failed: (error: unknown): void => this.#health?.saving.failed(error),
  };
}
