import type { Locale } from '../../shared/till/views.ts';
import { ar } from './words-ar.ts';
import { type EnrollWords, en } from './words-en.ts';

export type { EnrollWords } from './words-en.ts';

export const words: Readonly<Record<Locale, EnrollWords>> = { en, ar };
