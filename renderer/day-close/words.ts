import type { Locale } from '../../shared/till/views.ts';
import { ar } from './words-ar.ts';
import { type DayCloseWords, en } from './words-en.ts';

export type { DayCloseWords } from './words-en.ts';

export const words: Readonly<Record<Locale, DayCloseWords>> = { en, ar };
