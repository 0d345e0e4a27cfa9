/**
 * A state machine as data: for each state, what each event leads to. What is not written is not allowed.
 * `advance` is the only way to move, so a transition that the table lacks cannot happen anywhere.
 */
export type Machine<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The next state, or null when the machine does not allow the event there. */
export function advance<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | null {
  return machine[state][event] ?? null;
}

/** Every allowed step, for tests that walk them all and for the docs. */
export function transitions<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): readonly { readonly from: State; readonly event: Event; readonly to: State }[] {
  const states = Object.keys(machine) as State[];
  return states.flatMap((from) =>
    (Object.entries(machine[from]) as [Event, State][]).map(([event, to]) => ({ from, event, to })),
  );
}
