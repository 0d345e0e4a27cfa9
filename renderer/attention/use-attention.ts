import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Attention } from './state.ts';

export const AttentionContext = createContext<Attention | null>(null);

/** The state of the screen that stands. */
export function useAttention(): Attention {
  const attention = useContext(AttentionContext);
  if (attention === null) throw new Error('A component stands outside of what needs attention');
  return attention;
}
