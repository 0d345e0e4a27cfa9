import { assertNever } from '../../shared/lib/assert-never.ts';
import type { TillReply } from '../../shared/till/api.ts';
import type { AgentCore } from '../agent-core.ts';
import { failed } from './replies.ts';

/**
 * Carries out what a manager has to confirm. On a till without managers nobody is asked.
 *
 * @param pin as typed; undefined when it was not asked for yet
 * @param act gets the manager's name, or null
 */
export async function asManager<Answer>(
  core: Pick<AgentCore, 'people'>,
  pin: string | undefined,
  act: (person: string | null) => Promise<TillReply<Answer>>,
): Promise<TillReply<Answer>> {
  if (!core.people.hasManagers) return act(null);
  if (pin === undefined) return failed('pin_needed', 'A manager has to confirm this with the PIN.', { field: 'pin' });
  const outcome = await core.people.checkPin(pin);
  switch (outcome.kind) {
    case 'right':
      return act(outcome.name);
    case 'no_managers':
      return act(null);
    case 'wrong':
      return failed('pin_wrong', 'This is no manager’s PIN.', { field: 'pin', details: [outcome.attemptsLeft] });
    case 'locked':
      return failed('pin_locked', 'Too many wrong PINs in a row.', {
        field: 'pin',
        details: [Math.ceil(outcome.forMs)],
      });
    default:
      return assertNever(outcome);
  }
}
