import { splitTarget } from '../../shared/contract/request-parts.ts';
import { createRouter } from '../../shared/contract/router.ts';
import type { Reply } from './answers.ts';
import { type Failure, failureAnswer, invalidInput, jsonAnswer } from './answers.ts';
import { admit, authenticate, type DoorRules, preflightHeaders } from './door.ts';
import type { RouteFacts } from './endpoint-route.ts';
import type { BridgeAnswer, BridgeRequest } from './messages.ts';
import { bridgeRoutes, type RouteOptions } from './routes.ts';

export interface BridgeOptions extends RouteOptions {
  readonly door: DoorRules;
  readonly newRequestId: () => string;
  /** Told of a fault of our own, which the caller sees as 500 INTERNAL. */
  readonly onFault: (error: unknown, requestId: string) => void;
}

export type Bridge = (request: BridgeRequest) => Promise<BridgeAnswer>;

/** What a POS program talks to: the specification's own paths, shapes and errors, answered by the agent. */
export function createBridge(options: BridgeOptions): Bridge {
  const { door, newRequestId, onFault } = options;
  const route = createRouter(bridgeRoutes(options));

  return async (request) => {
    const requestId = newRequestId();
    const admission = admit(request, door);
    if (admission.kind === 'refused') return identified(failureAnswer(admission.failure, requestId), requestId, {});
    const { corsHeaders } = admission;
    const answer = await answerAdmitted(request, requestId);
    return identified(answer, requestId, corsHeaders);
  };

  async function answerAdmitted(request: BridgeRequest, requestId: string): Promise<BridgeAnswer> {
    const { path, search } = splitTarget(request.target);
    if (request.method === 'OPTIONS' && request.header('origin') !== undefined) {
      return { status: 204, headers: preflightHeaders, body: null };
    }
    if (path === '/healthz' && request.method === 'GET') return jsonAnswer(200, { status: 'ok' });
    try {
      const authentication = authenticate(request, door.tokens);
      if (authentication.kind === 'refused') return failureAnswer(authentication.failure, requestId);
      const isStillKnown = () => authenticate(request, door.tokens).kind === 'known';
      const reply = await answerRoute(request, path, { search, caller: authentication.caller, isStillKnown });
      return 'code' in reply ? failureAnswer(reply, requestId) : reply;
    } catch (error) {
      onFault(error, requestId);
      const message = 'The agent has a fault of its own; its log tells which.';
      return failureAnswer({ status: 500, code: 'INTERNAL', message }, requestId);
    }
  }

  function answerRoute(
    request: BridgeRequest,
    path: string,
    facts: Omit<RouteFacts, 'params'>,
  ): Promise<Reply> | Reply {
    const match = route(request.method, path);
    switch (match.kind) {
      case 'found':
        return match.target(request, { ...facts, params: match.params });
      case 'bad_path':
        return invalidInput([match.problem]);
      case 'wrong_method':
        return wrongMethod(match.allowed);
      case 'unknown_path':
        return { status: 404, code: 'VALIDATION_ERROR', message: 'No such path; the calls stand under /v1.' };
    }
  }
}

function wrongMethod(allowed: readonly string[]): Failure {
  const allow = allowed.join(', ');
  return {
    status: 405,
    code: 'VALIDATION_ERROR',
    message: `This path takes ${allow} only.`,
    headers: { allow },
  };
}

function identified(
  answer: BridgeAnswer,
  requestId: string,
  corsHeaders: Readonly<Record<string, string>>,
): BridgeAnswer {
  return { ...answer, headers: { ...answer.headers, ...corsHeaders, 'x-request-id': requestId } };
}
