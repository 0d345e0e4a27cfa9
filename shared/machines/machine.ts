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
