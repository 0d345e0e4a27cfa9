import { join, resolve } from 'node:path';
import { attachFolderFlag, dataDirOf } from '../../app/commands/agent-flags.ts';
import { ownDataDir } from '../../app/config/data-dir.ts';
import { isServiceInstalled, type ServicePlaces, servicePlaces } from '../../app/machine/service-places.ts';

/** Which agent a window belongs to, and where it keeps what is its own. */
export interface WindowPlace {
  readonly dataDir: string;
  /** Where the agent tells windows how to reach it. */
  readonly attachFolder: string;
  /** The agent is the machine's, and may be another user's: no agent is started here. */
  readonly isOfService: boolean;
  /** For the window's place, its profile and its log. */
  readonly windowDir: string;
}

/** The named agent, else the machine's service where there is one and no other folder is named, else the login's own. */
export function windowPlace(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
  service: ServicePlaces = servicePlaces(environment),
): WindowPlace {
  const dataDir = dataDirOf(values, environment, service);
  const named = values.get(attachFolderFlag.name);
  const isOfService = named !== undefined || (dataDir === service.dataDir && isServiceInstalled(service));
  if (isOfService) {
    const attachFolder = named === undefined ? service.attachFolder : resolve(named);
    return { dataDir, attachFolder, isOfService, windowDir: join(ownDataDir(environment), 'shared-machine') };
  }
  return { dataDir, attachFolder: dataDir, isOfService: false, windowDir: dataDir };
}
