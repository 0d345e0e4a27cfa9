import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Activity } from './state.ts';

export const ActivityContext = createContext<Activity | null>(null);

/** The state of the screen that stands. */
export function useActivity(): Activity {
  const activity = useContext(ActivityContext);
  if (activity === null) throw new Error('A component stands outside of the activity');
  return activity;
}
