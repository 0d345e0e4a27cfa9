import type { LoadedSettings, SettingSource } from './load-settings.ts';
import type { Settings } from './settings.ts';

/** The settings that hold, without the key: of the running agent as it was started, or what a start would load now. */
interface HeldSettings {
  readonly settings: Omit<Settings, 'api_key'>;
  /** By dotted name, as the files, the flags and the variables say it now. */
  readonly sources: Readonly<Record<string, SettingSource>>;
  readonly hasApiKey: boolean;
  /** The operating system keeps the key for a program of one user. */
  readonly isKeySealed: boolean;
  /** The key may not go to this address: what to tell. Null: it may. */
  readonly keyTrouble: string | null;
  readonly warnings: readonly string[];
  /** What of them is wrong with files, whose last good content is used. */
  readonly fileFaults: readonly string[];
  /** A file is used that could not be checked: one line; else null. */
  readonly fileDoubt: string | null;
  /** The files and what they said before cannot be used: these are defaults, in the last known mode. */
  readonly areLost: boolean;
  /** The running agent was started with others than those of now. */
  readonly needsRestart: boolean;
}

export type Held =
  | ({ readonly kind: 'held' } & HeldSettings)
  /** A start would be refused, and none runs. One line each. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/**
 * @param loaded as they are now
 * @param running what the agent was started with; null while none runs
 */
export function heldSettings(
  loaded: LoadedSettings,
  { running, needsRestart }: { readonly running: Settings | null; readonly needsRestart: boolean },
): Held {
  if (loaded.kind === 'refused' && running === null) return loaded;
  const used = running ?? (loaded.kind === 'loaded' ? loaded.settings : null);
  if (used === null) return { kind: 'refused', problems: [] };
  const { api_key: apiKey, ...settings } = used;
  const now = loaded.kind === 'loaded' ? loaded : refusedNow(loaded.problems);
  return {
    kind: 'held',
    settings,
    sources: now.sources,
    hasApiKey: apiKey !== null,
    isKeySealed: apiKey === null && now.isKeySealed,
    keyTrouble: apiKey === null ? now.keyTrouble : null,
    warnings: now.warnings,
    fileFaults: now.fileFaults,
    fileDoubt: now.fileDoubt,
    areLost: now.areLost,
    needsRestart,
  };
}

/** The running agent goes on; its next start would be refused. */
function refusedNow(problems: readonly string[]) {
  return {
    sources: {},
    isKeySealed: false,
    keyTrouble: null,
    warnings: problems,
    fileFaults: problems,
    fileDoubt: null,
    areLost: false,
  };
}
