import type { TillReply } from '../../shared/till/api.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { AboveLimit } from '../operations/requests/value-limits.ts';
import { asManager } from './manager-pin.ts';
import { failed } from './replies.ts';

/** The reply to a write above a limit, when nobody can allow it. */
export function aboveLimit({ name, value, field }: AboveLimit): TillReply<never> {
  return failed('above_limit', `Above limits.${name} (${value}).`, { field, details: [value, name] });
}

/**
 * Tries a write. When a limit stops it and the PIN is right, tries it again in the manager's name. The PIN is checked
 * only then, because wrong PINs are counted.
 *
 * @param attempt the write; called with the name of the manager who allows it
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
