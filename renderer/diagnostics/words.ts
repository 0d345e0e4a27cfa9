import type { Locale } from '../../shared/till/modes.ts';
import { ar } from './words-ar.ts';
import { type DiagnosticsWords, en } from './words-en.ts';

export type { DiagnosticsWords } from './words-en.ts';

export const words: Readonly<Record<Locale, DiagnosticsWords>> = { en, ar };
