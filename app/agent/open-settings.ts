import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { Mode } from '../../shared/till/modes.ts';
import type { Notice } from '../../shared/till/views.ts';
import type { Audit } from '../audit/audit-events.ts';
import { asksForMode } from '../config/first-run.ts';
import type { SettingsSources } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import { SettingsEditor } from '../config/settings-editor.ts';
import type { SecretStore } from '../machine/secrets.ts';
import { waitingIn } from '../store/copies/waiting-counts.ts';
import type { Updates } from '../updates/updates.ts';
import type { TillOpener } from './open-till.ts';
import { watchSettingsFiles } from './watch-settings.ts';

interface SettingsStart {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly secrets: SecretStore;
  readonly sources: () => SettingsSources;
  readonly isPackaged: boolean;
  readonly asksMode: boolean;
  readonly areSettingsLost: boolean;
  readonly settingsFaults: readonly string[];
  readonly settingsDoubt: string | null;
}

/** What goes by the settings of a running agent. */
interface Followers {
  readonly till: Pick<TillOpener, 'showSaved' | 'showFiles' | 'stateChanged'>;
  readonly updates: Pick<Updates, 'useSettings'> | null;
  /** What waits in the databases that are open here. */
  readonly counts: () => Readonly<Partial<Record<Mode, Readonly<Record<OperationState, number>>>>>;
}

interface RunningSettings {
  /** Nobody changes a setting with it before the followers are connected. */
  readonly editor: SettingsEditor;
  /** Nobody has said yet which mode this till is for. */
  readonly asksMode: () => boolean;
  readonly notices: () => readonly Notice[];
  /** From here on these hear of changes. They are made with the editor, and so come later. */
  readonly connect: (followers: Followers) => void;
  readonly close: () => void;
}

/** The settings of a running agent: changed by a person through the editor, or by store IT in their files. */
export function openSettings(
  start: SettingsStart,
  { clock, audit }: { readonly clock: Clock; readonly audit: Audit },
): RunningSettings {
  let { asksMode } = start;
  let followers: Followers | null = null;
  const connected = Promise.withResolvers<void>();
  const editor = new SettingsEditor({
    sources: start.sources,
    secrets: start.secrets,
    waiting: () => waitingIn(start.dataDir, followers?.counts()),
    running: start.settings,
    isPackaged: start.isPackaged,
    onSaved(saved, names, by) {
      followers?.updates?.useSettings(saved.update);
      audit.note({ event: 'settings_changed', settings: names, by });
      if (names.includes('mode')) asksMode = false;
      followers?.till.showSaved(saved);
    },
  });
  const files = watchSettingsFiles(start, {
    clock,
    async load() {
      // A start may take longer than the first look waits; who is to follow the files must hear what they say.
      await connected.promise;
      return editor.load();
    },
    onInOrder(loaded) {
      followers?.updates?.useSettings(loaded.settings.update);
      asksMode &&= asksForMode({ isPackaged: start.isPackaged, modeSource: loaded.sources.mode ?? 'default' });
      followers?.till.showFiles(loaded);
    },
    onChanged: () => followers?.till.stateChanged(),
  });
  return {
    editor,
    asksMode: () => asksMode,
    notices: files.notices,
    connect(these) {
      followers = these;
      connected.resolve();
    },
    close: files.close,
  };
}
