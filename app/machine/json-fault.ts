/** Where a text stops being JSON, and how to say so. Lines and columns count from 1. */
type JsonFault =
  | { readonly kind: 'empty' }
  /** It ends before it is whole, as after a copy that was cut off. */
  | { readonly kind: 'cut_off'; readonly line: number; readonly column: number }
  /** A power cut can leave a file of the right length without its content. */
  | { readonly kind: 'no_text' }
  | { readonly kind: 'unexpected'; readonly line: number; readonly column: number; readonly hint: string | null };

/**
 * Finds the mistake in a text that `JSON.parse` does not take: what that says has no place in it for most of them. What
 * stands in the text is never told: it may be a secret.
 *
 * @returns null for JSON
 */
export function jsonFault(text: string): JsonFault | null {
  if (text.trim() === '') return { kind: 'empty' };
  if (/^\0+$/.test(text)) return { kind: 'no_text' };
  const reader = new JsonReader(text);
  const stop = reader.read();
  if (stop === null) return null;
  const before = text.slice(0, stop.at).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return stop.at >= text.trimEnd().length && !stop.isClosed
    ? { kind: 'cut_off', ...place }
    : { kind: 'unexpected', ...place, hint: stop.hint };
}

/** Windows' own programs begin a text file with a byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** The same in the words of a message. */
export function jsonFaultInWords(text: string): string {
  const fault = jsonFault(text);
  switch (fault?.kind) {
    case undefined:
      return 'is not JSON';
    case 'empty':
      return 'is empty; it must hold one JSON object';
    case 'no_text':
      return 'holds no text: the file was not written to its end. Copy it again';
    case 'cut_off':
      return `ends in the middle (line ${fault.line}, column ${fault.column}): half of the file is missing. Copy it again`;
    case 'unexpected': {
      const hint = fault.hint === null ? '' : `: ${fault.hint}`;
      return `is not JSON: the mistake is in line ${fault.line}, column ${fault.column}${hint}`;
    }
  }
}

interface Stop {
  readonly at: number;
  readonly hint: string | null;
  /** It is whole up to here: what follows is too much. */
  readonly isClosed: boolean;
}

/** Thrown at the first letter that cannot stand where it stands. */
class Unexpected extends Error {
  readonly stop: Stop;

  constructor(at: number, hint: string | null, isClosed = false) {
    super('unexpected');
    this.stop = { at, hint, isClosed };
  }
}

const space = /[ \t\n\r]*/y;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

/** Goes through a text by the grammar of RFC 8259; a mistake is not mended. */
class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @returns where it stopped; null at the end of JSON */
  read(): Stop | null {
    try {
      this.#value();
      this.#skip(space);
      return this.#at === this.#text.length ? null : { at: this.#at, hint: 'the object ended before', isClosed: true };
    } catch (error) {
      if (error instanceof Unexpected) return error.stop;
      // A text nested deeper than this program can follow.
      if (error instanceof RangeError) return { at: this.#at, hint: 'it is nested too deeply', isClosed: true };
      throw error;
    }
  }

  #value(): void {
    this.#skip(space);
    const letter = this.#text[this.#at];
    if (letter === '{') this.#list('}', () => this.#member());
    else if (letter === '[') this.#list(']', () => this.#value());
    else if (letter === '"') this.#string();
    else if (!this.#skip(word)) throw new Unexpected(this.#at, hintFor(letter) ?? 'a value is missing');
  }

  #member(): void {
    this.#skip(space);
    const letter = this.#text[this.#at];
    if (letter !== '"') throw new Unexpected(this.#at, hintFor(letter) ?? 'a name in double quotes is missing');
    this.#string();
    this.#skip(space);
    if (this.#text[this.#at] !== ':') throw new Unexpected(this.#at, 'a colon is missing');
    this.#at += 1;
    this.#value();
  }

  #list(end: '}' | ']', readOne: () => void): void {
    this.#at += 1;
    this.#skip(space);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      readOne();
      this.#skip(space);
      const comma = this.#at;
      const letter = this.#text[this.#at];
      this.#at += 1;
      if (letter === end) return;
      if (letter !== ',') throw new Unexpected(comma, hintFor(letter) ?? `a comma or ${end} is missing`);
      this.#skip(space);
      if (this.#text[this.#at] === end) throw new Unexpected(comma, 'the comma before the end is too much');
    }
  }

  #string(): void {
    this.#skip(string);
    const letter = this.#text[this.#at];
    if (letter === '\\') throw new Unexpected(this.#at, 'a backslash is written twice: \\\\');
    if (letter !== '"') throw new Unexpected(this.#at, 'the closing double quote is missing');
    this.#at += 1;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found !== '';
  }
}

function hintFor(letter: string | undefined): string | null {
  if (letter === undefined) return null;
  if ('/#'.includes(letter)) return 'JSON has no comments';
  return "'\u2018\u2019\u201c\u201d".includes(letter) ? 'texts stand in straight double quotes: "' : null;
}
