import type { TillApi } from '../../shared/till/api.ts';
import { type AgentLineParts, agentLine } from './agent-line.ts';
import { readEvent, readReply } from './reply.ts';

/** The cashier's page in a browser. */
export function webShell(parts: AgentLineParts): TillApi {
  const { ask, onEvent, onLink } = agentLine(parts, readEvent);
  return {
    call: async (command, input) => readReply(await ask(command, input)),
    onEvent,
    onLink,
  };
}
