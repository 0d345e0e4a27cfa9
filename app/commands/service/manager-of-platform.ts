import { isServiceInstalled, servicePlaces } from '../../machine/service-places.ts';
import { launchd } from './launchd.ts';
import type { ServiceManager } from './service-manager.ts';
import { systemd } from './systemd.ts';
import { windowsService } from './windows-service.ts';

export function managerOf(platform: NodeJS.Platform): ServiceManager {
  if (platform === 'win32') return windowsService;
  return platform === 'darwin' ? launchd : systemd;
}

/** How the agent of a data folder is stopped where a service would start it again; null where none does. */
export function howToStopService(dataDir: string, places = servicePlaces()): string | null {
  return dataDir === places.dataDir && isServiceInstalled(places) ? managerOf(process.platform).howToStop : null;
}
