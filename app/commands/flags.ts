import { parseArgs } from 'node:util';
import { nearestTo } from '../../shared/lib/nearest.ts';

export interface FlagSpec {
  /** Without the dashes. */
  readonly name: string;
  /** What stands after it (`PORT`); null for a switch. */
  readonly value: string | null;
  readonly help: string;
}

type ParsedFlags =
  | {
      readonly kind: 'parsed';
      readonly values: ReadonlyMap<string, string>;
      readonly switches: ReadonlySet<string>;
      /** What stands there without a dash, as many as were asked for. */
      readonly words: readonly string[];
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

/**
 * Reads a command's flags; every wrong one is named.
 *
 * @param wordNames what else has to stand there (`REF`), each once; a last one that ends in `...` any number of times
 */
export function parseFlags(
  argv: readonly string[],
  specs: readonly FlagSpec[],
  wordNames: readonly string[] = [],
): ParsedFlags {
  const options = Object.fromEntries(
    [...specs, { name: 'help', value: null }].map(({ name, value }) => [
      name,
      { type: value === null ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: argv.map(asWord),
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const problems: string[] = [];
  const words: string[] = [];
  const takesMore = wordNames.at(-1)?.endsWith('...') === true;
  const needed = takesMore ? wordNames.slice(0, -1) : wordNames;
  // What stands behind an unknown flag is mostly its value: one mistake is told once.
  let isUnknownBefore = false;
  for (const token of tokens) {
    const isValueOfUnknown = isUnknownBefore;
    isUnknownBefore = false;
    if (token.kind === 'positional') {
      const word = asGiven(token.value);
      if (/^-[\d.]+$/.test(word)) problems.push(`${word}: a number below zero is not possible here`);
      else if (takesMore || words.length < needed.length) words.push(word);
      else if (!isValueOfUnknown)
        problems.push(`${word}: is not ${word.startsWith('-') ? 'a known flag; --help lists them' : 'expected here'}`);
    }
    if (token.kind !== 'option') continue;
    const spec = specs.find(({ name }) => name === token.name);
    if (token.name === 'help') return { kind: 'help' };
    if (spec === undefined) {
      problems.push(unknownFlag(token, specs));
      isUnknownBefore = token.value === undefined;
    } else if (values.has(spec.name) || switches.has(spec.name)) problems.push(`--${spec.name}: is given twice`);
    else if (spec.value === null && token.value !== undefined) problems.push(`--${spec.name}: takes no value`);
    else if (spec.value === null) switches.add(spec.name);
    else if (token.value === undefined || isNoPlace(spec, token.value))
      problems.push(`--${spec.name}: needs a value (${spec.value})`);
    else values.set(spec.name, asGiven(token.value));
  }
  for (const missing of needed.slice(words.length)) problems.push(`${missing}: is missing`);
  return problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'parsed', values, switches, words };
}

/** Stands before a word of one dash; no argument of a command can hold it. */
const wordMark = '\0';

/**
 * No flag begins with a single dash, and an identifier that was copied from a list may (`sessions end -Xk2`): parseArgs
 * would read it letter by letter.
 */
function asWord(argument: string): string {
  return /^-[^-]/.test(argument) ? `${wordMark}${argument}` : argument;
}

function asGiven(argument: string): string {
  return argument.startsWith(wordMark) ? argument.slice(wordMark.length) : argument;
}

const places: ReadonlySet<string | null> = new Set(['FOLDER', 'FILE', 'URL']);

/**
 * A variable that a script has not set (`--data-dir "$DIR"`) names no place: neither the one that the script stands in, nor
 * the built-in sandbox.
 */
function isNoPlace({ value }: FlagSpec, given: string): boolean {
  return given === '' && places.has(value);
}

function unknownFlag(
  { name, rawName }: { readonly name: string; readonly rawName: string },
  specs: readonly FlagSpec[],
): string {
  const near = nearestTo(
    name,
    specs.map((spec) => spec.name),
  );
  return `${rawName}: is not a known flag; ${near === null ? '--help lists them' : `did you mean --${near}?`}`;
}

/** The values of known flags among others that belong to somebody else (Electron's, Chromium's). */
export function knownFlags(argv: readonly string[], specs: readonly FlagSpec[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, argument] of argv.entries()) {
    const match = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(argument);
    const spec = specs.find(({ name, value }) => name === match?.[1] && value !== null);
    if (match === null || spec === undefined) continue;
    const next = argv[index + 1];
    const value = match[2] ?? (next?.startsWith('--') === true ? undefined : next);
    if (value !== undefined && !isNoPlace(spec, value)) values.set(spec.name, value);
  }
  return values;
}

/** What `--help` prints. */
export function helpText(usage: string, about: string, specs: readonly FlagSpec[]): string {
  const left = (spec: FlagSpec): string => `--${spec.name}${spec.value === null ? '' : ` ${spec.value}`}`;
  const width = Math.max(...specs.map((spec) => left(spec).length));
  const lines = specs.map((spec) => `  ${left(spec).padEnd(width)}  ${spec.help}`);
  return `Usage: ${usage}\n\n${about}\n\n${lines.join('\n')}\n`;
}
