import type { KeptKeys } from '../machine/secrets.ts';
import { keyProblem } from './key-kind.ts';
import { type FileLayers, readLastGood } from './last-good.ts';
import { hadService, readLastStart } from './last-start.ts';
import {
  layerFaults,
  layerOf,
  mergeLayers,
  type SettingsLayer,
  settingNames,
  valueAt,
  withoutMisplaced,
  withoutSetting,
} from './layers.ts';
import { readLayerFile, savedSettingsPath } from './saved-settings.ts';
import { addressProblem, feedProblem, keyIsForAnother, originOf, pinsProblem } from './service-address.ts';
import { type Settings, settingsSchema, uncompiled } from './settings.ts';
import { asSaved, type FileSource, flagName, fromFile, fromTexts, settingVariables } from './settings-sources.ts';

/** What store IT does about a file that could not be checked. */
export const fileDoubtAdvice = 'Look at its rights. A file that --config or TILLBRIDGE_CONFIG names is not checked';

/** Whether a managed file is used; a line where somebody has to know. */
export type ManagedStanding =
  | { readonly kind: 'used' }
  /** The system does not say who may change it. A till that sold yesterday goes on selling. */
  | { readonly kind: 'unchecked'; readonly line: string }
  | { readonly kind: 'not_used'; readonly line: string };

export interface SettingsSources {
  readonly dataDir: string;
  /** By dotted name, as text. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A file that store IT deploys or names. */
  readonly managedFile: string | null;
  /** Where a deployed file belongs, whether it is there or not; absent where one was named. */
  readonly deployedPlace?: string;
  /** Of a deployed file. One that was named is used. */
  readonly managedStanding?: ManagedStanding;
  /** API keys that were set at the till, from the secret store; weaker than any other. */
  readonly savedKeys?: KeptKeys;
  /** Instead of what the app saved: what it would save. */
  readonly savedInstead?: SettingsLayer;
}

/**
 * Where a setting comes from, strongest first. A flag, a variable and the managed file lock it at the till. `last_start`
 * is what an agent was last started with: the mode, address and currency of a till whose files are lost.
 */
export type SettingSource = 'flag' | 'environment' | 'managed' | 'saved' | 'last_start' | 'default';

export type LoadedSettings =
  | {
      readonly kind: 'loaded';
      readonly settings: Settings;
      /** By dotted name. */
      readonly sources: Readonly<Record<string, SettingSource>>;
      /** What of the files is used. */
      readonly files: FileLayers;
      /** The API key is kept at the till and cannot be read here: sales are saved, and not sent. */
      readonly isKeySealed: boolean;
      /**
       * The same of a key that was entered for another address than base_url: what to tell; null when it goes there. A
       * sealed key may be for another address, too.
       */
      readonly keyTrouble: string | null;
      /** Lines for the person who started it: bad files whose last good content is used instead. */
      readonly warnings: readonly string[];
      /** What of them is wrong with files. */
      readonly fileFaults: readonly string[];
      /** A file is used that could not be checked: one line; else null. */
      readonly fileDoubt: string | null;
      /** The files and what they said before cannot be used: these are defaults, in the last known mode. */
      readonly areLost: boolean;
    }
  /** One line each. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/**
 * The settings that hold, strongest first: flags, environment, the managed file, what the app saved, defaults. A bad
 * file names every bad field and its last good content is used, also when each field is good and they do not go
 * together. A bad flag or variable refuses the start. A bad file with no good one before it does so at the first start
 * only: later, sales are taken with its good fields and defaults, in the last known mode. Changes nothing: whoever starts with them keeps them as the last good ones (last-good.ts).
 */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const { dataDir, managedFile, savedKeys = noKeys, savedInstead } = sources;
  const lastGood = readLastGood(dataDir);
  const lostFile = managedFile === null ? lostManagedFile(sources, lastGood) : null;
  const managed = fromFile(managedFile ?? lostFile, lastGood?.managed ?? null, {
    mustExist: managedFile !== null,
    isManaged: true,
    notUsed: whyNotUsed(sources),
  });
  const flags = fromTexts(Object.entries(sources.flags).map(([name, text]) => ({ name, text, label: flagName(name) })));
  const environment = fromTexts(settingVariables(sources.environment));
  const isServiceForgotten =
    lastGood === null && ![flags, environment, managed].some(saysService) && hadService(dataDir);
  const savedFile = fromFile(savedSettingsPath(dataDir), lastGood?.saved ?? null, {
    mustExist: isServiceForgotten,
    isManaged: false,
    notUsed: null,
  });
  const saved = savedInstead === undefined ? savedFile : asSaved(savedInstead);
  const ofThisStart = [...flags.problems, ...environment.problems];
  if (ofThisStart.length > 0) {
    return { kind: 'refused', problems: [...ofThisStart, ...managed.problems, ...saved.problems] };
  }
  const ofFiles = [...managed.problems, ...saved.problems];
  const unlessLost = (problems: readonly string[]): LoadedSettings =>
    (savedInstead === undefined
      ? withoutFiles(sources, { flag: flags.layer, environment: environment.layer, savedKeys, problems })
      : null) ?? { kind: 'refused', problems };
  if (ofFiles.length > 0) return unlessLost(ofFiles);
  // It stood in a file that is gone, and its last good content is gone with it. Who takes it away now does so on purpose.
  if (isServiceForgotten && ![saved, savedFile].some(saysService))
    return unlessLost(['mode: no file says it any more; set it again']);
  const stronger = mergeLayers(environment.layer, flags.layer);
  const fitting = firstThatFits({ managed, saved }, { stronger, savedKeys });
  if (fitting.kind === 'refused') {
    // The setting that is missing may have stood in a file that is gone, and its last good content is gone with it.
    const isFileLost = lastGood === null && saved.isAbsent && hadService(dataDir);
    return isFileLost
      ? unlessLost([`${savedSettingsPath(dataDir)}: does not exist`, ...fitting.problems])
      : { kind: 'refused', problems: fitting.problems };
  }
  const { files, settings } = fitting;
  const { managed: usedManaged, saved: usedSaved } = files;
  const layers = {
    flag: flags.layer,
    environment: environment.layer,
    managed: usedManaged.layer,
    saved: usedSaved.layer,
    last_start: {},
  };
  const isMissed = settings.api_key === null && settings.base_url !== null;
  const keyTrouble = isMissed ? troubleOfKey(settings, savedKeys) : null;
  const isKeySealed = settings.api_key === null && savedKeys.sealed.includes(settings.mode);
  return {
    kind: 'loaded',
    settings,
    sources: sourcesOf(layers, isKeySealed || savedKeys.keys[settings.mode] !== undefined),
    files: { ...fileOf(managedFile ?? lostFile), managed: usedManaged.layer, saved: usedSaved.layer },
    isKeySealed,
    keyTrouble,
    warnings: [...environment.warnings, ...usedManaged.warnings, ...usedSaved.warnings],
    fileFaults: [...usedManaged.faults, ...usedSaved.faults],
    fileDoubt: fileDoubtOf(sources),
    areLost: false,
  };
}

