import { recoverDatabase } from './carrying/recover-database.ts';
import { type Store, type StoreOptions, storeOn } from './store.ts';

/**
 * Opens the agent's store, whatever became of its files (see recoverDatabase).
 *
 * @throws StoreError for everything but damage
 */
export function openOrRecover(path: string, options: StoreOptions & { readonly nowMs: number }): Store {
  return storeOn(path, recoverDatabase(path, options), options);
}
