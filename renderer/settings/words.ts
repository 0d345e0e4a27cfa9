import type { Locale } from '../../shared/till/modes.ts';
import { ar } from './words-ar.ts';
import { en, type SettingsWords } from './words-en.ts';

export type { SettingsWords } from './words-en.ts';

export const words: Readonly<Record<Locale, SettingsWords>> = { en, ar };
