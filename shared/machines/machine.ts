/**
 * A state machine as data: the next state for each state and event. What the table lacks is not allowed. Every change
 * of state goes through `advance`.
 */
export type Machine<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The next state; null when the machine does not allow the event in this state. */
export function advance<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | null {
  return machine[state][event] ?? null;
}

/** Every allowed step, for the documents and for tests that try them all. */
export function transitions<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): readonly { readonly from: State; readonly event: Event; readonly to: State }[] {
  const states = Object.keys(machine) as State[];
  return states.flatMap((from) =>
    (Object.entries(machine[from]) as [Event, State][]).map(([event, to]) => ({ from, event, to })),
  );
}
