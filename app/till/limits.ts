import type { TillReply } from '../../shared/till/api.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { AboveLimit } from '../operations/value-limits.ts';
import { asManager } from './manager.ts';
import { failed } from './replies.ts';

/** What a write above a limit is told where nobody can let it pass. */
export function aboveLimit({ name, value, field }: AboveLimit): TillReply<never> {
  return failed('above_limit', `Above limits.${name} (${value}).`, { field, details: [value, name] });
}

/**
 * Tries a write, and once more in a manager's name where a limit is in its way and the PIN is right. The PIN is looked at
 * only then: it is asked for no other reason, and wrong ones count.
 *
 * @param attempt what is tried; with the name of the manager who lets it pass
 */
export async function withinLimits<
  Outcome extends { readonly kind: string } | { readonly kind: 'above_limit'; readonly limit: AboveLimit },
  Answer,
>(
  core: Pick<AgentCore, 'people'>,
  pin: string | undefined,
  attempt: (approvedBy?: string) => Promise<Outcome>,
  answer: (outcome: Outcome) => TillReply<Answer>,
): Promise<TillReply<Answer>> {
  const outcome = await attempt();
  if (outcome.kind !== 'above_limit' || !core.people.hasManagers) return answer(outcome);
  return asManager(core, pin, async (person) => answer(await attempt(person ?? undefined)));
}
