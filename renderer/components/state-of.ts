import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The state of a screen for the components that stand in it: its context, and what reads it there. */
export function stateOf<State>(screen: string): readonly [Context<State | null>, () => State] {
  const context = createContext<State | null>(null);
  const useState = (): State => {
    const state = useContext(context);
    if (state === null) throw new Error(`A component stands outside of the ${screen}`);
    return state;
  };
  return [context, useState];
}
