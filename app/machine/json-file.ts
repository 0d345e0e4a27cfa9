import { repeatedNames } from '../../shared/lib/repeated-names.ts';
import { jsonFaultInWords, withoutMark } from './json-fault.ts';

type ReadJsonFile =
  | { readonly kind: 'read'; readonly value: unknown }
  /** What is wrong, where, and what to do: the end of a line that begins with the file's path. */
  | { readonly kind: 'bad'; readonly reason: string };

/**
 * The text of a JSON file that people edit. A name that stands twice in one object is a mistake, because `JSON.parse` keeps
 * the last one without a word: whoever corrects the first would wonder why nothing changes. What stands under a name is
 * never told: it may be a secret.
 */
export function readJsonFile(text: string): ReadJsonFile {
  const json = withoutMark(text);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { kind: 'bad', reason: jsonFaultInWords(json) };
  }
  const repeated = [...repeatedNames(json, value)].map(({ name, within, firstAt, againAt }) => {
    const [first, again] = [lineOf(json, firstAt), lineOf(json, againAt)];
    return `${[...within, name].join('.')} (${first === again ? `line ${first}` : `lines ${first} and ${again}`})`;
  });
  if (repeated.length === 0) return { kind: 'read', value };
  return { kind: 'bad', reason: `has twice: ${repeated.join(', ')}. Keep one of each` };
}

/** Counts from 1. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
