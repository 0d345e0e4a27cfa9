import type { Clock } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
import { ScheduledBackups } from '../backups/scheduled-backups.ts';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../machine/log.ts';

/** The backups that the settings ask for; none without a folder. */
export function openBackups(
  { dataDir, settings, log }: { readonly dataDir: string; readonly settings: Settings; readonly log: Log },
  { clock, tillKey }: { readonly clock: Clock; readonly tillKey: Uint8Array },
): { readonly notices: () => readonly Notice[]; readonly close: () => Promise<void> } {
  const { mode, backup, time_zone: timeZone, device_ref: deviceRef } = settings;
  const { folder, hour, keep } = backup;
  if (folder === null) return { notices: () => [], close: async () => undefined };
  const backups = new ScheduledBackups({ dataDir, mode, folder, hour, keep, timeZone, deviceRef, tillKey, clock, log });
  return { notices: () => backups.notices(), close: () => backups.close() };
}
