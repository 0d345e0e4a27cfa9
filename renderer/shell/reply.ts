import {
  type TillAnswer,
  type TillCommandName,
  type TillError,
  type TillReply,
  tillCommands,
} from '../../shared/till/api.ts';

/** The reply when the agent cannot be asked. */
export function goneReply(message: string): { readonly ok: false; readonly error: TillError } {
  return { ok: false, error: { code: 'agent_gone', message } };
}

/** Parses a good answer; one that is out of shape is no answer at all. */
export function parseAnswer<C extends TillCommandName>(command: C, value: unknown): TillReply<TillAnswer<C>> {
  const parsed = tillCommands[command].answer.safeParse(value);
  if (!parsed.success) return goneReply(`The agent's answer to ${command} is not in shape: ${parsed.error.message}`);
  // zod cannot tell that the answer of `tillCommands[command]` is that of C.
  return { ok: true, value: parsed.data as TillAnswer<C> };
}
