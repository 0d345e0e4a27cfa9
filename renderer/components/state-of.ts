import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A context for the state of a screen, and a hook that reads the state in the screen's components. */
export function stateOf<State>(screen: string): readonly [Context<State | null>, () => State] {
  const context = createContext<State | null>(null);
  const useState = (): State => {
    const state = useContext(context);
    if (state === null) throw new Error(`A component stands outside of the ${screen}`);
    return state;
  };
  return [context, useState];
}