function saysService({ layer }: { readonly layer: SettingsLayer }): boolean {
  return layer.mode !== undefined || layer.base_url !== undefined;
}

/** The deployed file, where there was one at the last start: removed, or not yet written again by who deploys it. */
function lostManagedFile({ deployedPlace }: SettingsSources, lastGood: FileLayers | null): string | null {
  return deployedPlace !== undefined && lastGood?.managed_file === deployedPlace ? deployedPlace : null;
}

/** Why the managed file is not used, whatever it says; null where it is. */
function whyNotUsed({ managedStanding }: SettingsSources): string | null {
  return managedStanding?.kind === 'not_used' ? managedStanding.line : null;
}

/** What could not be checked about the managed file, which is used all the same. */
function fileDoubtOf({ managedFile, managedStanding }: SettingsSources): string | null {
  return managedStanding?.kind === 'unchecked' ? `${managedFile}: ${managedStanding.line}` : null;
}

function fileOf(path: string | null): Pick<FileLayers, 'managed_file'> {
  return path === null ? {} : { managed_file: path };
}

/** No name resolves to it: what is saved waits until somebody sets the address. */
const unknownAddress = 'https://address-unknown.invalid/v1';

/** The settings with which a till sells whose files are lost. @returns null where no agent ever ran */
function withoutFiles(
  sources: SettingsSources,
  {
    flag,
    environment,
    savedKeys,
    problems,
  }: {
    readonly flag: SettingsLayer;
    readonly environment: SettingsLayer;
    readonly savedKeys: KeptKeys;
    readonly problems: readonly string[];
  },
): LoadedSettings | null {
  const { dataDir, managedFile } = sources;
  const { mode, ...known } = readLastStart(dataDir) ?? {};
  if (mode === undefined) return null;
  const managed = managedFile === null || whyNotUsed(sources) !== null ? {} : goodFields(readLayerFile(managedFile));
  const saved = withoutMisplaced(goodFields(readLayerFile(savedSettingsPath(dataDir))));
  // The mode is never taken from what is left of a damaged file: from a flag, a variable or the last start alone.
  const layers = {
    flag,
    environment,
    managed: withoutSetting(managed, 'mode'),
    saved: withoutSetting(saved, 'mode'),
    last_start: { ...known, mode },
  };
  const weakerFirst = [layers.last_start, layers.saved, layers.managed, layers.environment, layers.flag];
  const layer = weakerFirst.reduce<SettingsLayer>(mergeLayers, {});
  const parsed = settingsSchema.parse(layer, uncompiled);
  const base_url = parsed.base_url ?? (parsed.mode === 'production' ? unknownAddress : null);
  const key = parsed.api_key ?? keyFor({ ...parsed, base_url }, savedKeys);
  const isFit =
    base_url === null || (addressProblem(parsed.mode, base_url) ?? pinsProblem(base_url, parsed.tls.pins)) === null;
  const settings: Settings = {
    ...parsed,
    base_url,
    api_key: isFit && key !== null && keyProblem(parsed.mode, key) === null ? key : null,
  };
  return {
    kind: 'loaded',
    settings,
    sources: sourcesOf(layers, key !== null),
    files: { ...fileOf(managedFile), managed, saved: mergeLayers(saved, { mode }) },
    isKeySealed: settings.api_key === null && settings.base_url !== null,
    keyTrouble: null,
    warnings: [...problems, `The settings are lost. The till sells with defaults, in ${settings.mode} mode.`],
    fileFaults: problems,
    fileDoubt: fileDoubtOf(sources),
    areLost: true,
  };
}

