import { nearestTo } from '../../shared/lib/nearest.ts';
import {
  layerFaults,
  layerOf,
  mergeLayers,
  misplacedFaults,
  type SettingsLayer,
  settingNames,
  valueFromText,
} from './layers.ts';
import { readLayerFile } from './saved-settings.ts';

/** The end of the line that is told of a bad file. */
export const lastGoodNote = 'the last good settings are used instead.';

const environmentPrefix = 'TILLBRIDGE_';
/** Variables that are flags of the commands, not settings. */
const notSettings: ReadonlySet<string> = new Set(['TILLBRIDGE_DATA_DIR', 'TILLBRIDGE_CONFIG']);

/** What one place says: a file, the flags or the variables. */
interface Source {
  readonly layer: SettingsLayer;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export interface FileSource extends Source {
  /** There is no such file. */
  readonly isAbsent: boolean;
  /** Why it is not used as it is. */
  readonly faults: readonly string[];
  /** The same file with its last good content; null when there is none, or it is what is used already. */
  readonly before: ((problems: readonly string[]) => FileSource) | null;
}

/** What a form at the till would save, as if it were in the file. */
export function asSaved(layer: SettingsLayer): FileSource {
  return {
    layer,
    problems: [...layerFaults(layer), ...misplacedFaults(layer)],
    warnings: [],
    isAbsent: false,
    faults: [],
    before: null,
  };
}

export function fromFile(
  path: string | null,
  lastGood: SettingsLayer | null,
  rule: {
    readonly mustExist: boolean;
    readonly isManaged: boolean;
    /** Why the file must not be read; null where it may. */
    readonly notUsed: string | null;
  },
): FileSource {
  const nothing: FileSource = { layer: {}, problems: [], warnings: [], isAbsent: false, faults: [], before: null };
  if (path === null) return nothing;
  const toLastGood =
    lastGood === null
      ? null
      : (faults: readonly string[]): FileSource => {
          const lines = faults.map((fault) => `${path}: ${fault}`);
          return {
            ...nothing,
            layer: lastGood,
            faults: lines,
            warnings: [...lines, `${path}: ${lastGoodNote}`],
          };
        };
  const read = rule.notUsed === null ? readLayerFile(path) : ({ kind: 'bad', reason: rule.notUsed } as const);
  if (read.kind === 'absent' && !rule.mustExist && !isMissed(lastGood ?? {}, rule))
    return { ...nothing, isAbsent: true, before: toLastGood };
  const faults =
    read.kind === 'layer'
      ? [...layerFaults(read.layer), ...(rule.isManaged ? [] : misplacedFaults(read.layer))]
      : [read.kind === 'bad' ? read.reason : 'does not exist'];
  if (read.kind === 'layer' && faults.length === 0) return { ...nothing, layer: read.layer, before: toLastGood };
  return toLastGood?.(faults) ?? { ...nothing, problems: faults.map((fault) => `${path}: ${fault}`) };
}

/**
 * Whether a file is looked for that is gone. A deployed one may be taken away, but that must not turn production into the
 * sandbox, nor send what waits to another service. What was set at the till is never taken back by deleting the file:
 * without its prefix, two tills would share references.
 */
function isMissed(lastGood: SettingsLayer, { isManaged }: { readonly isManaged: boolean }): boolean {
  if (!isManaged) return Object.keys(lastGood).length > 0;
  return lastGood.mode === 'production' || lastGood.base_url !== undefined;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
  readonly label: string;
}

export function fromTexts(texts: readonly NamedText[]): Source {
  let layer: SettingsLayer = {};
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const { name, text, label } of texts) {
    if (!settingNames.includes(name)) {
      // Said, but no reason to stand still: the variable may belong to a newer version, or to a tool beside us.
      const near = nearestTo(name, settingNames);
      const hint = near === null ? '' : `; did you mean ${environmentNameOf(near)}?`;
      warnings.push(`${label}: is not a known setting, and is ignored${hint}`);
      continue;
    }
    const part = layerOf(name, valueFromText(name, text));
    problems.push(...layerFaults(part, label), ...misplacedFaults(part, label));
    layer = mergeLayers(layer, part);
  }
  return { layer, problems, warnings };
}

/** What the environment says of settings. A variable that a script has not filled says nothing. */
export function settingVariables(environment: Readonly<Record<string, string | undefined>>): readonly NamedText[] {
  return Object.entries(environment).flatMap(([label, text]) => {
    if (!label.startsWith(environmentPrefix) || notSettings.has(label)) return [];
    if (text === undefined || text === '') return [];
    return [{ name: label.slice(environmentPrefix.length).toLowerCase().replaceAll('__', '.'), text, label }];
  });
}

/** The variable that a setting is read from. */
export function environmentNameOf(settingName: string): string {
  return `${environmentPrefix}${settingName.replaceAll('.', '__').toUpperCase()}`;
}

export function flagName(settingName: string): string {
  return `--${settingName.slice(settingName.lastIndexOf('.') + 1).replaceAll('_', '-')}`;
}
