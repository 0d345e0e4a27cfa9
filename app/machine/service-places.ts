import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Where a shared machine keeps the one agent of all its logins, which runs as a service of the operating system. */
export interface ServicePlaces {
  /** What the operating system reads of the service: the service is installed where this file is. */
  readonly description: string;
  /** Its data folder, closed to every login. */
  readonly dataDir: string;
  /** Tells the windows of those who may use the till how to reach it. */
  readonly attachFolder: string;
}

/** @param environment ProgramFiles and ProgramData, on Windows */
export function servicePlaces(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): ServicePlaces {
  if (platform === 'win32') {
    const shared = win32.join(environment.ProgramData ?? 'C:\\ProgramData', 'Tillbridge');
    const programs = environment.ProgramFiles ?? 'C:\\Program Files';
    return {
      description: win32.join(programs, 'Tillbridge Service', 'tillbridge-service.xml'),
      dataDir: win32.join(shared, 'data'),
      attachFolder: win32.join(shared, 'attach'),
    };
  }
  if (platform === 'darwin') {
    const shared = '/Library/Application Support/Tillbridge';
    return {
      description: '/Library/LaunchDaemons/org.tillbridge.agent.plist',
      dataDir: posix.join(shared, 'data'),
      attachFolder: posix.join(shared, 'attach'),
    };
  }
  return {
    description: '/etc/systemd/system/tillbridge.service',
    dataDir: '/var/lib/tillbridge',
    attachFolder: '/run/tillbridge',
  };
}

export function isServiceInstalled(places: ServicePlaces): boolean {
  return existsSync(places.description);
}