/** The fields of a bad file that are good. */
function goodFields(read: ReturnType<typeof readLayerFile>): SettingsLayer {
  if (read.kind !== 'layer') return {};
  const { layer } = read;
  return settingNames.reduce<SettingsLayer>((good, name) => {
    const value = valueAt(layer, name);
    const part = value === undefined ? {} : layerOf(name, value);
    return layerFaults(part).length === 0 ? mergeLayers(good, part) : good;
  }, {});
}

const noKeys: KeptKeys = { keys: {}, sealed: [], origins: {} };

/** The key that is kept at the till, where it may go to the address that holds; else null. */
function keyFor(settings: Settings, savedKeys: KeptKeys): string | null {
  return troubleOfKey(settings, savedKeys) === null ? (savedKeys.keys[settings.mode] ?? null) : null;
}

/** The embedded sandbox has a key of its own: one for another address is not missed there. */
function troubleOfKey({ mode, base_url }: Settings, { origins }: KeptKeys): string | null {
  const origin = origins[mode];
  return origin === undefined || origin === originOf(base_url) ? null : keyIsForAnother(origin, base_url);
}

function sourcesOf(
  layers: Readonly<Record<Exclude<SettingSource, 'default'>, SettingsLayer>>,
  hasSavedKey: boolean,
): Readonly<Record<string, SettingSource>> {
  const order = ['flag', 'environment', 'managed', 'saved', 'last_start'] as const;
  return Object.fromEntries(
    settingNames.map((name) => {
      const source = order.find((one) => valueAt(layers[one], name) !== undefined);
      return [name, source ?? (name === 'api_key' && hasSavedKey ? 'saved' : 'default')];
    }),
  );
}

interface Files {
  readonly managed: FileSource;
  readonly saved: FileSource;
}

type Fitting =
  | { readonly kind: 'fits'; readonly files: Files; readonly settings: Settings }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** The files as they are; where they do not fit, as few of them as possible with their last good content. */
function firstThatFits(files: Files, others: Others): Fitting {
  const now = combine(files, others);
  if (now.kind === 'fits') return now;
  const managed = files.managed.before?.(now.problems);
  const saved = files.saved.before?.(now.problems);
  for (const before of [{ managed }, { saved }, { managed, saved }]) {
    const changed = { managed: before.managed ?? files.managed, saved: before.saved ?? files.saved };
    const then = combine(changed, others);
    if (then.kind === 'fits') return then;
  }
  return now;
}

interface Others {
  readonly stronger: SettingsLayer;
  readonly savedKeys: KeptKeys;
}

function combine(files: Files, { stronger, savedKeys }: Others): Fitting {
  const parsed = settingsSchema.parse(
    mergeLayers(mergeLayers(files.saved.layer, files.managed.layer), stronger),
    uncompiled,
  );
  const settings = { ...parsed, api_key: parsed.api_key ?? keyFor(parsed, savedKeys) };
  const isForAnother = settings.api_key === null && troubleOfKey(settings, savedKeys) !== null;
  const hasSealedKey = savedKeys.sealed.includes(parsed.mode) || isForAnother;
  const problems = unfitForMode(settings, { hasSealedKey });
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'fits', files, settings };
}

function unfitForMode(
  { mode, base_url, api_key, tls, update }: Settings,
  { hasSealedKey }: { readonly hasSealedKey: boolean },
): readonly string[] {
  const problems: string[] = [];
  if (mode === 'production' && base_url === null) problems.push('base_url: is needed in production mode');
  const unfitAddress = base_url === null ? null : (addressProblem(mode, base_url) ?? pinsProblem(base_url, tls.pins));
  if (unfitAddress !== null) problems.push(unfitAddress);
  const unfitFeed = update.feed === null ? null : feedProblem(mode, update.feed);
  if (unfitFeed !== null) problems.push(unfitFeed);
  if (api_key === null) {
    if (mode === 'production' && !hasSealedKey) problems.push('api_key: is needed for a service');
    if (mode === 'sandbox' && base_url !== null && !hasSealedKey) {
      problems.push(
        `api_key: is needed for the service ${base_url}; without base_url, the built-in sandbox needs no key`,
      );
    }
  } else {
    const problem = keyProblem(mode, api_key);
    if (problem !== null) problems.push(problem);
  }
  return problems;
}
