import type { Mode } from './modes.ts';

/** How the API keys of each mode begin (spec "Authentication", 2). */
export const keyPrefix: Readonly<Record<Mode, string>> = {
  sandbox: 'loyalty_pk_test_',
  production: 'loyalty_pk_live_',
};

/** How a key of any mode begins, as part of a pattern. */
export const anyKeyPrefix = `(?:${Object.values(keyPrefix).join('|')})`;

/** The mode of a key; null when it is not a key of the service. */
export function modeOfKey(apiKey: string): Mode | null {
  if (apiKey.startsWith(keyPrefix.sandbox)) return 'sandbox';
  return apiKey.startsWith(keyPrefix.production) ? 'production' : null;
}
