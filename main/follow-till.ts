import { z } from 'zod';
import { type TillState, tillStateSchema } from '../shared/till/views.ts';
import type { PageTill } from './ipc.ts';

/** What the window knows of the till: the same that its page is told. */
interface FollowedTill {
  /** Null before the agent has told it. */
  readonly state: () => TillState | null;
  /** As it is at this moment: what the agent tells comes a little later. */
  readonly stateNow: () => Promise<TillState | null>;
  readonly end: () => void;
}

const told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), state: tillStateSchema }),
  z.object({ type: z.literal('link'), link: z.string() }),
]);

/** An agent of another process was away, and is there again. @returns ends it */
export function onAgentBack(till: Pick<PageTill, 'onEvent'>, listener: () => void): () => void {
  return till.onEvent((event) => {
    const known = told.safeParse(event);
    if (known.success && known.data.type === 'link' && known.data.link === 'open') listener();
  });
}

/** @param onState told of the state now and of each change */
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
