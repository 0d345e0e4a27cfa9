import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Part, partsOf } from '../../renderer/copy/parts.ts';
import { operationStates } from '../../shared/machines/operation.ts';
import { dayOutcomes } from '../../shared/till/day-names.ts';
import { type Locale, locales } from '../../shared/till/locales.ts';
import { connectionWords, dayOutcomeWords, stateWords } from '../../shared/till/state-words.ts';
import { connectionStates } from '../../shared/till/views.ts';
import { wordLeaves } from '../support/word-leaves.ts';

const project = join(import.meta.dirname, '../..');
const partNames = Object.keys(partsOf('en')) as readonly Part[];

/** A text of a surface, with the place that a failure names. */
interface Said {
  readonly where: string;
  readonly text: string;
}

async function screenTexts(locale: Locale = 'en'): Promise<readonly Said[]> {
  const parts = await Promise.all(
    partNames.map(async (part) => ({ part, words: (await partsOf(locale)[part]()).words })),
  );
  return parts.flatMap(({ part, words }) =>
    [...wordLeaves(words)].map(([path, text]) => ({ where: `${part}.${path}`, text })),
  );
}

/** The texts between quotes of a program's files, longer than a name; what stands in `${}` is left out. */
function commandTexts(): readonly Said[] {
  const folders = ['app/commands', 'app/commands/tillbridge', 'app/doctor'];
  return folders.flatMap((folder) =>
    readdirSync(join(project, folder))
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const source = readFileSync(join(project, folder, name), 'utf8').replaceAll(
          /^import .*$|^\s*(\/\/|\*|\/\*).*$/gm,
          '',
        );
        const quoted = source.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g);
        return [...quoted]
          .map(([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll(/\$\{[^{}]*\}/g, '#'))
          .filter((text) => text.includes(' '))
          .map((text) => ({ where: `${folder}/${name}`, text }));
      }),
  );
}

