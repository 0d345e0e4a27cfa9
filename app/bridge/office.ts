import { maxBodyBytes } from '../../shared/contract/primitives.ts';
import type { Problem } from '../../shared/contract/problems.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import { invalidInput, jsonAnswer } from './answers.ts';
import type { BridgeHandler } from './endpoint-route.ts';

export type OfficeReply =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  | { readonly kind: 'unknown_call' };

/** Answers a call of the table by its name. */
export type OfficeAnswerer = (name: string, input: unknown) => Promise<OfficeReply>;

/**
 * `POST /v1/agent/office/{call}`: what store IT asks of a running agent (app/office/calls.ts). The commands of
 * `npm run tillbridge` come this way, with the agent's own token.
 */
export function officeRoute(answer: OfficeAnswerer): BridgeHandler {
  return async (request, { params, caller }) => {
    if (!caller.isMain) {
      const message = 'This token is a POS program’s; orders to the agent need the agent’s own.';
      return { status: 403, code: 'UNAUTHENTICATED', message };
    }
    const bytes = await request.readBody(maxBodyBytes);
    if (typeof bytes === 'string') return invalidInput([{ field: '(root)', problem: 'is too large, or was cut' }]);
    let input: unknown;
    try {
      input = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return invalidInput([{ field: '(root)', problem: 'is not JSON' }]);
    }
    const reply = await answer(params.call ?? '', input);
    switch (reply.kind) {
      case 'answered':
        return jsonAnswer(200, reply.answer);
      case 'invalid':
        return invalidInput(reply.problems);
      case 'unknown_call':
        return { status: 404, code: 'VALIDATION_ERROR', message: 'The office of this agent knows no such call.' };
      default:
        return assertNever(reply);
    }
  };
}
