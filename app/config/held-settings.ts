import type { LoadedSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';

/** The settings that hold, without the key: of the running agent as it was started, or what a start would load now. */
interface HeldSettings
  extends Pick<
    Extract<LoadedSettings, { kind: 'loaded' }>,
    'sources' | 'isKeySealed' | 'keyTrouble' | 'warnings' | 'fileFaults' | 'fileDoubt' | 'areLost'
  > {
  readonly settings: Omit<Settings, 'api_key'>;
  readonly hasApiKey: boolean;
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
