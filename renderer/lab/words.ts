import type { Locale } from '../../shared/till/views.ts';
import { ar } from './words-ar.ts';
import { en, type LabWords } from './words-en.ts';

export type { LabWords } from './words-en.ts';

export const words: Readonly<Record<Locale, LabWords>> = { en, ar };
