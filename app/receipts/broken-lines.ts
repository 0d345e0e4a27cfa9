/** The width of the widest letter of each kind, as a share of the letters' size, so that no line becomes too wide. */
const widths: readonly (readonly [RegExp, number])[] = [
  // Marks of direction and of vowels have no width.
  [/[\u2066-\u2069\u200e\u200f\u064b-\u0652]/, 0],
  [/[MWmw@%]/, 0.96],
  [/[سشصض]/, 0.9],
  [/[A-Z]/, 0.72],
  [/[- .,:;'|/ijlftI٠١]/, 0.42],
];
const usual = 0.63;

/** The greatest possible width of a text, as a multiple of its letters' size. */
export function widthOf(words: string): number {
  let sum = 0;
  for (const letter of words) sum += widths.find(([of]) => of.test(letter))?.[1] ?? usual;
  return sum;
}

/** Breaks a text into lines of at most that width: between words, or inside a word that is wider than a line. */
export function brokenLines(words: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...brokenWord(word, most));
  }
  return eachIsolated(lines);
}

function brokenWord(word: string, most: number): readonly string[] {
  const parts: string[] = [];
  for (const letter of word) {
    const last = parts.at(-1);
    if (last !== undefined && widthOf(last + letter) <= most) parts[parts.length - 1] = last + letter;
    else parts.push(letter);
  }
  return parts;
}

/** Repeats a direction mark on each line when it begins on one line and ends on a later one. */
function eachIsolated(lines: readonly string[]): readonly string[] {
  let open: readonly string[] = [];
  return lines.map((line) => {
    const before = open.join('');
    for (const letter of line) {
      if (/[\u2066-\u2068]/.test(letter)) open = [...open, letter];
      else if (letter === '\u2069') open = open.slice(0, -1);
    }
    return before + line + '\u2069'.repeat(open.length);
  });
}
