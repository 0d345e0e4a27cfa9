import type { TillApi } from '../../shared/till/api.ts';
import { type AgentLineParts, agentLine } from './agent-line.ts';
import { readEvent, readReply } from './reply.ts';

/** The cashier's page in a browser. */
export function webShell(parts: AgentLineParts): TillApi {
  const line = agentLine(parts, readEvent);
  return {
    call: async (command, input) => readReply(await line.ask(command, input)),
    onEvent: (listener) => line.onEvent(listener),
    onLink: (listener) => line.onLink(listener),
  };
}
