import { type Problem, validate } from '../../shared/contract/problems.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { oneByOne } from '../../shared/lib/one-by-one.ts';
import { keyPrefix, modeOfKey } from '../../shared/till/key-prefix.ts';
import type { Locale } from '../../shared/till/locales.ts';
import { type Mode, modes } from '../../shared/till/modes.ts';
import type { WaitingByMode } from '../../shared/till/settings-views.ts';
import { type KeptKeys, readApiKeys, type SecretStore } from '../machine/secrets.ts';
import { bound, boundBefore, moveKeys, patchedKeys } from './changed-keys.ts';
import { asksForMode } from './first-run.ts';
import { type Held, heldSettings } from './held-settings.ts';
import { keepAsLastGood, readLastGood, saveSetting } from './last-good.ts';
import {
  layerOf,
  meant,
  mergeLayers,
  misplacedFaults,
  type SettingsLayer,
  settingNames,
  settingRows,
  valueAt,
  withoutSetting,
} from './layers.ts';
import { type LoadedSettings, loadSettings, type SettingSource, type SettingsSources } from './load-settings.ts';
import { readLayerFile, savedSettingsPath, writeSavedSettings } from './saved-settings.ts';
import { originOf } from './service-address.ts';
import { type Settings, settingsSchema, uncompiled } from './settings.ts';

/** One setting as it may be shown. */
export interface SettingFact {
  readonly name: string;
  /** Of `api_key` never more than its kind and its last characters. */
  readonly value: unknown;
  readonly source: SettingSource;
  /** It cannot be changed at the till: a flag, a variable or the deployed file says it. */
  readonly locked: boolean;
}

/** The settings as they will hold from the next start on. */
interface SettingsView {
  /** Empty when they refuse a start; `problems` then say why. */
  readonly settings: readonly SettingFact[];
  readonly problems: readonly Problem[];
  /** Bad files whose last good content is used, and names that no setting has. */
  readonly warnings: readonly string[];
  readonly waiting: WaitingByMode;
  /** The running agent was started with others. */
  readonly restart_needed: boolean;
  /** Nobody has said yet which mode this till is for. */
  readonly asks_mode: boolean;
}

export type ChangeOutcome =
  | { readonly kind: 'saved'; readonly restart_needed: boolean }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  /** What waits would go out under another key, to another address, or only in the background. */
  | { readonly kind: 'needs_confirmation'; readonly waiting: WaitingByMode };

type PreviewOutcome =
  | { readonly kind: 'fits'; readonly settings: Settings; readonly isKeySealed: boolean }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

type Prepared =
  | {
      readonly kind: 'prepared';
      readonly before: LoadedSettings;
      readonly after: Extract<LoadedSettings, { kind: 'loaded' }>;
      readonly layer: SettingsLayer;
      readonly keysBefore: KeptKeys;
      readonly keysAfter: KeptKeys;
    }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** By dotted name; null takes a setting back to what it is without one. */
export type SettingsPatch = Readonly<Record<string, unknown>>;

export interface SettingsEditorOptions {
  /** Asked each time: a deployed file comes, goes or gets other rights while an agent runs. */
  readonly sources: () => SettingsSources;
  readonly secrets: SecretStore;
  readonly waiting: () => WaitingByMode;
  /** What the agent was started with; null while none runs. */
  readonly running: Settings | null;
  /** See first-run.ts. */
  readonly isPackaged: boolean;
  /** @param names of the settings that were named @param by who changed them: both for the audit log */
  readonly onSaved?: (settings: Settings, names: readonly string[], by: string | null) => void;
}

/** The settings of one till, read and changed: by the screen, and by store IT. */
export class SettingsEditor {
  readonly #options: SettingsEditorOptions;
  readonly #oneByOne = oneByOne();

  constructor(options: SettingsEditorOptions) {
    this.#options = options;
  }

  async read(): Promise<SettingsView> {
    const loaded = await this.load();
    const { isPackaged, waiting } = this.#options;
    if (loaded.kind === 'refused') {
      return {
        settings: [],
        problems: loaded.problems.map(fieldAndProblem),
        warnings: [],
        waiting: waiting(),
        restart_needed: false,
        asks_mode: false,
      };
    }
    return {
      settings: settingNames.map((name) => {
        const source = sourceOf(loaded, name);
        return { name, value: shownValue(loaded, name), source, locked: isLocked(source) };
      }),
      problems: [],
      warnings: loaded.warnings,
      waiting: waiting(),
      restart_needed: this.#needsRestart(loaded.settings),
      asks_mode: asksForMode({ isPackaged, modeSource: sourceOf(loaded, 'mode') }),
    };
  }

