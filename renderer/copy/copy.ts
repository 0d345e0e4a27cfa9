import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../shared/lib/clock.ts';
import type { Locale } from '../../shared/till/locales.ts';
import { type Part, type PartLoaders, partsOf, type WordsOf } from './parts.ts';

/** The words of the screen, in its language. */
export interface Copy {
  /** The language shown. Another language replaces it when all of its words on the screen are loaded. */
  readonly locale: ReadonlySignal<Locale>;
  readonly show: (locale: Locale) => void;
  /** Loads a part in the language shown, and from now on in each other language, too. Rejects when it does not come. */
  readonly need: (part: Part) => Promise<void>;
  /** The words of a part. Throws when the part was not loaded. */
  readonly wordsOf: <Name extends Part>(part: Name) => WordsOf<Name>;
}

interface CopyParts {
  readonly clock: Clock;
  readonly locale: Locale;
  /** Where the words of a language come from. */
  readonly loadersOf?: (locale: Locale) => PartLoaders;
}

type InHand = { readonly [Name in Part]?: WordsOf<Name> };

/** The agent may be back after this time. */
const loadAgainMs = 1_000;

/** Loads the words of the start. Rejects when they do not come. */
export async function openCopy({ clock, locale, loadersOf = partsOf }: CopyParts): Promise<Copy> {
  const shown: Signal<Locale> = signal(locale);
  const inHand = new Map<Locale, InHand>();
  const needed = new Set<Part>(['start']);
  let wanted = locale;

  const load = async <Name extends Part>(from: Locale, part: Name): Promise<void> => {
    if (inHand.get(from)?.[part] !== undefined) return;
    const { words } = await loadersOf(from)[part]();
    inHand.set(from, { ...inHand.get(from), [part]: words });
  };
  const missing = (from: Locale): Part[] => [...needed].filter((part) => inHand.get(from)?.[part] === undefined);
  const show = (next: Locale): void => {
    wanted = next;
    const parts = missing(next);
    if (parts.length === 0) {
      shown.value = next;
      return;
    }
    const goOn = (): void => {
      if (wanted === next) show(next);
    };
    Promise.all(parts.map((part) => load(next, part))).then(goOn, () => clock.setTimer(goOn, loadAgainMs));
  };

  await load(locale, 'start');
  return {
    locale: shown,
    show,
    async need(part) {
      needed.add(part);
      // Another language may be shown when the part has come.
      while (missing(shown.value).includes(part)) await load(shown.value, part);
    },
    wordsOf(part) {
      const words = inHand.get(shown.value)?.[part];
      if (words === undefined) throw new Error(`The words of ${part} were not fetched`);
      return words;
    },
  };
}
