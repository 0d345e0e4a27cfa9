import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SettingsWords } from '../copy/en/settings.ts';
import { useWords } from '../copy/use-words.ts';
import type { PeopleState } from './people-state.ts';
import type { SettingsScreenState } from './state.ts';
import type { TokensState } from './tokens-state.ts';

/** What the parts of the settings screen share. */
export interface SettingsParts {
  readonly settings: SettingsScreenState;
  readonly tokens: TokensState;
  readonly people: PeopleState;
}

export const SettingsContext = createContext<SettingsParts | null>(null);

export function useSettings(): SettingsParts & { readonly words: SettingsWords } {
  const parts = useContext(SettingsContext);
  if (parts === null) throw new Error('A part of the settings stands outside of its screen');
  return { ...parts, words: useWords('settings') };
}
