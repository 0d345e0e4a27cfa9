import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { LabWords } from '../copy/en/lab.ts';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { type LabFormat, makeLabFormat } from './lab-format.ts';
import type { Lab } from './state.ts';

export const LabContext = createContext<Lab | null>(null);

/** The lab's state, its words, and its format for times. */
export function useLab(): { readonly lab: Lab; readonly words: LabWords; readonly format: LabFormat } {
  const lab = useContext(LabContext);
  if (lab === null) throw new Error('A component stands outside of LabContext');
  const { frame } = useModel();
  const locale = frame.locale.value;
  const timeZone = frame.till.value?.time_zone ?? 'UTC';
  const format = useMemo(() => makeLabFormat(locale, timeZone), [locale, timeZone]);
  return { lab, words: useWords('lab'), format };
}
