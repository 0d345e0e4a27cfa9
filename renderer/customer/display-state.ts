import type { DisplayState, DisplayView } from '../../shared/till/display-views.ts';
import { locales } from '../../shared/till/locales.ts';
import { isObject } from '../shell/reply.ts';

/**
 * Reads the state from a message of the agent. Only its outer shape is checked, because the agent and this page have
 * the same version.
 *
 * @returns null for a message of another kind, or with another shape
 */
export function displayStateIn(message: unknown): DisplayState | null {
  if (!isObject(message) || message.type !== 'state') return null;
  return isDisplayState(message.state) ? message.state : null;
}

function isDisplayState(value: unknown): value is DisplayState {
  return (
    isObject(value) &&
    locales.some((locale) => locale === value.locale) &&
    typeof value.shop === 'string' &&
    typeof value.currency === 'string' &&
    typeof value.is_online === 'boolean' &&
    isView(value.view)
  );
}

function isView(value: unknown): value is DisplayView {
  if (!isObject(value)) return false;
  if (value.kind === 'nobody') return true;
  return (
    value.kind === 'customer' &&
    typeof value.is_confirmed === 'boolean' &&
    (value.name === null || typeof value.name === 'string') &&
    Array.isArray(value.rewards)
  );
}
