import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DayClose } from './state.ts';

export const DayCloseContext = createContext<DayClose | null>(null);

/** The state of the screen that stands. */
export function useDayClose(): DayClose {
  const dayClose = useContext(DayCloseContext);
  if (dayClose === null) throw new Error('A component stands outside of the day close');
  return dayClose;
}
