import { z } from 'zod';
import { type TillState, tillStateSchema } from '../shared/till/views.ts';
import type { PageTill } from './ipc.ts';

/** What the window knows of the till: the same as its page. */
interface FollowedTill {
  /** Null until the agent has sent the state. */
  readonly state: () => TillState | null;
  /** The state at this moment. The agent's events come a little later. */
  readonly stateNow: () => Promise<TillState | null>;
  readonly end: () => void;
}

const told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), state: tillStateSchema }),
  z.object({ type: z.literal('link'), link: z.string() }),
]);

/** Calls the listener when an agent of another process is back. @returns a function that ends this */
export function onAgentBack(till: Pick<PageTill, 'onEvent'>, listener: () => void): () => void {
  return till.onEvent((event) => {
    const known = told.safeParse(event);
    if (known.success && known.data.type === 'link' && known.data.link === 'open') listener();
  });
}

/** @param onState called with the state now and after each change */
export async function followTill(
  till: Pick<PageTill, 'handle' | 'onEvent'>,
  onState: (state: TillState) => void,
): Promise<FollowedTill> {
  let now: TillState | null = null;
  const take = (state: TillState): void => {
    now = state;
    onState(state);
  };
  const read = async (): Promise<void> => {
    const reply = await till.handle({ command: 'state.read', input: {} });
    if (reply.ok) take(tillStateSchema.parse(reply.value));
  };
  const end = till.onEvent((event) => {
    const known = told.safeParse(event);
    if (!known.success) return;
    if (known.data.type === 'state') take(known.data.state);
    // The agent was away, and is back.
    else if (known.data.link === 'open') void read();
  });
  await read();
  return {
    state: () => now,
    async stateNow() {
      await read();
      return now;
    },
    end,
  };
}
