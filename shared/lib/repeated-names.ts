/** A name that stands again in an object that has it already. */
interface RepeatedName {
  readonly name: string;
  /** The names of the objects around it, from the outside; a list has none. */
  readonly within: readonly string[];
  /** Where the two stand in the text, as places of a string. */
  readonly firstAt: number;
  readonly againAt: number;
}

/**
 * The names that stand more than once in one object of a text that is JSON: `JSON.parse` keeps the last value without a
 * word. Found one by one, so that who needs the first alone pays for no more.
 *
 * @param value what `JSON.parse` has read in the text
 */
export function* repeatedNames(text: string, value: unknown): Generator<RepeatedName, void> {
  if (quotesIn(text) === quotesNeeded(value)) return;
  // Null: a list, which has no names.
  const open: { readonly names: Map<string, number> | null; last: string | null }[] = [];
  let last = { token: '', at: 0 };
  for (const { 0: token, index: at } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{') open.push({ names: new Map(), last: null });
    else if (token === '[') open.push({ names: null, last: null });
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = { token, at };
    else {
      const object = open.at(-1);
      if (object?.names == null) continue;
      const name = String(JSON.parse(last.token));
      const firstAt = object.names.get(name);
      if (firstAt === undefined) object.names.set(name, last.at);
      else {
        const within = open.slice(0, -1).flatMap((one) => one.last ?? []);
        yield { name, within, firstAt, againAt: last.at };
      }
      object.last = name;
    }
  }
}

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

/**
 * Two for each name and each text that was read. A text of JSON has more only where a name was given up for a later one, or
 * where a quote stands within a text: this tells at next to no cost that there is nothing to look for.
 */
function quotesNeeded(value: unknown): number {
  let texts = 0;
  // Not by recursion: it may be nested as deep as it is long.
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
