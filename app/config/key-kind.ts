import { keyPrefix, modeOfKey } from '../../shared/till/key-prefix.ts';
import type { Mode } from '../../shared/till/modes.ts';

/**
 * Why an API key does not go with a mode: a live key in the sandbox, or a test key in production, is refused before any
 * request (spec "Authentication", 2). The key itself is never part of the words.
 *
 * @returns null when it goes
 */
export function keyProblem(mode: Mode, apiKey: string): string | null {
  const prefix = keyPrefix[mode];
  const kind = modeOfKey(apiKey);
  if (kind !== null && kind !== mode) {
    return `api_key: is a ${kind} key; ${mode} mode needs a key that begins with ${prefix}`;
  }
  if (kind === null) return `api_key: must begin with ${prefix} in ${mode} mode`;
  // It travels in a header.
  return /^[\x21-\x7e]+$/.test(apiKey) ? null : 'api_key: has a space or another character that no key has';
}
