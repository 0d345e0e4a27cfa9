import type { Clock } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
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
    readonly sources: Pick<SettingsSources, 'managedFile' | 'absentManagedFile'>;
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
  const { managedFile, absentManagedFile = null } = start.sources;
  // One that is missing at the start may be deployed again while the till runs.
  const deployed = managedFile ?? absentManagedFile;
  const files = new SettingsFiles({
    paths: [savedSettingsPath(start.dataDir), ...(deployed === null ? [] : [deployed])],
    faults: start.settingsFaults,
    async readFaults() {
      const now = await held();
      return now.kind === 'held' ? now.fileFaults : now.problems;
    },
    clock,
    onChanged,
  });
  return {
    notices: () => [
      ...(start.settingsDoubt === null
        ? []
        : [{ code: 'settings_file_unchecked', doubt: start.settingsDoubt } as const]),
      // Lost settings have a notice of their own.
      ...(files.faults.length === 0 || start.areSettingsLost
        ? []
        : [{ code: 'settings_file_wrong', faults: files.faults.slice(0, mostTold) } as const]),
    ],
    close: () => files.close(),
  };
}
