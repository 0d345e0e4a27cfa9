import type { Machine } from '../../shared/machines/machine.ts';

/** Every step that a machine allows. */
export function stepsOf<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): readonly { readonly from: State; readonly event: Event; readonly to: State }[] {
  const states = Object.keys(machine) as State[];
  return states.flatMap((from) =>
    (Object.entries(machine[from]) as [Event, State][]).map(([event, to]) => ({ from, event, to })),
  );
}
