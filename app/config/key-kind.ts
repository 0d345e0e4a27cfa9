import type { Mode } from '../../shared/till/views.ts';

const keyPrefix: Readonly<Record<Mode, string>> = { sandbox: 'loyalty_pk_test_', production: 'loyalty_pk_live_' };

/**
 * Why an API key does not go with a mode: a live key in the sandbox, or a test key in production, is refused before any
 * request (spec "Authentication", 2). The key itself is never part of the words.
 *
 * @returns null when it goes
 */
export function keyProblem(mode: Mode, apiKey: string): string | null {
  const prefix = keyPrefix[mode];
  if (apiKey.startsWith(prefix)) return null;
  const otherMode = mode === 'sandbox' ? 'production' : 'sandbox';
  if (apiKey.startsWith(keyPrefix[otherMode])) {
    return `api_key: is a ${otherMode} key; ${mode} mode needs one that starts with ${prefix}`;
  }
  return `api_key: must start with ${prefix} in ${mode} mode`;
}
