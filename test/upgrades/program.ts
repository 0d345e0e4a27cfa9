import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as settingsModule from '../../app/config/settings.ts';
import type * as coreModule from '../../app/core/create-core.ts';
import type * as pacingModule from '../../app/line/pacing.ts';
import type * as idsModule from '../../app/machine/ids.ts';
import type * as randomModule from '../../app/machine/random.ts';
import type * as dispatcherModule from '../../app/service/faces/in-process.ts';
import type * as serviceModule from '../../app/service/service.ts';
import type * as serviceMigrationsModule from '../../app/service/store/migrations.ts';
import type * as migrationsModule from '../../app/store/migrations/index.ts';

/**
 * The product of some commit: what it is put together from. The types are today's. An older program has less, and
 * whoever drives it has to know what its schema knew (see story.ts).
 */
export interface Program {
  readonly createCore: typeof coreModule.createCore;
  readonly createService: typeof serviceModule.createService;
  readonly inProcessDispatcher: typeof dispatcherModule.inProcessDispatcher;
  readonly createIds: typeof idsModule.createIds;
  readonly seededRandom: typeof randomModule.seededRandom;
  readonly settingsSchema: typeof settingsModule.settingsSchema;
  readonly networkPacing: typeof pacingModule.networkPacing;
  /** The newest schema of the agent's database, and of the sandbox service's. */
  readonly schema: number;
  readonly serviceSchema: number;
}

/** @param root the folder of a checkout, with its packages */
export async function loadProgram(root: string): Promise<Program> {
  // Files have moved since; what is in them has the same names.
  const load = (...paths: readonly string[]) => {
    const path = paths.map((each) => join(root, 'app', each)).find((each) => existsSync(each));
    if (path === undefined) throw new Error(`${root} has none of ${paths.join(', ')}`);
    return import(pathToFileURL(path).href);
  };
  const core: typeof coreModule = await load('core/create-core.ts', 'create-core.ts');
  const service: typeof serviceModule = await load('service/service.ts');
  const dispatcher: typeof dispatcherModule = await load('service/faces/in-process.ts', 'service/in-process.ts');
  const ids: typeof idsModule = await load('machine/ids.ts', 'ids.ts', 'service/ids.ts');
  const random: typeof randomModule = await load('machine/random.ts', 'random.ts');
  const settings: typeof settingsModule = await load('config/settings.ts');
  const pacing: typeof pacingModule = await load('line/pacing.ts', 'line/service-line.ts', 'service-line.ts');
  const { migrations }: typeof migrationsModule = await load('store/migrations/index.ts');
  const { migrations: serviceMigrations }: typeof serviceMigrationsModule = await load(
    'service/store/migrations.ts',
    'service/migrations.ts',
  );
  return {
    createCore: core.createCore,
    createService: service.createService,
    inProcessDispatcher: dispatcher.inProcessDispatcher,
    createIds: ids.createIds,
    seededRandom: random.seededRandom,
    settingsSchema: settings.settingsSchema,
    networkPacing: pacing.networkPacing,
    schema: migrations.length,
    serviceSchema: serviceMigrations.length,
  };
}
