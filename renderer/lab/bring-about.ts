import type { TillApi, TillError } from '../../shared/till/api.ts';
import { faultOf, type Situation } from './situations.ts';

/**
 * Brings about a situation of the sandbox's connection, and removes all other faults. The new fault comes before the
 * old ones go, so that the connection does not work in between.
 *
 * @returns why it was refused; null when it was not
 */
export async function bringAbout(api: TillApi, situation: Situation): Promise<TillError | null> {
  const before = await api.call('lab.faults', {});
  const fault = faultOf(situation);
  const reply = fault === null ? await api.call('lab.clear_faults', {}) : await api.call('lab.add_fault', fault);
  if (!reply.ok) return reply.error;
  if (!before.ok || fault === null) return null;
  for (const { id } of before.value.data) await api.call('lab.remove_fault', { fault_id: id });
  return null;
}
