import type { Locale } from '../../shared/till/views.ts';
import { ar } from './words-ar.ts';
import { type AttentionWords, en } from './words-en.ts';

export type { AttentionWords } from './words-en.ts';

export const words: Readonly<Record<Locale, AttentionWords>> = { en, ar };
