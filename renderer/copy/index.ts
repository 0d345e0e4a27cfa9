import type { Locale } from '../../shared/till/views.ts';
import { ar } from './ar.ts';
import { en, type Words } from './en.ts';

export type { Advice, Words } from './en.ts';

/** The words of every language that the screen speaks. */
export const copy: Readonly<Record<Locale, Words>> = { en, ar };
