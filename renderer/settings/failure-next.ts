import type { TillError } from '../../shared/till/api.ts';
import type { SettingsWords } from '../copy/en/settings.ts';

/** What to do about a failure on this screen; undefined when the usual advice is right. */
export function failureNext(failure: TillError | null, { failedNext }: SettingsWords): string | undefined {
  if (failure?.code === 'not_saved') return failedNext.notSaved;
  return failure?.code === 'agent_gone' ? failedNext.noAnswer : undefined;
}