  /** What a start would take at this moment. @throws SecretsError */
  async load(sources = this.#options.sources()): Promise<LoadedSettings> {
    return loadSettings({ ...sources, savedKeys: await readApiKeys(this.#options.secrets) });
  }

  /** What the running agent was started with; while none runs, what a start would take. */
  async held(): Promise<Held> {
    const loaded = await this.load();
    const needsRestart = loaded.kind === 'loaded' && this.#needsRestart(loaded.settings);
    return heldSettings(loaded, { running: this.#options.running, needsRestart });
  }

  /** Saves all of it or nothing. @throws SecretsError, or what the file system says of a file that cannot be written */
  change(
    patch: SettingsPatch,
    { isConfirmed, by = null }: { readonly isConfirmed: boolean; readonly by?: string | null },
  ): Promise<ChangeOutcome> {
    return this.#oneByOne(() => this.#change(patch, { isConfirmed, by }));
  }

  /** The language of the screen, for the next start. @throws when it cannot be added to what was saved before */
  saveLocale(locale: Locale): Promise<void> {
    return this.#oneByOne(async () => saveSetting(this.#options.sources().dataDir, 'locale', locale));
  }

  async #change(
    patch: SettingsPatch,
    { isConfirmed, by }: { readonly isConfirmed: boolean; readonly by: string | null },
  ): Promise<ChangeOutcome> {
    const prepared = await this.#prepare(patch);
    if (prepared.kind === 'refused') return prepared;
    const { before, after } = prepared;
    const concerned = concernedWaiting({ before, after, waiting: this.#options.waiting() });
    // Also where nobody knows how many: a database that cannot be read now may hold some.
    if (!isConfirmed && modes.some((one) => concerned[one] !== 0))
      return { kind: 'needs_confirmation', waiting: concerned };

    await this.#save(prepared);
    this.#options.onSaved?.(after.settings, Object.keys(patch), by);
    return { kind: 'saved', restart_needed: this.#needsRestart(after.settings) };
  }

  /** What would hold after a change; nothing is saved. @throws SecretsError */
  async preview(patch: SettingsPatch): Promise<PreviewOutcome> {
    const prepared = await this.#prepare(patch);
    if (prepared.kind === 'refused') return prepared;
    const { settings, isKeySealed } = prepared.after;
    return { kind: 'fits', settings, isKeySealed };
  }

  async #prepare(patch: SettingsPatch): Promise<Prepared> {
    const { secrets } = this.#options;
    const sources = this.#options.sources();
    const { dataDir } = sources;
    const before = await this.load(sources);
    const start = startingLayer(dataDir, before);
    if (start.kind === 'bad') return { kind: 'refused', problems: [{ field: '', problem: start.reason }] };
    const unfit = Object.entries(patch).flatMap(([name, value]) =>
      problemOf(name, value, { before, saved: start.layer }),
    );
    if (unfit.length > 0) return { kind: 'refused', problems: unfit };

    const layer = patchedLayer(start.layer, patch);
    const checked = validate(settingsSchema, layer, '', Number.POSITIVE_INFINITY, uncompiled);
    if (checked.kind === 'invalid') return { kind: 'refused', problems: checked.problems };
    const keysBefore = await readApiKeys(secrets);
    const mode = modeAfter(before, checked.value.mode);
    const keyOfFile = valueAt(start.layer, 'api_key');
    const keysAfter = patchedKeys(boundBefore(keysBefore, before, keyOfFile), {
      mode,
      apiKey: patch.api_key,
      keyOfFile,
    });

    const after = loadSettings({ ...sources, savedInstead: layer, savedKeys: keysAfter });
    if (after.kind === 'refused') return { kind: 'refused', problems: after.problems.map(fieldAndProblem) };
    const misdirected = misdirectedKey(before, after);
    if (misdirected !== null) return { kind: 'refused', problems: [fieldAndProblem(misdirected)] };
    return { kind: 'prepared', before, after, layer, keysBefore, keysAfter: bound(keysAfter, after) };
  }

  async #save({ before, layer, keysBefore, keysAfter }: Extract<Prepared, { kind: 'prepared' }>): Promise<void> {
    const { secrets } = this.#options;
    const { dataDir } = this.#options.sources();
    await moveKeys(secrets, keysBefore, keysAfter);
    try {
      writeSavedSettings(dataDir, layer);
    } catch (error) {
      await moveKeys(secrets, keysAfter, keysBefore);
      throw error;
    }
    // Where it is lost, what is used now: else a deployed file that goes is not missed at the next start.
    const files = before.kind === 'loaded' ? before.files : { managed: {} };
    keepAsLastGood(dataDir, { ...(readLastGood(dataDir) ?? files), saved: layer });
  }

  #needsRestart(next: Settings): boolean {
    const { running } = this.#options;
    return running !== null && settingRows.some((row) => row.holdsAtOnce !== true && differs(running, next, row.name));
  }
}

/** What the till's own layer is before a change; a file that cannot be read is not overwritten. */
function startingLayer(
  dataDir: string,
  before: LoadedSettings,
): { readonly kind: 'layer'; readonly layer: SettingsLayer } | { readonly kind: 'bad'; readonly reason: string } {
  const path = savedSettingsPath(dataDir);
  const read = readLayerFile(path);
  if (read.kind === 'bad') return { kind: 'bad', reason: `${path} ${read.reason}; correct the file, or delete it` };
  if (read.kind === 'layer') return read;
  return { kind: 'layer', layer: before.kind === 'loaded' ? before.files.saved : {} };
}

function patchedLayer(layer: SettingsLayer, patch: SettingsPatch): SettingsLayer {
  const { api_key: _inTheSecretStore, ...others } = patch;
  return Object.entries(others).reduce<SettingsLayer>(
    (rest, [name, value]) =>
      value === null ? withoutSetting(rest, name) : mergeLayers(withoutSetting(rest, name), layerOf(name, value)),
    withoutSetting(layer, 'api_key'),
  );
}

/** Why a change would send a key to another origin than it was given for; null when it would not. */
function misdirectedKey(before: LoadedSettings, after: Extract<LoadedSettings, { kind: 'loaded' }>): string | null {
  const { base_url } = after.settings;
  if (base_url === null) return null;
  if (after.keyTrouble !== null) return after.keyTrouble;
  const source = sourceOf(after, 'api_key');
  if (before.kind === 'refused' || !isLocked(source)) return null;
  const from = originOf(before.settings.base_url);
  if (before.settings.mode !== after.settings.mode || from === originOf(base_url)) return null;
  return `base_url: cannot change: the API key comes from ${lockedBy[source]}, which must name the address, too`;
}

function problemOf(
  field: string,
  value: unknown,
  { before, saved }: { readonly before: LoadedSettings; readonly saved: SettingsLayer },
): readonly Problem[] {
  const isLeftOver = value === null && valueAt(saved, field) !== undefined;
  if (!settingNames.includes(field))
    return isLeftOver ? [] : [{ field, problem: `is not a known setting${meant(field)}` }];
  const source = sourceOf(before, field);
  if (isLocked(source)) return [{ field, problem: `is locked: set by ${lockedBy[source]}` }];
  const misplaced = value === null ? undefined : misplacedFaults(layerOf(field, value))[0];
  if (misplaced !== undefined) return [fieldAndProblem(misplaced)];
  if (field === 'api_key' && value !== null && (typeof value !== 'string' || value === '')) {
    return [{ field, problem: 'must be an API key, or null to remove the key' }];
  }
  return [];
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
    case 'last_start':
    case 'default':
      return false;
    default:
      return assertNever(source);
  }
}

function sourceOf(loaded: LoadedSettings, name: string): SettingSource {
  return loaded.kind === 'loaded' ? (loaded.sources[name] ?? 'default') : 'default';
}

/** The mode that will hold: the till's own wish counts only where nothing stronger says one. */
function modeAfter(before: LoadedSettings, wished: Mode): Mode {
  return before.kind === 'loaded' && isLocked(sourceOf(before, 'mode')) ? before.settings.mode : wished;
}

/** What waits in the modes that a change of key, address or mode is about; zero in the others. */
function concernedWaiting(facts: {
  readonly before: LoadedSettings;
  readonly after: Extract<LoadedSettings, { kind: 'loaded' }>;
  readonly waiting: WaitingByMode;
}): WaitingByMode {
  const { before, after, waiting } = facts;
  if (before.kind === 'refused') return waiting;
  const isDelicate = settingRows.some(
    (row) => row.concernsWaiting && differs(before.settings, after.settings, row.name),
  );
  const concerned = isDelicate ? [before.settings.mode, after.settings.mode] : [];
  const inMode = (mode: Mode) => (concerned.includes(mode) ? waiting[mode] : 0);
  return { sandbox: inMode('sandbox'), production: inMode('production') };
}

function differs(one: Settings, other: Settings, name: string): boolean {
  return JSON.stringify(valueAt(one, name)) !== JSON.stringify(valueAt(other, name));
}

/** `api_key: must start with ...`, as the settings say it, in its two parts. */
function fieldAndProblem(line: string): Problem {
  const [field = '', ...problem] = line.split(': ');
  return { field, problem: problem.join(': ') };
}

function shownValue(loaded: Extract<LoadedSettings, { kind: 'loaded' }>, name: string): unknown {
  if (name !== 'api_key') return valueAt(loaded.settings, name);
  if (loaded.isKeySealed || loaded.keyTrouble !== null) return 'sealed';
  const key = loaded.settings.api_key;
  if (key === null) return null;
  const mode = modeOfKey(key);
  return `${mode === null ? '' : keyPrefix[mode]}…${key.slice(-4)}`;
}
