import { maxBodyBytes } from '../../shared/contract/primitives.ts';
import type { Problem } from '../../shared/contract/problems.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { Reply } from './answers.ts';
import { invalidInput, jsonAnswer } from './answers.ts';
import type { BridgeHandler } from './endpoint-route.ts';
import type { BridgeRequest } from './request-and-answer.ts';

export type OfficeReply =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  /** The disk is full or cannot be written. `message` says which. */
  | { readonly kind: 'not_written'; readonly message: string }
  | { readonly kind: 'unknown_call' };

/** Answers a call by its name in the table. */
export type OfficeAnswerer = (name: string, input: unknown) => Promise<OfficeReply>;

/** Answers one call of store IT; `params` are those of its path. */
type OfficeHandler = (request: BridgeRequest, params: Readonly<Record<string, string>>) => Promise<Reply>;

export const officeRoot = '/v1/agent/office/';
export const officePath = `${officeRoot}{call}`;

/** The answer to a POS program that tries a call of store IT with its token. */
export const officeClosed: BridgeHandler = () => ({
  status: 403,
  code: 'UNAUTHENTICATED',
  message: 'This is a POS token. The calls of store IT need the secret of the data folder.',
});

/**
 * `POST /v1/agent/office/{call}`: what store IT asks of a running agent (app/office/office.ts). The commands of `npm
 * run tillbridge` use it, with the secret of the data folder.
 */
export function officeHandler(answer: OfficeAnswerer): OfficeHandler {
  return async (request, params) => {
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
      case 'not_written':
        return { status: 507, code: 'INTERNAL', message: reply.message };
      case 'unknown_call':
        return { status: 404, code: 'VALIDATION_ERROR', message: 'This agent has no such call for store IT.' };
      default:
        return assertNever(reply);
    }
  };
}
