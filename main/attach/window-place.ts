import { join, resolve } from 'node:path';
import { attachFolderFlag, dataDirOf, noHomeWords } from '../../app/commands/agent-flags.ts';
import { WrongUseError } from '../../app/commands/tillbridge/wrong-use.ts';
import { ownDataDir } from '../../app/config/data-dir.ts';
import { isServiceInstalled, type ServicePlaces, servicePlaces } from '../../app/machine/service-places.ts';

/** The agent of a window, and the folder of the window's own files. */
export interface WindowPlace {
  readonly dataDir: string;
  /** The folder in which the agent says how windows reach it. */
  readonly attachFolder: string;
  /** The agent is a service of the machine and may run as another user, so no agent is started here. */
  readonly isOfService: boolean;
  /** The folder for the window's position, its profile and its log. */
  readonly windowDir: string;
}

/**
 * The place for the named agent, else for the machine's service when there is one and no other folder is named, else
 * for the login's own agent.
 *
 * @throws WrongUseError for a login that has no place for it
 */
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
    const own = ownDataDir(environment);
    if (own === null) throw new WrongUseError(`${noHomeWords} Set it: the window keeps its own files there.`);
    return { dataDir, attachFolder, isOfService, windowDir: join(own, 'shared-machine') };
  }
  return { dataDir, attachFolder: dataDir, isOfService: false, windowDir: dataDir };
}
