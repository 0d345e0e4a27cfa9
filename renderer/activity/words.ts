import type { Locale } from '../../shared/till/views.ts';
import { ar } from './words-ar.ts';
import { type ActivityWords, en } from './words-en.ts';

export type { ActivityWords } from './words-en.ts';

export const words: Readonly<Record<Locale, ActivityWords>> = { en, ar };
