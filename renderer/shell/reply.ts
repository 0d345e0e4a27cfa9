import type { TillError, TillEvent, TillReply } from '../../shared/till/api.ts';

/** The reply when the agent cannot be asked. */
export function goneReply(message: string): { readonly ok: false; readonly error: TillError } {
  return { ok: false, error: { code: 'agent_gone', message } };
}

/**
 * Reads a reply that came over IPC or a socket. Only its outer shape is checked, because the agent has the same version
 * as this page and uses the types of `shared/till`. A full check would be most of this page's code.
 */
export function readReply<Answer>(value: unknown): TillReply<Answer> {
  if (isObject(value) && value.ok === true && isObject(value.value)) {
    return { ok: true, value: value.value as Answer };
  }
  if (isObject(value) && value.ok === false && isObject(value.error) && typeof value.error.code === 'string') {
    return { ok: false, error: value.error as TillError };
  }
  return goneReply('The answer of the agent is not in shape');
}

/** @returns null for a message that is no event */
export function readEvent(value: unknown): TillEvent | null {
  if (!isObject(value)) return null;
  if (value.type === 'state' && isObject(value.state)) return value as TillEvent;
  return value.type === 'operation' && isObject(value.operation) ? (value as TillEvent) : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
