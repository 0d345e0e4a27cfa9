import { assertNever } from '../../shared/lib/assert-never.ts';
import type { TillReply } from '../../shared/till/api.ts';
import type { AgentCore } from '../core/agent-core.ts';
import type { PinOutcome } from '../people/people.ts';
import { failed } from './replies.ts';

/**
 * Carries out what a manager has to confirm. A till without managers asks nobody.
 *
 * @param pin as typed; undefined when it was not asked for yet
 * @param act gets the manager's name, or null
 */
export async function asManager<Answer>(
  core: Pick<AgentCore, 'people'>,
  pin: string | undefined,
  act: (person: string | null) => Promise<TillReply<Answer>>,
): Promise<TillReply<Answer>> {
  return confirmed(pin, core.people.hasManagers, (given) => core.people.checkPin(given), act);
}

/**
 * Carries out a change of the till itself, in both modes: settings, keys, tokens, people. When the current mode has no
 * managers, a manager of the other mode has to confirm it.
 */
export async function asTillManager<Answer>(
  core: Pick<AgentCore, 'people'>,
  pin: string | undefined,
  act: (person: string | null) => Promise<TillReply<Answer>>,
): Promise<TillReply<Answer>> {
  return confirmed(pin, core.people.hasTillManagers, (given) => core.people.checkTillPin(given), act);
}

async function confirmed<Answer>(
  pin: string | undefined,
  isNeeded: boolean,
  check: (pin: string) => Promise<PinOutcome>,
  act: (person: string | null) => Promise<TillReply<Answer>>,
): Promise<TillReply<Answer>> {
  if (!isNeeded) return act(null);
  if (pin === undefined) return failed('pin_needed', 'A manager must confirm this with the PIN.', { field: 'pin' });
  const outcome = await check(pin);
  switch (outcome.kind) {
    case 'right':
      return act(outcome.name);
    case 'no_managers':
      return act(null);
    case 'nobody_believed':
      return failed('people_changed', 'The managers of this till were changed on the disk. Store IT adds them again.');
    case 'wrong':
      return failed('pin_wrong', 'No manager has this PIN.', { field: 'pin', details: [outcome.attemptsLeft] });
    case 'locked':
      return failed('pin_locked', 'Too many wrong PINs in a row.', {
        field: 'pin',
        details: [Math.ceil(outcome.forMs)],
      });
    default:
      return assertNever(outcome);
  }
}
