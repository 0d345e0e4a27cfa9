import { z } from 'zod';
import { unknownField, validate } from '../../shared/contract/problems.ts';
import { nearestTo } from '../../shared/lib/nearest.ts';
import { factsOf, type SettingFacts } from './setting-facts.ts';
import { settingsSchema, uncompiled } from './settings.ts';

/** A source's settings as it gave them: any subset, nested as in the schema. */
export type SettingsLayer = Readonly<Record<string, unknown>>;

/** A setting by its dotted name (`base_url`, `bridge.port`), with what is known of it. */
export interface SettingRow extends SettingFacts {
  readonly name: string;
  readonly defaultValue: unknown;
}

/** Every setting, in the schema's order. */
export const settingRows: readonly SettingRow[] = rowsIn(settingsSchema, '', settingsSchema.parse({}, uncompiled));
export const settingNames: readonly string[] = settingRows.map(({ name }) => name);

const secrets: ReadonlySet<string> = new Set(settingRows.filter((row) => row.isSecret).map(({ name }) => name));

/** Whether it is read from standard input alone, and never told. */
export const isSecret = (name: string): boolean => secrets.has(name);

const managedOnly: readonly string[] = settingRows.filter((row) => row.managedOnly).map(({ name }) => name);

/** What may stand in the deployed settings file alone, and stands in another layer: one line each. */
export function misplacedFaults(layer: SettingsLayer, label?: string): readonly string[] {
  return managedOnly
    .filter((name) => valueAt(layer, name) !== undefined)
    .map((name) => `${label ?? name}: may be only in the settings file that store IT deploys`);
}

/** Without what may stand in the deployed settings file alone. */
export function withoutMisplaced(layer: SettingsLayer): SettingsLayer {
  return managedOnly.reduce(withoutSetting, layer);
}

/** Its value as it is told to store IT. */
export function inWords(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What it does, without the marks of the documents. */
export const plainHelp = ({ help }: SettingRow): string => help.replaceAll('`', '');

/** A layer of one setting. */
export function layerOf(name: string, value: unknown): SettingsLayer {
  const [first = '', ...rest] = name.split('.');
  return { [first]: rest.length === 0 ? value : layerOf(rest.join('.'), value) };
}

/** What a layer says of one setting; undefined when it says nothing. */
export function valueAt(layer: SettingsLayer, name: string): unknown {
  return name.split('.').reduce<unknown>((part, key) => (isLayer(part) ? part[key] : undefined), layer);
}

/** A layer that says nothing of one setting any more. */
export function withoutSetting(layer: SettingsLayer, name: string): SettingsLayer {
  const [first = '', ...rest] = name.split('.');
  const { [first]: below, ...others } = layer;
  if (rest.length === 0 || !isLayer(below)) return others;
  const left = withoutSetting(below, rest.join('.'));
  return Object.keys(left).length === 0 ? others : { ...others, [first]: left };
}

/** The settings of both, those of `stronger` first. */
export function mergeLayers(weaker: SettingsLayer, stronger: SettingsLayer): SettingsLayer {
  const merged: Record<string, unknown> = { ...weaker };
  for (const [key, value] of Object.entries(stronger)) {
    const below = merged[key];
    merged[key] = isLayer(below) && isLayer(value) ? mergeLayers(below, value) : value;
  }
  return merged;
}

export function isLayer(value: unknown): value is SettingsLayer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A setting written as text (a flag, an environment variable) in the type that the schema asks for. What is not of
 * that type stays text, so that validation names it. Lists are separated by commas; an empty text is null.
 */
export function valueFromText(name: string, text: string): unknown {
  const schema = schemaOf(name);
  if (schema instanceof z.ZodArray) return text === '' ? [] : text.split(',').map((part) => part.trim());
  if (text === '') return null;
  if (schema instanceof z.ZodNumber) return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}

/**
 * Everything that is wrong with a layer's fields, one line each.
 *
 * @param label stands in the lines instead of the fields' own names
 */
export function layerFaults(layer: SettingsLayer, label?: string): readonly string[] {
  const validated = validate(settingsSchema, layer, '', Number.POSITIVE_INFINITY, uncompiled);
  if (validated.kind === 'valid') return [];
  return validated.problems.map(({ field, problem }) =>
    problem === unknownField ? `${label ?? field}: ${problem}${meant(field)}` : `${label ?? field}: ${problem}`,
  );
}

/** For a name that no setting has: the end of the line that tells which was meant; empty where none is near. */
export function meant(name: string): string {
  // `bridge.port` is how the documents write it; in a file it is an object within another.
  if (settingNames.includes(name)) return `; in a file it is ${JSON.stringify(layerOf(name, 0)).replace('0', 'VALUE')}`;
  const near = nearestTo(name, settingNames);
  return near === null ? '' : `; did you mean ${near}?`;
}

function schemaOf(name: string): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = settingsSchema;
  for (const part of name.split('.')) {
    const object: z.core.$ZodType | undefined = schema && unwrap(schema);
    schema = object instanceof z.ZodObject ? object.shape[part] : undefined;
  }
  return schema && unwrap(schema);
}

function rowsIn(schema: z.core.$ZodType, prefix: string, defaults: SettingsLayer): readonly SettingRow[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject))
    return [{ ...factsOf(schema), name: prefix, defaultValue: valueAt(defaults, prefix) }];
  return Object.entries<z.core.$ZodType>(inner.shape).flatMap(([key, part]) =>
    rowsIn(part, prefix === '' ? key : `${prefix}.${key}`, defaults),
  );
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  return schema;
}