/** The documents for users: prose without code, and without what a table lists by its name. */
function documentTexts(): readonly Said[] {
  return [
    'README.md',
    'docs/store-it.md',
    'docs/recovery.md',
    'docs/shared-machine.md',
    'docs/screens.md',
    'docs/pos-programs.md',
    'docs/qa.md',
    'docs/stories.md',
    'docs/security.md',
  ].flatMap((name) =>
    readFileSync(join(project, name), 'utf8')
      .replaceAll(/```[\s\S]*?```/g, '')
      .replaceAll(/`[^`\n]*`/g, '#')
      .split('\n')
      .map((text) => ({ where: name, text })),
  );
}

/** Words that the glossary has replaced, or that only one who wrote the program understands. */
const oldWords: readonly RegExp[] = [
  /\bnot applied\b/i,
  /\bsen[dt] anew\b/i,
  /\blet go\b/i,
  /\b(run|runs|ran) out\b/i,
  /\bgiven up\b/i,
  /\bneeds? a (person|decision)\b/i,
  /\bmade by itself\b/i,
  /\bkept profiles?\b/i,
  /\btaken back\b/i,
  /\btaken off the card\b/i,
  /\bnothing was taken\b/i,
  /\bhead office\b/i,
  /\bthe line\b/i,
  /\bmend(s|ed)?\b/i,
  /\balike\b/i,
  /\banew\b/i,
];

/** Said on a screen, where "agent" and the names of states are nobody's words. */
const oldScreenWords: readonly RegExp[] = [
  ...oldWords,
  /\bagent\b/i,
  /\bapplied\b/i,
  /\bundone\b/i,
  /\bby itself\b/i,
  /\bstands?\b/i,
  /…/,
];

/** The Arabic of the same, as the screen once said it. Vowel marks are left out: a word is also found without them. */
const oldArabicWords: readonly RegExp[] = [
  // Applied, not applied.
  /(?<!\p{L})(و|ف)?(ت|ي)?طبق(ت|ها)?(?!\p{L})/u,
  // Sent anew.
  /(إرسال|أرسلها)[^.،]* من جديد/,
  // Let go.
  /ترك الحجز/,
  // Needs a decision.
  /(تحتاج|يحتاج) إلى قرار/,
  // Undone, for what was never sent; not sent yet.
  /تم التراجع/,
  /لم ترسل بعد/,
  // By itself.
  /من تلقاء/,
  // Head office.
  /أوقفته الإدارة|اتصل بالإدارة/,
  // The agent, on a screen.
  /(?<!\p{L})(ال)?وكيل(?!\p{L})/u,
  // Reached the card, carried out: the word is that an operation is completed.
  /وصلت إلى البطاق/,
  /منفذة/,
  // Taken back: the button says استرجاع.
  /استرداد|استردت|تسترد|تعكس/,
  // The line is cut, where the state is that the till is offline.
  /الاتصال مقطوع/,
  // The database, as the memory of the till; tokens, as signs to come in.
  /ذاكرة الصندوق/,
  /رموز الدخول/,
];

function withoutVowelMarks(texts: readonly Said[]): readonly Said[] {
  return texts.map(({ where, text }) => ({ where, text: text.replaceAll(/[\u064b-\u0652]/g, '') }));
}

function wordsFound(
  texts: readonly Said[],
  words: readonly RegExp[],
  allowed: readonly string[] = [],
): readonly string[] {
  return texts
    .filter(({ text }) => words.some((word) => word.test(text)) && !allowed.some((phrase) => text.includes(phrase)))
    .map(({ where, text }) => `${where}: ${text}`);
}

describe('the words that the glossary replaced', () => {
  it('are on no screen', async () => {
    // Somebody may read "Being undone" as the button says "Undo".
    expect(
      wordsFound(await screenTexts(), oldScreenWords, ['Being undone', 'Undone sales', 'cannot be undone', '{…}']),
    ).toEqual([]);
  });

  it('are on no screen in Arabic', async () => {
    // Cashback is a type of card.
    expect(wordsFound(withoutVowelMarks(await screenTexts('ar')), oldArabicWords, ['استرداد نقدي'])).toEqual([]);
  });

  it.each([
    'طُبّقت',
    'رُفضت أو لم تُطبّق',
    'إرسال عمليتين من جديد',
    'تحتاج إلى قرار',
    'تم التراجع',
    'ما يحين من تلقاء نفسه',
    'استُردت من قبل',
    'أُعيد تشغيل الوكيل',
  ])('are found in Arabic, with their vowel marks or without: %s', (text) => {
    const found = (said: string) => wordsFound(withoutVowelMarks([{ where: 'screen', text: said }]), oldArabicWords);
    expect(found(text)).toHaveLength(1);
    expect(found(text.replaceAll(/[\u064b-\u0652]/g, ''))).toHaveLength(1);
  });

  it('are in no command', () => {
    expect(wordsFound(commandTexts(), oldWords)).toEqual([]);
  });

  it('are in no document for users', () => {
    expect(wordsFound(documentTexts(), oldWords)).toEqual([]);
  });
});

describe('an apostrophe', () => {
  it('is curved on the screen', async () => {
    expect(wordsFound(await screenTexts(), [/'/])).toEqual([]);
  });

  it('is straight in a command, whose terminal may not know another', () => {
    expect(wordsFound(commandTexts(), [/’/])).toEqual([]);
    expect(commandTexts().filter(({ text }) => text.includes("'")).length).toBeGreaterThan(10);
  });
});

describe('one word for each state', () => {
  it.each(locales)('is on every screen in %s', async (locale) => {
    const loaders = partsOf(locale);
    const [start, diagnostics, dayClose] = await Promise.all([
      loaders.start(),
      loaders.diagnostics(),
      loaders['day-close'](),
    ]);
    expect(start.words.stateWords).toEqual(stateWords[locale]);
    expect(diagnostics.words.queue.states).toEqual(stateWords[locale]);
    expect(dayClose.words.outcomes).toEqual(dayOutcomeWords[locale]);
    expect(diagnostics.words.line.states).toMatchObject(connectionWords[locale]);
    for (const state of connectionStates) {
      expect(start.words.connection[state].title('14:02')).toContain(connectionWords[locale][state]);
    }
  });

  it('is another one for each state', () => {
    for (const locale of locales) {
      expect(new Set(operationStates.map((state) => stateWords[locale][state])).size).toBe(operationStates.length);
      expect(new Set(dayOutcomes.map((outcome) => dayOutcomeWords[locale][outcome])).size).toBe(dayOutcomes.length);
    }
  });

  it('stands in the documents beside the name that programs read', () => {
    const page = readFileSync(join(project, 'docs/store-it.md'), 'utf8');
    for (const state of operationStates) expect(page).toContain(`| ${stateWords.en[state]} | \`${state}\` |`);
    for (const state of connectionStates) expect(page).toContain(`| ${connectionWords.en[state]} | \`${state}\` |`);
  });
});

describe('a sentence on the screen', () => {
  const mostWords = 12;

  it(`has at most ${mostWords} words, and no semicolon`, async () => {
    const sentences = (await screenTexts()).flatMap(({ where, text }) =>
      text.split(/(?<=[.?!:])\s+/).map((sentence) => ({ where, sentence })),
    );
    const wrong = sentences.filter(
      ({ sentence }) => sentence.includes(';') || sentence.split(/\s+/).length > mostWords,
    );
    expect(wrong.map(({ where, sentence }) => `${where}: ${sentence}`)).toEqual([]);
  });
});
