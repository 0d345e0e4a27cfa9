import type { Clock } from '../../shared/lib/clock.ts';
import type { Notice } from '../../shared/till/views.ts';
import { placesOfRights } from '../config/deployed-file.ts';
import { keepLastStartAgain, lastStartPath } from '../config/last-start.ts';
import type { LoadedSettings, SettingsSources } from '../config/load-settings.ts';
import { savedSettingsPath } from '../config/saved-settings.ts';
import type { Settings } from '../config/settings.ts';
import { SettingsFiles } from '../config/settings-files.ts';

/** So many faults are told; a person corrects a file by the first ones. */
const mostTold = 10;

/** The settings that changed files make, all of them in order. */
export type SettingsInOrder = Extract<LoadedSettings, { kind: 'loaded' }>;

/**
 * Reads the settings files of a running agent again when they have changed, and tells what is wrong with them. What it was
 * started with is noted again where that is gone: without it the next start would take a till of production for a new one.
 */
export function watchSettingsFiles(
  start: {
    readonly dataDir: string;
    readonly settings: Settings;
    readonly sources: () => Pick<SettingsSources, 'managedFile' | 'deployedPlace'>;
    readonly settingsFaults: readonly string[];
    readonly settingsDoubt: string | null;
    readonly areSettingsLost: boolean;
  },
  {
    clock,
    load,
    onInOrder,
    onChanged,
  }: {
    readonly clock: Clock;
    readonly load: () => Promise<LoadedSettings>;
    /** Called for changed files that are in order. What a bad file says, or said before, is not used in a running agent. */
    readonly onInOrder: (loaded: SettingsInOrder) => void;
    /** What is told has changed. */
    readonly onChanged: () => void;
  },
): { readonly notices: () => readonly Notice[]; readonly close: () => void } {
  const { managedFile, deployedPlace } = start.sources();
  const named = managedFile === null ? [] : [managedFile];
  const files = new SettingsFiles({
    paths: [
      savedSettingsPath(start.dataDir),
      lastStartPath(start.dataDir),
      ...(deployedPlace === undefined ? named : placesOfRights(deployedPlace)),
    ],
    found: { faults: start.settingsFaults, doubt: start.settingsDoubt },
    putBack() {
      // As at the start: what lost settings are taken from stays as it is.
      if (!start.areSettingsLost) keepLastStartAgain(start.dataDir, start.settings);
    },
    async read() {
      const now = await load();
      if (now.kind === 'refused') return { faults: now.problems, doubt: null };
      if (now.fileFaults.length === 0) onInOrder(now);
      return { faults: now.fileFaults, doubt: now.fileDoubt };
    },
    clock,
    onChanged,
  });
  return {
    notices() {
      const { faults, doubt } = files.found;
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
