import { type Problem, validate } from '../../shared/contract/problems.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Mode } from '../../shared/till/views.ts';
import { apiKeyName, readApiKeys, type SecretStore } from '../secrets.ts';
import { layerOf, mergeLayers, settingNames, valueAt, valueFromText, withoutSetting } from './layers.ts';
import { type LoadedSettings, loadSettings, type SettingSource, type SettingsSources } from './load-settings.ts';
import { readSavedSettings, writeSavedSettings } from './saved-settings.ts';
import { settingsSchema } from './settings.ts';

/** One setting as it may be shown. */
export interface SettingFact {
  readonly name: string;
  /** Of `api_key` never more than its kind and its last characters. */
  readonly value: unknown;
  readonly source: SettingSource;
  /** It cannot be changed at the till: a flag, a variable or the deployed file says it. */
  readonly locked: boolean;
}

/** Operations that still have a way to go, of one mode. */
export interface Waiting {
  readonly mode: Mode;
  readonly count: number;
}

export type ChangeOutcome =
  /** It holds from the next start on. */
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  /** What waits would go out under another key, to another address, or only in the background. */
  | { readonly kind: 'needs_confirmation'; readonly waiting: Waiting };

/** By dotted name; null takes a setting back to what it is without one. */
export type SettingsPatch = Readonly<Record<string, unknown>>;

/** Changes of these concern what waits. */
const delicate: ReadonlySet<string> = new Set(['mode', 'base_url', 'api_key']);

export interface SettingsDeskOptions {
  readonly sources: SettingsSources;
  readonly secrets: SecretStore;
  /** In the mode that holds now. */
  readonly waiting: () => Waiting;
}

/** The settings of one till, read and changed: by the screen, and by store IT. */
export class SettingsDesk {
  readonly #options: SettingsDeskOptions;

  constructor(options: SettingsDeskOptions) {
    this.#options = options;
  }

  async read(): Promise<readonly SettingFact[]> {
    const loaded = await this.#load();
    if (loaded.kind === 'refused') return [];
    return settingNames.map((name) => {
      const source = loaded.sources[name] ?? 'default';
      const value = name === 'api_key' ? keyHint(loaded.settings.api_key) : valueAt(loaded.settings, name);
      return { name, value, source, locked: isLocked(source) };
    });
  }

  /** Saves all of it or nothing. @throws what the disk or the secret store says */
  async change(patch: SettingsPatch, { isConfirmed }: { readonly isConfirmed: boolean }): Promise<ChangeOutcome> {
    const { sources, secrets, waiting } = this.#options;
    const before = await this.#load();
    const lockedOnes = Object.keys(patch).flatMap((field) => problemOfName(field, before));
    if (lockedOnes.length > 0) return { kind: 'refused', problems: lockedOnes };

    const { api_key: apiKey, ...others } = patch;
    let layer = withoutSetting(readSavedSettings(sources.dataDir), 'api_key');
    for (const [name, value] of Object.entries(others)) {
      layer = value === null ? withoutSetting(layer, name) : mergeLayers(layer, layerOf(name, value));
    }
    const checked = validate(settingsSchema, layer);
    if (checked.kind === 'invalid') return { kind: 'refused', problems: checked.problems };
    const keys = await readApiKeys(secrets);
    // A key that stood in the file until now goes on with the others.
    const fromFile = valueAt(readSavedSettings(sources.dataDir), 'api_key');
    const mode = modeAfter(before, checked.value.mode);
    if (typeof fromFile === 'string' && keys[mode] === undefined) keys[mode] = fromFile;
    if (typeof apiKey === 'string') keys[mode] = apiKey;
    if (apiKey === null) delete keys[mode];

    const after = loadSettings({ ...sources, savedInstead: layer, savedKeys: keys });
    if (after.kind === 'refused') return { kind: 'refused', problems: after.problems.map(fieldAndProblem) };
    const concerned = Object.keys(patch).some((name) => delicate.has(name) && changes(before, after, name));
    const waits = waiting();
    if (concerned && waits.count > 0 && !isConfirmed) return { kind: 'needs_confirmation', waiting: waits };
    for (const [keyMode, key] of Object.entries(keys))
      await secrets.set(apiKeyName(keyMode === 'production' ? 'production' : 'sandbox'), key);
    if (apiKey === null) await secrets.remove(apiKeyName(mode));
    writeSavedSettings(sources.dataDir, layer);
    return { kind: 'saved' };
  }

  async #load(): Promise<LoadedSettings> {
    const { sources, secrets } = this.#options;
    return loadSettings({ ...sources, savedKeys: await readApiKeys(secrets) });
  }
}

/** A value as somebody typed it, in the type of its setting. */
export function typedValue(name: string, text: string): unknown {
  return valueFromText(name, text);
}

function problemOfName(field: string, loaded: LoadedSettings): readonly Problem[] {
  if (!settingNames.includes(field)) return [{ field, problem: 'is not a known setting' }];
  const source = loaded.kind === 'loaded' ? (loaded.sources[field] ?? 'default') : 'default';
  return isLocked(source) ? [{ field, problem: `is locked: ${lockedBy[source]} says it` }] : [];
}

const lockedBy = {
  flag: 'a flag',
  environment: 'an environment variable',
  managed: 'the deployed settings file',
} as const;

function isLocked(source: SettingSource): source is keyof typeof lockedBy {
  switch (source) {
    case 'flag':
    case 'environment':
    case 'managed':
      return true;
    case 'saved':
    case 'default':
      return false;
    default:
      return assertNever(source);
  }
}

/** The mode that will hold: the till's own wish counts only where nothing stronger says one. */
function modeAfter(before: LoadedSettings, wished: Mode): Mode {
  const source = before.kind === 'loaded' ? before.sources.mode : 'default';
  return before.kind === 'loaded' && source !== undefined && isLocked(source) ? before.settings.mode : wished;
}

function changes(before: LoadedSettings, after: LoadedSettings, name: string): boolean {
  if (before.kind === 'refused' || after.kind === 'refused') return true;
  return JSON.stringify(valueAt(before.settings, name)) !== JSON.stringify(valueAt(after.settings, name));
}

/** `api_key: must start with ...`, as the settings say it, in its two parts. */
function fieldAndProblem(line: string): Problem {
  const [field = '', ...problem] = line.split(': ');
  return { field, problem: problem.join(': ') };
}

function keyHint(key: string | null): string | null {
  return key === null ? null : `${/^loyalty_pk_(?:live|test)_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;
}
