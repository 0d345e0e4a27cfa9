import { burstGapMs, burstMinimumKeys, cleanCode } from '../scanner/scanner.ts';

/** One key press as the page received it. */
export interface Stroke {
  /** `KeyboardEvent.key`. */
  readonly key: string;
  readonly atMs: number;
}

export type Verdict = 'scan' | 'too_slow' | 'too_short' | 'no_ending';

/** What a scanner has sent. */
export interface Received {
  readonly verdict: Verdict;
  /** The code as the till reads it. */
  readonly code: string;
  /** The length of the code in characters. */
  readonly length: number;
  readonly averageGapMs: number;
  readonly longestGapMs: number;
  readonly ending: 'Enter' | 'Tab' | 'none';
  /** What was removed before and after the code; empty when nothing was. */
  readonly framing: string;
}

const endings: readonly string[] = ['Enter', 'Tab'];

/** What the keys of one scan show; null when there was no character among them. */
export function readStrokes(strokes: readonly Stroke[]): Received | null {
  const characters = strokes.filter(({ key }) => Array.from(key).length === 1);
  if (characters.length === 0) return null;
  const raw = characters.map(({ key }) => key).join('');
  const code = cleanCode(raw);
  const gaps = characters.slice(1).map(({ atMs }, index) => atMs - (characters[index]?.atMs ?? atMs));
  const longestGapMs = Math.max(0, ...gaps);
  const ending = endingOf(strokes.at(-1));
  return {
    verdict: verdictOf({ count: characters.length, longestGapMs, ending }),
    code,
    length: Array.from(code).length,
    averageGapMs: gaps.length === 0 ? 0 : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
    longestGapMs,
    ending,
    framing: raw === code ? '' : framingOf(raw, code),
  };
}

function verdictOf(facts: {
  readonly count: number;
  readonly longestGapMs: number;
  readonly ending: Received['ending'];
}): Verdict {
  if (facts.longestGapMs >= burstGapMs) return 'too_slow';
  if (facts.count < burstMinimumKeys) return 'too_short';
  return facts.ending === 'none' ? 'no_ending' : 'scan';
}

function endingOf(last: Stroke | undefined): Received['ending'] {
  if (last === undefined || !endings.includes(last.key)) return 'none';
  return last.key === 'Tab' ? 'Tab' : 'Enter';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hidden = /[\u0000-\u0020\u007f]/g;

/** What is before and after the code, with invisible characters written out: `]C1`, `<02>`. */
function framingOf(raw: string, code: string): string {
  const place = raw.indexOf(code);
  const around = place < 0 ? raw : `${raw.slice(0, place)}${raw.slice(place + code.length)}`;
  return around.replace(hidden, (one) => `<${one.charCodeAt(0).toString(16).padStart(2, '0')}>`);
}
