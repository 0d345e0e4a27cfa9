import type { TillError } from '../../shared/till/api.ts';
import type { SettingsWords } from '../copy/en/settings.ts';

/** What to do about a failure that is no sale's; undefined: what anybody would do about it. */
export function failureNext(failure: TillError | null, { failedNext }: SettingsWords): string | undefined {
  if (failure?.code === 'not_saved') return failedNext.notSaved;
  return failure?.code === 'agent_gone' ? failedNext.noAnswer : undefined;
}
