// How the bridge and the service read the body of a request.
import type { Problem } from './problems.ts';
import type { ReadPart } from './request-parts.ts';

const notJson: Problem = { field: '', problem: 'The body is not JSON in UTF-8.' };

/**
 * A body's JSON. A name that stands twice in one object is refused, as a parameter of a query is: `JSON.parse` would keep
 * the last value, and neither may be chosen where it is money.
 *
 * @param utf8 throws for what is not UTF-8
 * @returns the problem of a body that is no JSON has no field
 */
export function readJson(
  bytes: Uint8Array,
  utf8: { readonly decode: (bytes: Uint8Array) => string },
): ReadPart<unknown> {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { kind: 'bad', problem: notJson };
  }
  const name = quotesIn(text) === quotesNeeded(value) ? null : repeatedName(text);
  if (name === null) return { kind: 'read', value };
  return { kind: 'bad', problem: { field: name.slice(0, longestNameTold), problem: 'must stand only once' } };
}

const longestNameTold = 100;

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

/**
 * Two for each name and each text that was read. A body has more only where a name was given up for a later one, or where
 * a quote stands within a text: this tells at next to no cost that there is nothing to look for.
 */
function quotesNeeded(value: unknown): number {
  let texts = 0;
  // Not by recursion: a body may be nested as deep as it is long.
  const left = [value];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (typeof part === 'string') texts += 1;
    if (typeof part !== 'object' || part === null) continue;
    const within: readonly unknown[] = Object.values(part);
    if (!Array.isArray(part)) texts += within.length;
    for (const one of within) left.push(one);
  }
  return 2 * texts;
}

/** @param text that is JSON */
function repeatedName(text: string): string | null {
  // Null: a list, which has no names.
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = token;
    else {
      const name = String(JSON.parse(last));
      const names = open.at(-1);
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return null;
}
