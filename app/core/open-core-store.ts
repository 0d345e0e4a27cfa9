import { openOrRecover } from '../store/open-or-recover.ts';
import type { Store } from '../store/store.ts';
import { beginPeople, beginSeals } from './begin-seals.ts';
import type { CompleteCoreOptions } from './core-options.ts';
import type { StoreEvents } from './store-events.ts';

const unmarked =
  'What says how much the database holds cannot be written; what its files lose from here on may not be noticed';

/**
 * Opens the database, whatever became of its files. What has no seal yet gets one, before anything else is done with it.
 *
 * @throws StoreError when the database cannot be used
 */
export function openCoreStore(
  options: CompleteCoreOptions,
  { path, openedAtMs, events }: { readonly path: string; readonly openedAtMs: number; readonly events: StoreEvents },
): Store {
  const { clock, random, log, audit, machine, schedule, seal, peopleSealing } = options;
  const { mode } = options.settings;
  const store = openOrRecover(path, {
    random,
    ...(seal === null ? {} : { sealKey: seal.key }),
    ...(peopleSealing === undefined ? {} : { peopleProof: peopleSealing.own }),
    nowMs: openedAtMs,
    now: () => clock.now(),
    onMoved: events.moved,
    onIndexMadeAnew: events.indexMadeAnew,
    onUnmarked: () => log.warn({ file: `${path}-open` }, unmarked),
    machine,
    onElsewhere: (why) => audit.note({ event: 'epoch_begun', mode, why }),
    onForeign: (objects) => audit.note({ event: 'schema_foreign', mode, objects }),
    saving: events.saving,
    schedule,
  });
  beginSeals(store, seal);
  if (peopleSealing !== undefined) beginPeople(store, peopleSealing, audit);
  return store;
}
