import type { Clock } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
import { placesOfRights } from '../config/deployed-file.ts';
import type { Held } from '../config/held-settings.ts';
import type { SettingsSources } from '../config/load-settings.ts';
import { savedSettingsPath } from '../config/saved-settings.ts';
import { SettingsFiles } from '../config/settings-files.ts';

/** So many faults are told; a person corrects a file by the first ones. */
const mostTold = 10;

/** What is told of settings files that are not used as they are, or were not checked. */
export function watchSettingsFiles(
  start: {
    readonly dataDir: string;
    readonly sources: () => Pick<SettingsSources, 'managedFile' | 'deployedPlace'>;
    readonly settingsFaults: readonly string[];
    readonly settingsDoubt: string | null;
    readonly areSettingsLost: boolean;
  },
  {
    clock,
    held,
    onChanged,
  }: { readonly clock: Clock; readonly held: () => Promise<Held>; readonly onChanged: () => void },
): { readonly notices: () => readonly Notice[]; readonly close: () => void } {
  const { managedFile, deployedPlace = null } = start.sources();
  const named = managedFile === null ? [] : [managedFile];
  const files = new SettingsFiles({
    paths: [savedSettingsPath(start.dataDir), ...(deployedPlace === null ? named : placesOfRights(deployedPlace))],
    told: { faults: start.settingsFaults, doubt: start.settingsDoubt },
    async read() {
      const now = await held();
      return now.kind === 'held'
        ? { faults: now.fileFaults, doubt: now.fileDoubt }
        : { faults: now.problems, doubt: null };
    },
    clock,
    onChanged,
  });
  return {
    notices() {
      const { faults, doubt } = files.told;
      return [
        ...(doubt === null ? [] : [{ code: 'settings_file_unchecked', doubt } as const]),
        // Lost settings have a notice of their own.
        ...(faults.length === 0 || start.areSettingsLost
          ? []
          : [{ code: 'settings_file_wrong', faults: faults.slice(0, mostTold) } as const]),
      ];
    },
    close: () => files.close(),
  };
}
